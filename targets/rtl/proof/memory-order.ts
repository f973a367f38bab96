/**
 * Proves the order in which a kernel reads and writes memory. A pipeline starts, and sends requests, only when
 * everything written before has been answered. If iterations of a loop communicate through memory, iteration i + d
 * sends no request before everything that iterations up to i wrote has been answered, where d is the distance at which
 * a load may need what a store wrote. One arbitrary iteration i is followed (Wolper): first it and those before it are
 * counted down as they leave the last process, then their writes as memory answers them. While any of these remain,
 * fewer than d others have entered. The underlying invariant: they all belong to one group of at most d iterations, and
 * the next group begins when nothing is under way.
 *
 * That the kernel's counters count correctly is proved for its control; here only that the kernel waits for them. That
 * the processes of a loop execute equally many iterations depends on the dataflow graph, whose test each of them
 * evaluates: the computing process does not end behind those that send requests for it, and these do not go on after it
 * has ended.
 */

import { entryOf, firstOf, lastOf } from "../../../core/checked/access.ts";
import type { ScheduledPipeline } from "../../../core/hw/binding/process.ts";
import type { CarriedDependence } from "../../../core/hw/dfg/memory.ts";
import { apartSignal } from "../verilog/pipeline/interlock.ts";
import type { KernelModule, ProcessSignals } from "../verilog/pipeline/kernel-module.ts";
import { portOf } from "./instances.ts";
import { KernelMonitor, WIDE } from "./kernel-monitor.ts";
import type { ModuleProperties } from "./monitor.ts";

export function memoryOrderProperties(kernel: KernelModule): readonly ModuleProperties[] {
  if (kernel.writes.length === 0) return [];
  return [new MemoryOrder(kernel).make()];
}

/** The processes of a pipeline; the last one computes. */
interface Run {
  readonly scheduled: ScheduledPipeline;
  readonly processes: readonly ProcessSignals[];
  readonly last: ProcessSignals;
}

class MemoryOrder extends KernelMonitor {
  private readonly runs: readonly Run[];
  /** By process: iterations that have entered it but not the last process. */
  private readonly ahead = new Map<ProcessSignals, string>();
  /** By port: writes that wait for memory, or for its answer. */
  private readonly unanswered = new Map<string, string>();
  /** Bits, by port: everything written has been answered. */
  private readonly arrived: string[] = [];
  private readonly provided = new Set<string>();

  constructor(kernel: KernelModule) {
    super("order", kernel);
    const pipelines = new Set(kernel.processes.map(({ scheduled }) => scheduled));
    this.runs = [...pipelines].map((scheduled) => {
      const processes = kernel.processes.filter((s) => s.scheduled === scheduled);
      return { scheduled, processes, last: lastOf(processes) };
    });
  }

  make(): ModuleProperties {
    const { kernel } = this;
    this.claimWrites();
    for (const run of this.runs) {
      this.trips(run);
      this.requestsOf(run);
    }
    const distances = this.runs.flatMap((run) => {
      const { memory } = run.scheduled.pipeline.loop ?? {};
      if (memory) this.carried(run, memory);
      return memory ? [memory.distance] : [];
    });
    return {
      module: kernel.name,
      part: `${kernel.name}: order in memory`,
      sizes: [
        `${kernel.reads.length} ports that read, ${kernel.writes.length} that write`,
        ...(distances.length > 0 ? [`dependences at distance ${distances.join(", ")}`] : []),
      ].join(", "),
      claims: [
        "a pipeline asks memory for nothing before all that others wrote has been answered, nor is the kernel done before",
        ...(distances.length > 0
          ? [
              "an iteration asks memory for nothing before all is answered that one wrote which is as many iterations older as a dependence is long",
            ]
          : []),
      ],
      provided: [...this.provided].join("; "),
      text: this.text(this.assumed, this.onceBegun(this.asserted)),
      steps: 24,
    };
  }

  private isRunTurn({ scheduled }: Run): string {
    return this.isTurn(scheduled.pipeline.name);
  }

  // ---------------------------------------------------------------- from loop to loop

  /** Unanswered writes belong to the active pipeline. */
  private claimWrites(): void {
    for (const { prefix, port } of this.kernel.writes) {
      const { name } = this.of(firstOf(port.stores)).scheduled.pipeline;
      const hasTurn = this.isTurn(name);
      const push = this.wire(1, portOf(`${prefix}_words`, "push"));
      if (this.isStream(prefix)) {
        const accepted = `(${prefix}_word_valid & ${prefix}_word_ready)`;
        const waiting = this.counter(push, accepted);
        this.credited(prefix, waiting);
        const was = this.before(1, `rst | ${prefix}_settled & ~${accepted}`);
        this.assumed.push(`~${this.hasBegun} | ~${was}[0] | ${prefix}_settled`);
        this.provided.add("a stream is settled until a word is taken, and again when all are answered");
        this.arrived.push(`(${waiting} == 0 & ${prefix}_settled & ~${prefix}_command_valid)`);
        this.asserted.push(`${this.arrived.at(-1)} | ${hasTurn}`);
        continue;
      }
      const out = this.counter(push, `${prefix}_write_done`);
      this.assumed.push(`~${prefix}_write_done | ${out} != 0`);
      this.provided.add("memory answers what was asked, once");
      this.credited(prefix, out);
      this.unanswered.set(prefix, out);
      this.arrived.push(`(${out} == 0)`);
      this.asserted.push(`${this.arrived.at(-1)} | ${hasTurn}`);
    }
    this.asserted.push(`~done | (${this.arrived.join(" & ")})`);
  }

  /** A counter of the kernel is never less than what it counts. */
  private credited(prefix: string, out: string): void {
    this.assumed.push(`${out} <= {${WIDE}'d0, ${prefix}_flight}`);
    this.provided.add("credits count what they stand for, as shown of the control");
    const { scheduled } = this.of(this.storesOf(prefix));
    this.asserted.push(`${prefix}_flight == 0 | ${this.isTurn(scheduled.pipeline.name)}`);
  }

  private storesOf(prefix: string) {
    const store = this.kernel.writes.find((write) => write.prefix === prefix)?.port.stores[0];
    if (!store) throw new Error(`no port ${prefix}`);
    return store;
  }

  /** Only the active pipeline sends requests to memory. */
  private requestsOf(run: Run): void {
    const { kernel } = this;
    const hasTurn = this.isRunTurn(run);
    for (const { prefix, load } of kernel.reads) {
      const takes = kernel.processes.find(({ process }) => process.inputs.includes(load));
      if (takes?.scheduled !== run.scheduled) continue;
      const command = `${prefix}_command_valid`;
      if (this.isStream(prefix)) {
        this.assumed.push(`~${command} | ${prefix}_command_ready`);
        this.provided.add("a generator takes a command at once where the stream before has ended");
      }
      this.asserted.push(`~${this.isStream(prefix) ? command : `${prefix}_read_valid`} | ${hasTurn}`);
    }
  }

  /** All processes of a pipeline execute equally many iterations. */
  private trips(run: Run): void {
    const { processes, last, scheduled } = run;
    const hasTurn = this.isRunTurn(run);
    for (const s of processes)
      for (const busy of [`${s.prefix}_running`, ...this.stages(s, s.process.depth)])
        this.asserted.push(`~${busy} | ${hasTurn}`);
    this.ahead.set(last, `${WIDE}'d0`);
    for (const s of processes) if (s !== last) this.ahead.set(s, this.counter(s.valid(0), last.valid(0)));
    for (const s of processes) {
      if (s === last) continue;
      const ahead = entryOf(this.ahead, s);
      this.asserted.push(`${ahead} == 0 | ${hasTurn}`);
      this.flights(run, s, ahead);
      if (!scheduled.pipeline.loop) {
        this.asserted.push(
          `~${hasTurn} | ${ahead} == ${this.one(`${last.prefix}_running`)} - ${this.one(`${s.prefix}_running`)}`,
        );
        continue;
      }
      const tests = ({ prefix }: ProcessSignals) =>
        [`${prefix}_running`, ...(scheduled.ii > 1 ? [`${prefix}_slot`] : [])].join(" & ");
      const [streamTests, lastTests] = [tests(s), tests(last)];
      const hasEnded = `(~${last.prefix}_running | (${lastTests} & ~${last.prefix}_more))`;
      this.assumed.push(
        `~(${lastTests}) | ${ahead} == 0 | ${last.prefix}_more`,
        `~(${hasTurn} & ${hasEnded} & ${streamTests}) | ${ahead} != 0 | ~${s.prefix}_more`,
      );
      this.provided.add("processes of a loop make as many iterations, as their graph says");
      this.asserted.push(`~${hasTurn} | ${last.prefix}_running | ${ahead} == 0`);
    }
  }

  /** What waits between processes equals the number of iterations that one is ahead of the other. */
  private flights({ processes }: Run, s: ProcessSignals, ahead: string): void {
    for (const load of s.process.requests)
      for (const to of processes.filter(({ process }) => process.inputs.includes(load))) {
        const flight = `${to.input(load)}_flight`;
        this.asserted.push(`{${WIDE}'d0, ${flight}} == ${ahead} - ${this.ahead.get(to)}`);
        const { prefix } = this.kernel.reads.find((read) => read.load === load) ?? {};
        this.assumed.push(
          `~${to.valid(0)} | ${flight} != 0`,
          ...(prefix === undefined ? [] : [`~${prefix}_read_valid | ${flight} != 0`]),
        );
      }
  }

  // ---------------------------------------------------------------- from iteration to iteration

  private carried(run: Run, { distance, unlessApart }: CarriedDependence): void {
    const { processes, last, scheduled } = run;
    const { name } = scheduled.pipeline;
    const [first] = processes as [ProcessSignals];
    if (unlessApart) {
      this.assumed.push(`~${apartSignal}`);
      this.provided.add("the launch did not find the pointers' memory apart");
    }
    const [enters, retires] = [first.valid(0), last.valid(last.process.depth)];
    const outstanding = this.counter(enters, retires);
    const bits = (distance + 1).toString(2).length + 1;
    const [tagged, behind, since] = [this.reg(1), this.reg(WIDE), this.reg(bits)];
    this.declarations.push(`(* keep *) wire ${tagged}_choose;`);
    const follows = this.wire(1, `${enters} & ~${tagged}[0] & ${tagged}_choose`);
    const leaves = this.wire(1, `${tagged}[0] & ${behind} == 1 & ${retires}`);
    this.clocked.push(
      `${tagged} <= ~rst & (${tagged}[0] | ${follows});`,
      `if (${follows}) ${behind} <= ${outstanding} + 1 - ${this.one(retires)}; else if (${behind} != 0 & ${retires}) ${behind} <= ${behind} - 1;`,
      `if (${follows}) ${since} <= 0; else if (${enters} & ${since} != ${distance}) ${since} <= ${since} + 1;`,
    );
    const owed = [...this.unanswered].flatMap(([prefix, out]) => {
      if (this.of(this.storesOf(prefix)).scheduled !== scheduled) return [];
      const left = this.reg(WIDE);
      const push = this.one(portOf(`${prefix}_words`, "push"));
      const isDone = this.one(`${prefix}_write_done`);
      this.clocked.push(
        `if (${leaves}) ${left} <= ${out} + ${push} - ${isDone}; else if (${left} != 0) ${left} <= ${left} - ${isDone};`,
      );
      this.asserted.push(`~(${tagged}[0] & ${behind} == 0) | ${left} <= ${out}`);
      return [`${left} != 0`];
    });
    const pending = this.wire(
      1,
      `${tagged}[0] & (${behind} != 0 | ${owed.map((o) => `(${o})`).join(" | ") || "1'b0"})`,
    );
    // The property to prove.
    this.asserted.push(`~(${pending} & ${enters}) | ${since} + 1 < ${distance}`);
    // Invariants from which it follows.
    const group = `{${WIDE}'d0, ${name}_group}`;
    this.asserted.push(
      `{${WIDE}'d0, ${name}_open} == ${outstanding}`,
      `${outstanding} == ${this.ahead.get(first)} + ${this.underWay(last, last.process.depth)}`,
      `${group} <= ${distance}`,
      `~${pending} | ({${WIDE}'d0, ${since}} < ${group} & ${this.isRunTurn(run)})`,
      `~(${tagged}[0] & ${behind} != 0) | ${outstanding} == ${behind} + {${WIDE}'d0, ${since}}`,
    );
  }
}
