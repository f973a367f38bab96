/**
 * A reference machine beside a hardware process: it evaluates an iteration's dataflow graph, before scheduling, with
 * each operation in C's width, from the iteration's inputs and the variables left by the previous iteration. Products,
 * quotients, float operators, and contents of long delay lines and memories are arbitrary numbers.
 */

import { entryOf, firstOf, itemAt } from "../../../core/checked/access.ts";
import type { HardwarePlan } from "../../../core/hw/binding/process.ts";
import { fullRange, type Range, within } from "../../../core/hw/dfg/ranges.ts";
import { comesIn, type Value, type Variable } from "../../../core/hw/dfg/value.ts";
import { LONGEST_REGISTER_LINE } from "../../../core/hw/operators/timing.ts";
import { gapOf } from "../../../core/hw/schedule/access-execute.ts";
import type { KernelModule, ProcessSignals } from "../verilog/pipeline/kernel-module.ts";
import { literal } from "../verilog/text/text.ts";
import { expression, extended, isOpen, lies, undefinedShift } from "./expressions.ts";
import { Monitor, unusedStart } from "./monitor.ts";

export abstract class IterationMachine extends Monitor {
  protected readonly plan: HardwarePlan;
  protected readonly kernel: KernelModule;
  protected readonly s: ProcessSignals;
  /** Claims for every cycle; assumed in the first one. */
  protected readonly always: string[] = [];
  /** Variables whose ranges are assumed. */
  protected readonly limits = new Set<string>();
  /** Signals assumed to take turns. */
  protected readonly inTurn = new Set<string>();
  /** The machine reads a variable that another process of the step sets. */
  protected late = false;
  /** Signals by value and cycle of the iteration. */
  private readonly cache = new Map<string, string>();
  private readonly states = new Map<Variable, string>();
  private readonly still = new Map<Value, boolean>();

  constructor(plan: HardwarePlan, kernel: KernelModule, signals: ProcessSignals) {
    super(unusedStart("spec", kernel.text));
    this.plan = plan;
    this.kernel = kernel;
    this.s = signals;
  }

  protected holds(when: string, claim: string): void {
    this.asserted.push(`~(${when}) | (${claim})`);
  }

  protected holdsAlways(when: string, claim: string): void {
    this.always.push(`~(${when}) | (${claim})`);
  }

  /** An arbitrary value in every cycle. */
  private free(bits: number): string {
    const name = this.fresh();
    this.declarations.push(`(* keep *) wire [${bits - 1}:0] ${name};`);
    return name;
  }

  /** A value that is the same for all iterations. */
  private stays(name: string, bits: number): void {
    this.assumed.push(`~${this.hasBegun} | ${name} == ${this.before(bits, name)}`);
  }

  private assumeRange(when: string, name: string, { shape }: Value | Variable, range: Range): void {
    if (!shape.float && !within(fullRange(shape), range))
      this.assumed.push(`~(${when}) | ${lies(name, shape, range)}`);
  }

  /** The value of the iteration that is now in a cycle, with C's width. */
  protected at(value: Value, cycle: number): string {
    const ready = this.isStill(value) ? 0 : (this.s.process.ready.get(value) ?? (comesIn(value) ? 0 : cycle));
    if (cycle < ready) throw new Error("a value is looked at before it is there");
    const key = (c: number) => `${value.id} ${c}`;
    const cached = this.cache.get(key(this.isStill(value) ? 0 : cycle));
    if (cached !== undefined) return cached;
    const late = cycle > ready && !this.isStill(value) && value.op !== "const";
    const signal = late
      ? this.before(value.shape.bits, this.at(value, cycle - 1))
      : this.computed(value, ready);
    this.cache.set(key(this.isStill(value) ? 0 : cycle), signal);
    return signal;
  }

  /** Whether all iterations have the same value, computed from what this process leaves unchanged. */
  protected isStill(value: Value): boolean {
    const known = this.still.get(value);
    if (known !== undefined) return known;
    const isConstant =
      value.op === "const" ||
      (value.op === "read" && !this.s.process.updates.has(value.variable)) ||
      (value.args.length > 0 &&
        !comesIn(value) &&
        value.op !== "delay" &&
        !(isOpen(value) && (value.op === "fetch" || this.s.units.has(value))) &&
        undefinedShift(value, () => "") === undefined &&
        value.args.every((a) => this.isStill(a)));
    this.still.set(value, isConstant);
    return isConstant;
  }

  /** A value in the cycle in which it is computed. */
  private computed(value: Value, cycle: number): string {
    const { widths } = this.plan;
    const { bits } = value.shape;
    if (value.op === "read") return this.variableOf(value, cycle);
    if (value.op === "delay") return this.delay(value);
    if (comesIn(value)) return this.inputOf(value);
    if (isOpen(value)) {
      const name = this.free(bits);
      if (this.isStill(value)) this.stays(name, bits);
      this.assumeRange("1'b1", name, value, widths.ranges.of(value));
      return name;
    }
    const nameOf = (v: Value) => this.at(v, cycle);
    const plain = this.wire(bits, expression(value, nameOf));
    const wild = undefinedShift(value, nameOf);
    if (wild === undefined) return plain;
    const signal = this.s.held.find((h) => h.value === value && h.cycle === cycle);
    const wire = widths.of(value);
    const any = this.free(wire.bits);
    // C defines no value: the hardware's is accepted.
    if (signal) this.assumed.push(`~(${this.s.valid(cycle)} & ${wild}) | ${signal.signal} == ${any}`);
    return this.wire(bits, `${wild} ? ${extended(any, wire, bits)} : ${plain}`);
  }

  /** An input value; the hardware may use only its low bits. */
  private inputOf(value: Value): string {
    const { bits } = value.shape;
    const usedBits = Math.min(bits, this.plan.widths.of(value).bits);
    if (!this.s.process.inputs.includes(value)) return this.free(bits);
    const signal = this.s.input(value);
    return this.wire(
      bits,
      usedBits < bits ? `{${this.free(bits)}[${bits - 1}:${usedBits}], ${signal}}` : signal,
    );
  }

  private variableOf(value: Value, cycle: number): string {
    const { process, scheduled, valid } = this.s;
    const variable = value.variable as Variable;
    const state = this.state(variable);
    const { ranges } = this.plan.widths;
    const range = ranges.of(value);
    // During an iteration a counter is not at its end value.
    if (!within(ranges.ofVariable(variable), range)) {
      this.limits.add(variable.name);
      this.assumeRange(valid(cycle), state, variable, range);
    }
    const when = process.when.get(variable);
    if (when === undefined || !process.updates.has(variable)) return state;
    if (cycle > when) throw new Error("a variable is read after it is set");
    const distance = scheduled.pipeline.graph.distances.get(variable) ?? 1;
    const under = Array.from({ length: when - cycle }, (_, k) => valid(cycle + 1 + k));
    if (distance === 1) for (const older of under) this.asserted.push(`~(${valid(cycle)} & ${older})`);
    else if (under.length >= distance) {
      const bits = Math.ceil(Math.log2(under.length + 1)) + 1;
      const sum = under.map((v) => `{${bits - 1}'d0, ${v}}`).join(" + ");
      this.holds(valid(cycle), `(${sum}) < ${literal(BigInt(distance), bits)}`);
    }
    if (distance > 1) this.inTurn.add("partial results");
    return state;
  }

  /** A variable after all iterations that have reached the cycle in which it is set. */
  private state(variable: Variable): string {
    const known = this.states.get(variable);
    if (known !== undefined) return known;
    const { bits } = variable.shape;
    const stepped = this.s.process.updates.has(variable);
    const name = stepped ? this.reg(bits) : this.free(bits);
    this.states.set(variable, name);
    if (!stepped) this.stays(name, bits);
    this.related(variable, name);
    return name;
  }

  /** The hardware's register has the variable's low bits, and the number is in the variable's range. */
  private related(variable: Variable, name: string): void {
    const { widths } = this.plan;
    const { process, scheduled } = this.s;
    const { shape } = variable;
    const register = this.s.registers.get(variable);
    if (register !== undefined) {
      const bits = Math.min(widths.ofVariable(variable).bits, shape.bits);
      const same = `${register} == ${name}[${bits - 1}:0]`;
      const elsewhere = scheduled.processes.some((other) => other !== process && other.updates.has(variable));
      if (elsewhere && !process.updates.has(variable)) {
        this.late = true;
        this.assumed.push(same);
      }
      // Arguments are stable while the kernel runs.
      else if (this.kernel.ports.some((port) => port.name === register)) this.assumed.push(same);
      else this.always.push(same);
    }
    const range = widths.ranges.ofVariable(variable);
    if (shape.float || within(fullRange(shape), range)) return;
    const update = this.s.scheduled.pipeline.graph.updates.get(variable);
    const inRange = lies(name, shape, range);
    if (update === undefined || within(widths.ranges.of(update), range)) this.always.push(inRange);
    else {
      this.limits.add(variable.name);
      this.assumed.push(inRange);
    }
  }

  /** An iteration sets a variable. */
  protected update(variable: Variable): void {
    const { process, scheduled, valid } = this.s;
    const value = entryOf(scheduled.pipeline.graph.updates, variable);
    const cycle = entryOf(process.when, variable);
    const state = this.state(variable);
    const { bits } = variable.shape;
    /** The old value is that at the time of setting: all earlier iterations have come by then. */
    const next = (v: Value): string => {
      if (v.op === "read" && v.variable === variable) return state;
      const [test, then, otherwise] = v.args as [Value, Value, Value];
      if (v.op !== "mux" || !keeps(v, variable)) return extended(this.at(v, cycle), v.shape, bits);
      return `((|${this.at(test, cycle)}) ? ${next(then)} : ${next(otherwise)})`;
    };
    this.clocked.push(`if (${valid(cycle)}) ${state} <= ${next(value)};`);
  }

  protected newer(delay: Value): Value {
    return entryOf(this.s.process.delayed, delay);
  }

  protected gap(delay: Value): number {
    return gapOf(delay, this.newer(delay));
  }

  protected isRing(value: Value): boolean {
    return value.op === "delay" && this.gap(value) > LONGEST_REGISTER_LINE;
  }

  /** Places of a line in registers advance with the iterations; contents of a memory are left free. */
  private delay(value: Value): string {
    const { widths } = this.plan;
    const { process, held, valid } = this.s;
    const { bits } = value.shape;
    const gap = this.gap(value);
    const shape = widths.of(firstOf(value.args));
    const range = widths.ranges.of(value);
    if (this.isRing(value)) {
      const name = this.wire(bits, extended(this.free(shape.bits), shape, bits));
      this.assumeRange("1'b1", name, value, range);
      return name;
    }
    const cycle = entryOf(process.start, value);
    const registers = Array.from({ length: gap }, () => this.reg(bits));
    const newest = this.at(this.newer(value), cycle);
    const signal = held.find((h) => h.value === value && h.cycle === cycle)?.signal as string;
    registers.forEach((register, k) => {
      const hardware = k === gap - 1 ? signal : `${signal}_place${k + 1}`;
      this.always.push(`${hardware} == ${register}[${shape.bits - 1}:0]`);
      if (!value.shape.float && !within(fullRange(value.shape), range))
        this.always.push(lies(register, value.shape, range));
      this.clocked.push(`if (${valid(cycle)}) ${register} <= ${k === 0 ? newest : registers[k - 1]};`);
    });
    return itemAt(registers, gap - 1);
  }
}

/** Whether a choice may leave a variable unchanged. */
const keeps = ({ op, variable, args }: Value, of: Variable): boolean =>
  op === "read" ? variable === of : op === "mux" && args.slice(1).some((arm) => keeps(arm, of));
