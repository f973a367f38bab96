/**
 * Proves what pipelines compute. Beside each process there is a machine that evaluates an iteration's dataflow graph in
 * C's widths, from the iteration's inputs and the variables left by the previous iteration. In each cycle in which an
 * iteration uses a signal of the hardware, the signal must equal the machine's value for that iteration; the same holds
 * for all outputs. It is proved that any such state is followed by another such state, so that the result holds for
 * runs of any length, with any stalls. Products, quotients, float operators, and contents of long delay lines and
 * memories are left free: both sides continue with the same arbitrary value once it is proved that both request the
 * same (J. R. Burch, D. L. Dill, Automatic verification of pipelined microprocessor control, CAV 1994).
 */

import { entryOf, itemAt } from "../../../core/checked/access.ts";
import type { Event, HardwarePlan, OperatorUse } from "../../../core/hw/binding/process.ts";
import { bitsOf } from "../../../core/hw/dfg/ranges.ts";
import { type Store, takesElement, type Value, type Variable } from "../../../core/hw/dfg/value.ts";
import { addressBits } from "../../../core/hw/frontend/block/rams.ts";
import { factorsOf } from "../../../core/hw/operators/operator.ts";
import { commonShape, divideStages } from "../../../core/hw/operators/timing.ts";
import type { KernelModule } from "../verilog/pipeline/kernel-module.ts";
import { literal, resized } from "../verilog/text/text.ts";
import { extended, isOpen } from "./expressions.ts";
import { portOf } from "./instances.ts";
import { IterationMachine } from "./iteration-machine.ts";
import type { ModuleProperties } from "./monitor.ts";

export function pipelineProperties(plan: HardwarePlan, kernel: KernelModule): readonly ModuleProperties[] {
  return kernel.processes.map((signals) => new ProcessProperties(plan, kernel, signals).make());
}

/** The hardware of a process, compared with its machine. */
class ProcessProperties extends IterationMachine {
  private readonly ports = new Set<string>();
  private readonly unproved = new Set<string>();

  make(): ModuleProperties {
    const { process, scheduled, prefix } = this.s;
    const { loop, name } = scheduled.pipeline;
    this.environment();
    if (loop) {
      const entered = [`${prefix}_running`, ...(scheduled.ii > 1 ? [`${prefix}_slot`] : [])].join(" & ");
      this.holds(entered, `${prefix}_more == ${this.at(loop.more, 0)}[0]`);
    }
    for (const variable of process.updates.keys()) this.update(variable);
    this.signals();
    this.operators();
    this.events();
    const text = this.text(
      [...this.assumed, ...this.always.map((a) => `${this.hasBegun} | (${a})`)],
      [...this.onceBegun(this.always), ...this.asserted],
    );
    return {
      module: this.kernel.name,
      part: `${this.kernel.name}: ${name}${process.computes ? "" : ", which asks memory"}`,
      sizes: `${process.values.length} values in ${process.depth + 1} cycles${loop ? `, interval ${scheduled.ii}` : ""}`,
      claims: [
        process.computes
          ? "every iteration stores, hands on and updates what its dataflow graph says, in the widths of C"
          : "every iteration asks for the addresses that its dataflow graph says, in the widths of C",
        "it reads variables that the iteration before has left, and goes on while the loop's test says so",
      ],
      provided: this.provided(),
      text,
      steps: process.depth + 2 * scheduled.ii + 4,
    };
  }

  private provided(): string {
    const list = (names: ReadonlySet<string>) => [...names].join(", ");
    return [
      ...(this.unproved.size > 0 ? [`${list(this.unproved)} compute what they promise`] : []),
      ...(this.limits.size > 0 ? [`${list(this.limits)} stay within what the loop's trips let them`] : []),
      ...(this.inTurn.size > 0 ? [`${list(this.inTurn)} take turns`] : []),
      ...(this.late ? ["a step sets variables after its addresses were asked for"] : []),
      "pipelines run one at a time",
    ].join("; ");
  }

  // ---------------------------------------------------------------- the frame

  private environment(): void {
    const { hasBegun, kernel, s } = this;
    this.assumed.push("~rst", "~start");
    const { process, scheduled, valid } = s;
    for (const other of kernel.processes) {
      if (other.scheduled !== scheduled) {
        const busy = Array.from({ length: other.process.depth }, (_, k) => other.valid(k + 1));
        this.assumed.push(...[`${other.prefix}_running`, ...busy].map((signal) => `~${signal}`));
      }
      this.assumed.push(`~${other.scheduled.pipeline.name}_start`);
    }
    // Initially no iteration is under way.
    for (let c = 1; c <= process.depth; c++) this.assumed.push(`${hasBegun} | ~${valid(c)}`);
    const { ii } = scheduled;
    if (!scheduled.pipeline.loop) {
      // Code that runs once has one iteration.
      const stages = [
        ...Array.from({ length: process.depth }, (_, k) => valid(k + 1)),
        `${s.prefix}_running`,
      ];
      const all = this.wire(stages.length, `{${stages.join(", ")}}`);
      this.always.push(
        `(${all} & (${all} - ${literal(1n, stages.length)})) == ${literal(0n, stages.length)}`,
      );
      return;
    }
    if (ii === 1) return;
    const bits = Math.ceil(Math.log2(ii));
    this.always.push(`{1'b0, ${s.prefix}_wait} < ${literal(BigInt(ii), bits + 1)}`);
    for (let c = 1; c <= process.depth; c++) {
      const left = process.aligned ? (ii - (c % ii)) % ii : ii - c;
      if (left >= 0) this.holdsAlways(valid(c), `${s.prefix}_wait == ${literal(BigInt(left), bits)}`);
      for (let d = c + 1; d <= process.depth && (process.aligned || d < c + ii); d++)
        if ((d - c) % ii !== 0) this.always.push(`~(${valid(c)} & ${valid(d)})`);
    }
  }

  // ---------------------------------------------------------------- the hardware against it

  /** Every signal of the process, in every cycle in which it holds a value. */
  private signals(): void {
    const { process, held, valid } = this.s;
    for (const { value, cycle, signal, bits } of held) {
      const isReady = process.ready.get(value) === cycle;
      if (isReady && isOpen(value) && value.op !== "fetch") continue;
      const expected = this.isSame(value, this.at(value, cycle), signal, bits);
      if (isReady && (this.isRing(value) || value.op === "fetch"))
        this.assumed.push(`~${valid(cycle)} | ${expected}`);
      else this.holds(valid(cycle), expected);
      if (isReady && this.isRing(value)) this.ring(value, signal);
    }
  }

  /** A signal has the low bits of a number; if these determine the number, the numbers are compared. */
  private isSame(value: Value, number: string, signal: string, bits: number): string {
    const { widths } = this.plan;
    const wire = widths.of(value);
    const all = !value.shape.float && bits === wire.bits && bitsOf(widths.ranges.of(value)) === wire.bits;
    if (all && wire.bits < value.shape.bits) return `${number} == ${resized(signal, wire, value.shape.bits)}`;
    return `${signal} == ${number}[${Math.min(bits, value.shape.bits) - 1}:0]`;
  }

  /** The input of a delay line in memory, and the cycle of its output. */
  private ring(value: Value, signal: string): void {
    const { process, valid, held } = this.s;
    const start = (v: Value) => entryOf(process.start, v);
    const takes = (v: Value) => Math.max(start(v), process.ready.get(this.newer(v)) ?? 0);
    // Delay lines that move together share one memory, which has the name of the first.
    const beside = process.values.filter(
      (v) =>
        v.op === "delay" &&
        this.gap(v) === this.gap(value) &&
        start(v) === start(value) &&
        takes(v) === takes(value),
    );
    if (beside[0] !== value) return;
    const line = `${signal}_line`;
    const into = beside.map((v) => {
      const { bits } = this.plan.widths.of(v.args[0] as Value);
      return `${this.at(this.newer(v), takes(v))}[${bits - 1}:0]`;
    });
    this.holds(valid(takes(value)), `${portOf(line, "in")} == {${into.join(", ")}}`);
    this.asserted.push(`${portOf(line, "enable")} == ${valid(start(value))}`);
    if (takes(value) !== start(value))
      this.asserted.push(`${portOf(line, "take")} == ${valid(takes(value))}`);
    const out = beside.map(
      (v) => held.find((h) => h.value === v && h.cycle === process.ready.get(v))?.signal,
    );
    this.asserted.push(`${portOf(line, "out")} == {${out.join(", ")}}`);
  }

  /** The operands of large operators; for results, only that both sides have the same. */
  private operators(): void {
    const { process, held, valid, units } = this.s;
    const results = new Map<string, (readonly [turn: string, result: string])[]>();
    for (const value of process.values) {
      const ready = process.ready.get(value);
      const signal = held.find((h) => h.value === value && h.cycle === ready)?.signal;
      if (!isOpen(value) || value.op === "fetch" || ready === undefined || signal === undefined) continue;
      this.unproved.add(openName(value));
      const unit = units.get(value);
      this.latency(value, ready);
      const { bits } = this.plan.widths.of(value);
      this.operands(value, process.operators.get(value), unit ?? `${signal}_unit`, unit !== undefined);
      const wire = unit === undefined ? signal : `${unit}_${resultName(value)}[${bits - 1}:0]`;
      const result = `${this.at(value, ready)}[${bits - 1}:0]`;
      const isActive = this.isStill(value) ? this.everSince(ready) : valid(ready);
      results.set(wire, [...(results.get(wire) ?? []), [isActive, result]]);
      if (unit !== undefined) this.holds(valid(ready), `${signal} == ${result}`);
    }
    for (const [wire, users] of results) {
      const selected = users.reduceRight((rest, [active, result]) => `${active} ? ${result} : ${rest}`, wire);
      this.assumed.push(`${wire} == (${selected})`);
    }
  }

  /** From the cycle of the first iteration on: constant operands have a constant result. */
  private everSince(cycle: number): string {
    const { process, valid } = this.s;
    const wasUsed = this.reg(1);
    this.assumed.push(`${this.hasBegun} | ~${wasUsed}`);
    // Yosys replaces a register that is only ever set to one by a constant.
    this.clocked.push(`${wasUsed} <= ${wasUsed} | ${valid(cycle)};`);
    for (let c = cycle + 1; c <= process.depth; c++) this.holdsAlways(valid(c), wasUsed);
    return `(${valid(cycle)} | ${wasUsed})`;
  }

  /** Results come a fixed number of cycles after the operands: the circuit's latency. */
  private latency(value: Value, ready: number): void {
    const { process } = this.s;
    const operator = process.operators.get(value)?.operator;
    const cycles = operator?.latency ?? divideStages(value, (v) => this.plan.widths.of(v));
    if (ready !== entryOf(process.start, value) + cycles) this.asserted.push("1'b0");
  }

  private operands(value: Value, use: OperatorUse | undefined, instance: string, shared: boolean): void {
    const { widths } = this.plan;
    const start = entryOf(this.s.process.start, value);
    const [a, b] = value.args as [Value, Value];
    /** The number at a port equals that of the graph in `wide` bits. */
    const same = (
      v: Value,
      port: string,
      shape: { readonly bits: number; readonly signed: boolean },
      wide: number,
    ) => {
      const wire = `${this.prefix}_${instance}_${port}`;
      if (!this.ports.has(wire)) {
        this.ports.add(wire);
        this.declarations.push(`wire [${shape.bits - 1}:0] ${wire} = ${portOf(instance, port)};`);
      }
      return `${extended(wire, shape, wide)} == ${extended(this.at(v, start), v.shape, wide)}`;
    };
    const exactly = (v: Value, port: string, shape: { readonly bits: number; readonly signed: boolean }) =>
      same(v, port, shape, Math.max(shape.bits, v.shape.bits) + 1);
    const { operator } = use ?? {};
    if (operator === undefined || !("graph" in operator)) {
      const common = commonShape(widths.of(a), widths.of(b));
      const shape = operator ? { bits: operator.width, signed: operator.signed } : common;
      this.holds(this.s.valid(start), `${exactly(a, "a", shape)} & ${exactly(b, "b", shape)}`);
      return;
    }
    const factors =
      value.op === "mul" ? factorsOf(value, (v) => widths.of(v)).map((f) => f.value) : value.args;
    const takes = ({ name, shape: { bits } }: Variable, v: Value): string => {
      if (value.op !== "mul") return exactly(v, name, { bits, signed: widths.of(v).signed });
      const signed = operator.graph.values.some(
        ({ op, shape, args }) =>
          op === "resize" && args[0]?.variable?.name === name && shape.signed && shape.bits === bits,
      );
      return same(v, name, { bits, signed }, widths.of(value).bits);
    };
    const operands = operator.inputs.map((input) => factors["ab".indexOf(input.name)] as Value);
    if (operands.length === 0) return;
    const straight = operator.inputs.map((input, k) => takes(input, itemAt(operands, k))).join(" & ");
    // Operands may be swapped so that users share a multiplexer.
    const turned =
      shared && operands.length === 2 && ["fadd", "fmul"].includes(operator.op)
        ? ` | (${operator.inputs.map((input, k) => takes(input, itemAt(operands, 1 - k))).join(" & ")})`
        : "";
    this.holds(this.s.valid(start), `(${straight})${turned}`);
  }

  // ---------------------------------------------------------------- what goes out

  private events(): void {
    const { process, scheduled } = this.s;
    const { kernel, plan } = this;
    const ofPipeline = <T extends { readonly pipeline: number }>(ports: readonly T[]) =>
      ports.filter(({ pipeline }) => plan.pipelines[pipeline] === scheduled);
    for (const { prefix, load } of ofPipeline(kernel.reads)) {
      if (process.inputs.includes(load)) this.streamed(prefix, load);
      if (process.requests.includes(load)) this.requested(prefix, load);
    }
    for (const { prefix, port, bytes } of ofPipeline(kernel.writes))
      if (process.computes) this.stored(prefix, port.stores, bytes);
    for (const { channel, prefix, bits } of kernel.sends) this.claimSends(channel, prefix, bits);
    this.remembered();
  }

  private happens(guard: Value, cycle: number): string {
    return `(${this.s.valid(cycle)} & ${this.at(guard, cycle)}[0])`;
  }

  private sized(value: Value, cycle: number, bits: number): string {
    return extended(this.at(value, cycle), value.shape, bits);
  }

  private bitsOf(port: string): number {
    return this.kernel.ports.find(({ name }) => name === port)?.bits ?? 0;
  }

  private when(event: Event): number {
    return entryOf(this.s.process.when, event);
  }

  private command(prefix: string, address: Value): void {
    const port = `${prefix}_command_address`;
    this.asserted.push(`${port} == ${this.sized(address, 0, this.bitsOf(port))}`);
  }

  private streamed(prefix: string, load: Value): void {
    const stream = this.s.scheduled.pipeline.graph.streams.get(load);
    if (!stream) return;
    this.command(prefix, stream.address);
    const beats = `${prefix}_command_beats`;
    if (stream.beats) this.asserted.push(`${beats} == ${this.sized(stream.beats, 0, this.bitsOf(beats))}`);
    this.asserted.push(
      `${prefix}_data_ready == (${this.s.prefix}_enter & ${this.at(takesElement(load, stream), 0)}[0])`,
    );
  }

  private requested(prefix: string, load: Value): void {
    const cycle = this.when(load);
    const [address, guard] = load.args as [Value, Value];
    const queue = `${prefix}_addresses`;
    const bits = this.bitsOf(`${prefix}_read_address`);
    this.asserted.push(`${portOf(queue, "push")} == ${this.happens(guard, cycle)}`);
    this.holds(this.happens(guard, cycle), `${portOf(queue, "in")} == ${this.sized(address, cycle, bits)}`);
  }

  private stored(prefix: string, stores: readonly Store[], bytes: number): void {
    const queue = `${prefix}_words`;
    const [first] = stores as [Store];
    const stream = this.s.scheduled.pipeline.graph.streams.get(first);
    if (stream) this.command(prefix, stream.address);
    if (stream?.word) {
      const lanes = stream.word.lanes as readonly Store[];
      const cycle = this.when(first);
      const words = lanes.map(({ data }) => this.sized(data, cycle, (bytes * 8) / lanes.length));
      const strobes = lanes.map(({ guard }) => `${this.at(guard, cycle)}[0]`);
      const always = lanes.every(({ guard }) => guard.op === "const");
      const all = always ? words : [...words, ...strobes];
      this.asserted.push(`${portOf(queue, "push")} == ${this.s.valid(cycle)}`);
      this.holds(this.s.valid(cycle), `${portOf(queue, "in")} == {${all.reverse().join(", ")}}`);
      return;
    }
    const pushes = stores.map((store) => this.happens(store.guard, this.when(store)));
    this.asserted.push(`${portOf(queue, "push")} == (${pushes.join(" | ")})`);
    stores.forEach((store, k) => {
      const cycle = this.when(store);
      const data = this.sized(store.data, cycle, bytes * 8);
      const to = stream ? [] : [this.sized(store.address, cycle, this.bitsOf(`${prefix}_write_address`))];
      this.holds(itemAt(pushes, k), `${portOf(queue, "in")} == {${[...to, data].join(", ")}}`);
    });
  }

  private claimSends(channel: string, prefix: string, bits: number): void {
    const sends = this.s.process.sends.filter((send) => send.channel === channel);
    if (sends.length === 0) return;
    const queue = `${prefix}_queue`;
    const pushes = sends.map((send) => this.happens(send.guard, this.when(send)));
    this.asserted.push(`${portOf(queue, "push")} == (${pushes.join(" | ")})`);
    sends.forEach((send, k) => {
      this.holds(
        itemAt(pushes, k),
        `${portOf(queue, "in")} == ${this.sized(send.data, this.when(send), bits)}`,
      );
    });
  }

  /** Which words of local arrays are read and written. */
  private remembered(): void {
    const { process, valid, ram: nameOf } = this.s;
    for (const value of process.values) {
      const start = process.start.get(value);
      if (!value.fetch || start === undefined) continue;
      const { ram } = value.fetch;
      this.unproved.add("words of local arrays");
      const from = `${nameOf(ram)}${process.copies.get(value)}_from`;
      this.holds(valid(start), `${from} == ${this.sized(value.args[0] as Value, start, addressBits(ram))}`);
    }
    for (const ram of new Set(process.writes.map((write) => write.ram))) {
      const writes = process.writes.filter((write) => write.ram === ram);
      const { bits } = this.plan.widths.ofVariable(ram.cell);
      const name = nameOf(ram);
      const writeCycles = writes.map((write) => this.happens(write.guard, this.when(write)));
      this.asserted.push(`${name}_write == (${writeCycles.join(" | ")})`);
      writes.forEach(({ address, data }, k) => {
        const cycle = this.when(itemAt(writes, k));
        this.holds(itemAt(writeCycles, k), `${name}_to == ${this.sized(address, cycle, addressBits(ram))}`);
        this.holds(itemAt(writeCycles, k), `${name}_in == ${this.sized(data, cycle, bits)}`);
      });
    }
  }
}

const openName = ({ op }: Value): string =>
  op === "mul" ? "products" : op === "div" || op === "rem" ? "quotients" : "operators on floats";
const resultName = ({ op }: Value): string =>
  op === "div" ? "quotient" : op === "rem" ? "remainder" : "result";
