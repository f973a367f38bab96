/**
 * Proves that a kernel uses its queues as they require. What an iteration will push is counted when it enters; the
 * count always equals what is under way in the pipeline, what waits in the queue, and what memory has not answered yet.
 * It follows that every push has space, so that nothing is lost, whatever is stalled. The datapath is left free:
 * nothing here depends on what it computes.
 */

import { entryOf, firstOf, itemAt } from "../../../core/checked/access.ts";
import type { HardwarePlan } from "../../../core/hw/binding/process.ts";
import { isLiteral, readsVariable, type Store, type Value } from "../../../core/hw/dfg/value.ts";
import type { KernelModule, ProcessSignals } from "../verilog/pipeline/kernel-module.ts";
import { connectionsOf, parametersOf, portOf } from "./instances.ts";
import { KernelMonitor, WIDE } from "./kernel-monitor.ts";
import type { ModuleProperties } from "./monitor.ts";

export function creditProperties(plan: HardwarePlan, kernel: KernelModule): readonly ModuleProperties[] {
  const obligation = new Credits(plan, kernel).make();
  return obligation ? [obligation] : [];
}

class Credits extends KernelMonitor {
  private readonly plan: HardwarePlan;
  private readonly claims = new Set<string>();
  private readonly provided = new Set<string>();
  private queues = 0;

  constructor(plan: HardwarePlan, kernel: KernelModule) {
    super("credit", kernel);
    this.plan = plan;
  }

  make(): ModuleProperties | undefined {
    const { kernel } = this;
    this.claimTurns();
    for (const { prefix, load } of kernel.reads) if (!this.isStream(prefix)) this.loaded(prefix, load);
    for (const { prefix, port } of kernel.writes)
      if (this.isStream(prefix)) this.streamed(prefix, port.stores);
      else this.stored(prefix, port.stores);
    for (const { prefix, channel } of kernel.sends) this.claimSends(prefix, channel);
    return {
      module: kernel.name,
      part: `${kernel.name}: control`,
      sizes: `${this.queues} queues`,
      claims: ["pipelines run one at a time, each until all it has sent has arrived", ...this.claims],
      ...(this.provided.size > 0 && { provided: [...this.provided].join("; ") }),
      text: this.text(this.assumed, this.onceBegun(this.asserted)),
      steps: 24,
    };
  }

  // ---------------------------------------------------------------- control

  /** Only the active pipeline has anything under way. */
  private claimTurns(): void {
    for (const s of this.kernel.processes) {
      const { name, loop } = s.scheduled.pipeline;
      const busy = [`${s.prefix}_running`, ...this.stages(s, s.process.depth)];
      for (const signal of busy) this.asserted.push(`~${signal} | ${this.isTurn(name)}`);
      if (!loop) {
        const all = this.wire(busy.length, `{${busy.join(", ")}}`);
        this.asserted.push(`(${all} & (${all} - ${busy.length}'d1)) == ${busy.length}'d0`);
        continue;
      }
      const { ii } = s.scheduled;
      if (ii === 1) continue;
      const bits = Math.ceil(Math.log2(ii));
      for (let c = 1; c <= s.process.depth; c++) {
        const left = s.process.aligned ? (ii - (c % ii)) % ii : ii - c;
        if (left >= 0) this.asserted.push(`~${s.valid(c)} | ${s.prefix}_wait == ${bits}'d${left}`);
        for (let d = c + 1; d <= s.process.depth && (s.process.aligned || d < c + ii); d++)
          if ((d - c) % ii !== 0) this.asserted.push(`~(${s.valid(c)} & ${s.valid(d)})`);
      }
    }
  }

  // ---------------------------------------------------------------- queues

  /** Number of words in a queue of the kernel; asserts that a push always has space. */
  private queue(instance: string): string {
    const { kernel } = this;
    const to = (port: string) => portOf(instance, port);
    const connections = connectionsOf(kernel.text, instance);
    if (!connections) throw new Error(`there is no queue ${instance}`);
    this.queues++;
    const valid = this.wire(1, to("valid"));
    const pop = this.wire(1, `${to("pop")} & ${valid}`);
    const stored = this.counter(to("push"), pop);
    const { LOG2, DEPTH = 2 ** (LOG2 ?? 0) } = parametersOf(kernel.text, instance);
    this.assumed.push(`~${valid} | ${stored} != 0`);
    this.asserted.push(`rst | ~${to("push")} | ${stored} < ${DEPTH}`, `${stored} <= ${DEPTH}`);
    this.provided.add("queues keep to their claims");
    return stored;
  }

  /** A counter of the kernel equals the number that it counts, and does not exceed the queue's depth. */
  private counts(count: string, sum: string, queue: string): void {
    const { LOG2, DEPTH = 2 ** (LOG2 ?? 0) } = parametersOf(this.kernel.text, queue);
    this.asserted.push(`{${WIDE}'d0, ${count}} == ${sum}`, `{${WIDE}'d0, ${count}} <= ${DEPTH}`);
  }

  /** A pipeline is not left while something is counted. */
  private stays({ scheduled }: ProcessSignals, count: string): void {
    this.asserted.push(`${count} == 0 | ${this.isTurn(scheduled.pipeline.name)}`);
  }

  /** Words of streams are counted until their port takes them. */
  private streamed(prefix: string, stores: readonly Store[]): void {
    const [store] = stores as [Store];
    const s = this.of(store);
    const cycle = this.when(store);
    const stored = this.queue(`${prefix}_words`);
    const word = s.scheduled.pipeline.graph.streams.get(store)?.word;
    const guarded = !word && !isLiteral(store.guard);
    const early = guarded && (s.process.ready.get(store.guard) ?? 0) === 0;
    const under = early
      ? this.requestsOf(s, cycle, this.guardOf(s, store.guard), portOf(`${prefix}_words`, "push"))
      : this.underWay(s, cycle);
    this.counts(`${prefix}_flight`, `${stored} + ${under}`, `${prefix}_words`);
    this.stays(s, `${prefix}_flight`);
    this.asserted.push(`~${prefix}_command_valid | ${prefix}_flight == 0`);
    this.claims.add("an iteration enters only when queues have room for all that those under way will push");
    // The address generator accepts a command at once.
    this.assumed.push(`${prefix}_command_ready`);
    this.asserted.push(`~(${prefix}_command_valid & ${prefix}_word_valid)`);
  }

  /** What each iteration in cycles 1 to `last` will push, as known since it entered. */
  private requestsOf(s: ProcessSignals, last: number, guard: string, push: string): string {
    let from = guard;
    const parts = Array.from({ length: last }, (_, k) => {
      const name = this.reg(1);
      this.clocked.push(`${name} <= ${from};`);
      from = name;
      return this.wire(1, `${s.valid(k + 1)} & ${name}`);
    });
    if (last > 0) {
      this.assumed.push(`${push} == (${s.valid(last)} & ${from})`);
      this.provided.add("guards arrive as they were, as proved of the pipelines");
    }
    return this.under(`(${s.valid(0)} & ${guard})`, parts);
  }

  /** The signal of a bit in cycle 0. */
  private guardOf(s: ProcessSignals, value: Value): string {
    const signal = s.held.find((h) => h.value === value && h.cycle === 0);
    if (signal) return signal.bits > 1 ? `${signal.signal}[0]` : signal.signal;
    if (readsVariable(value)) {
      const variable = value.variable;
      const name = entryOf(s.registers, variable);
      return this.plan.widths.ofVariable(variable).bits > 1 ? `${name}[0]` : name;
    }
    if (value.op === "load" || value.op === "receive")
      return this.plan.widths.of(value).bits > 1 ? `${s.input(value)}[0]` : s.input(value);
    return this.guardOf(s, firstOf(value.args));
  }

  /** Other stores are counted until memory has answered. */
  private stored(prefix: string, stores: readonly Store[]): void {
    const instance = `${prefix}_words`;
    const stored = this.queue(instance);
    const answers = this.counter(`(${prefix}_write_valid & ${prefix}_write_ready)`, `${prefix}_write_done`);
    this.assumed.push(`~${prefix}_write_done | ${answers} != 0`);
    this.provided.add("memory answers what was asked, once");
    const under = stores.map((store) => this.underWay(this.of(store), this.when(store))).join(" + ");
    this.counts(`${prefix}_flight`, `${stored} + ${answers} + ${under}`, instance);
    this.asserted.push(`{${WIDE}'d0, ${answers}} <= {${WIDE}'d0, ${prefix}_flight}`);
    this.stays(this.of(firstOf(stores)), `${prefix}_flight`);
    this.claims.add("an iteration enters only when queues have room for all that those under way will push");
    const storeCycles = stores.map((store) => this.of(store).valid(this.when(store)));
    storeCycles.forEach((active, k) => {
      for (const other of storeCycles.slice(k + 1))
        if (other !== active) this.asserted.push(`~(${active} & ${other})`);
    });
  }

  /** Addresses wait for memory, data for the process that takes them, and the order of both in between. */
  private loaded(prefix: string, load: Value): void {
    const from = this.of(load);
    const cycle = this.when(load);
    const addresses = this.queue(`${prefix}_addresses`);
    this.counts(`${prefix}_asked`, `${addresses} + ${this.underWay(from, cycle)}`, `${prefix}_addresses`);
    const answers = this.counter(`(${prefix}_read_valid & ${prefix}_read_ready)`, `${prefix}_data_valid`);
    this.assumed.push(`~${prefix}_data_valid | ${answers} != 0`);
    this.provided.add("memory answers what was asked, once");
    this.claims.add(
      "there is room for all that memory is asked for, and each answer is taken by one iteration",
    );
    const always = itemAt(load.args, 1).op === "const";
    for (const to of this.kernel.processes.filter(
      (p) => p.scheduled === from.scheduled && p.process.inputs.includes(load),
    )) {
      const input = to.input(load);
      const data = this.queue(`${input}_fifo`);
      const takes = `${to.prefix}_enter`;
      const under = this.underWay(from, cycle);
      if (always) {
        this.asserted.push(`{${WIDE}'d0, ${answers}} <= {${WIDE}'d0, ${input}_flight}`);
        this.counts(`${input}_flight`, `${data} + ${answers} + ${addresses} + ${under}`, `${input}_fifo`);
        this.asserted.push(`~${takes} | ${input}_valid`);
        continue;
      }
      const order = this.queue(`${input}_order`);
      const push = portOf(`${input}_order`, "push");
      const real = this.counter(
        `(${push} & ${portOf(`${input}_order`, "in")})`,
        `(${takes} & ${input}_known & ${input}_real)`,
      );
      // A queue returns as many ones as were put in.
      this.assumed.push(`~${input}_known | (${input}_real ? ${real} != 0 : ${real} < ${order})`);
      // No sum overflows.
      this.asserted.push(
        `${answers} <= ${real}`,
        `${real} <= ${order}`,
        `${real} == ${data} + ${answers} + ${addresses}`,
      );
      this.counts(`${input}_flight`, `${order} + ${under}`, `${input}_fifo`);
      this.asserted.push(`~${takes} | (${input}_known & (${input}_valid | ~${input}_real))`);
    }
  }

  /** The number of values on their way to a channel, from all of its senders. */
  private claimSends(prefix: string, channel: string): void {
    const stored = this.queue(`${prefix}_queue`);
    const sends = this.kernel.processes.flatMap(({ process }) =>
      process.sends.filter((s) => s.channel === channel),
    );
    const under = sends.map((send) => this.underWay(this.of(send), this.when(send))).join(" + ");
    this.counts(`${prefix}_flight`, `${stored} + ${under}`, `${prefix}_queue`);
    this.claims.add("an iteration enters only when queues have room for all that those under way will push");
  }
}
