/** Writes one process as Verilog: its entry, valid bits, operators and the registers between stages. */

import { entryOf, firstOf } from "../../../../core/checked/access.ts";
import type { Event, OperatorUse, Process, ScheduledPipeline } from "../../../../core/hw/binding/process.ts";
import {
  comesIn,
  interpret,
  type Ram,
  type Shape,
  type Value,
  type Variable,
} from "../../../../core/hw/dfg/value.ts";
import type { Widths } from "../../../../core/hw/dfg/widths.ts";
import { addressBits } from "../../../../core/hw/frontend/block/rams.ts";
import { factorsOf } from "../../../../core/hw/operators/operator.ts";
import { LONGEST_REGISTER_LINE } from "../../../../core/hw/operators/timing.ts";
import { gapOf } from "../../../../core/hw/schedule/access-execute.ts";
import type { Module } from "../text/module.ts";
import { disjunction, literal, range, resized } from "../text/text.ts";
import { inRegisters, type Waiting } from "../text/waiting.ts";
import { divide, table } from "./circuits.ts";
import { type RegisterLine, type Ring, registerLineText, ringText } from "./delay-lines.ts";
import { expressionText } from "./expression-text.ts";
import type { LocalRams } from "./rams.ts";
import { isRenaming, shapeOf } from "./signal-shapes.ts";
import { operatorInstance, type SharedUnits } from "./units.ts";
import { UsedBits } from "./used-bits.ts";

/** What a process's text needs from its surroundings. */
interface ProcessContext {
  readonly module: Module;
  readonly widths: Widths;
  readonly scheduled: ScheduledPipeline;
  readonly process: Process;
  /** Prefix of its signals' names. */
  readonly prefix: string;
  /** The kernel's register of a variable. */
  register(variable: Variable): string;
  /** The FIFO data of an input: a load, or a channel's value. */
  input(of: Value): string;
  /** Minimum number of cycles between iterations, for which a register can keep an iteration's value. */
  readonly interval: number;
  readonly units: SharedUnits;
  readonly rams: LocalRams;
}

/** A register that takes a value in cycle `from` and keeps it until cycle `last`, with the low bits that are used. */
interface Stage {
  readonly value: Value;
  readonly from: number;
  last: number;
  bits: number;
}

/** In a cycle of an iteration, a signal has the low `bits` of a value. */
export interface Held {
  readonly value: Value;
  readonly cycle: number;
  readonly signal: string;
  readonly bits: number;
}

export class ProcessText {
  private readonly c: ProcessContext;
  private readonly names = new Map<Value, string>();
  private readonly copies = new Map<Variable, string>();
  /** By value: the low bits that are used in the cycle in which it becomes available. */
  private readonly registered = new Map<Value, number>();
  /** Registers between stages. */
  private readonly staged = new Map<string, Stage>();
  private readonly still = new Map<Value, boolean>();
  /** Results of shared circuits that have exactly a value's bits. */
  private readonly results = new Map<Value, { readonly signal: string; readonly bits: number }>();

  private readonly usedBits = new UsedBits();

  /** Signals that are subtracted, and signals used unchanged: storing the complement of a register costs nothing. */
  private readonly complemented = new Set<string>();
  private readonly asTheyAre = new Set<string>();
  /** Rings with equal timing and length share a memory. */
  private readonly rings = new Map<string, Ring>();
  private readonly lines: RegisterLine[] = [];

  private readonly held: Held[] = [];
  /** Instance names of shared circuits, by value. */
  private readonly unitNames = new Map<Value, string>();

  constructor(context: ProcessContext) {
    this.c = context;
    const { process, module, prefix } = context;
    if (!process.computes)
      for (const variable of process.updates.keys())
        this.copies.set(variable, module.names.unique(`${prefix}_${variable.name}`));
  }

  /** The process's own register of a variable, or the kernel's. */
  private registerOf(variable: Variable): string {
    return this.copies.get(variable) ?? this.c.register(variable);
  }

  copiesOf(): ReadonlyMap<Variable, string> {
    return this.copies;
  }

  /** The values that its signals hold, for proofs; complete after `finish`. */
  heldOf(): readonly Held[] {
    return this.held;
  }

  unitsOf(): ReadonlyMap<Value, string> {
    return this.unitNames;
  }

  /** The valid bit of a cycle. */
  valid(cycle: number): string {
    return cycle === 0 ? `${this.c.prefix}_enter` : `${this.c.prefix}_valid${cycle}`;
  }

  /** High if an iteration is in a cycle; low in other cycles that are equal modulo the interval. Driven by registers. */
  private slotActive(cycle: number): string {
    const { prefix, scheduled } = this.c;
    if (cycle > 0) return this.valid(cycle);
    return scheduled.ii > 1 ? `(${prefix}_running & ${prefix}_slot)` : `${prefix}_running`;
  }

  /** Declares and computes all values. */
  values(): void {
    for (const value of this.c.process.values) this.value(value);
    for (const ring of this.rings.values()) ringText(this.c.module, (cycle) => this.valid(cycle), ring);
  }

  /** A value in a cycle, `bits` wide. */
  operand(value: Value, cycle: number, bits: number): string {
    if (value.op === "const") return literal(value.constant, bits);
    const { name, shape } = this.reference(value, cycle, bits);
    return resized(name, shape, bits);
  }

  /** Declares the registers between stages, after everything that reads them was written. */
  finish(): void {
    const { module, process, input } = this.c;
    for (const line of this.lines)
      registerLineText(module, this.valid(line.cycle), line, this.isComplemented(line.name));
    const inCommon = this.resultsInCommon();
    for (const [name, { value, from, last, bits }] of this.staged) {
      for (let cycle = from + 1; cycle <= last; cycle++) this.held.push({ value, cycle, signal: name, bits });
      if (inCommon.has(name)) continue;
      const { name: source, shape } = this.reference(value, from, bits);
      // A vector even for one bit, as others select its low bits by a range.
      const width = shapeOf(this.c.widths, value).bits === 1 ? "" : `[${bits - 1}:0] `;
      const next = resized(source, shape, bits);
      const when = last > from + 1 ? `if (${this.slotActive(from)}) ` : "";
      if (this.isComplemented(name)) {
        const complement = module.names.unique(`${name}_not`);
        module.declare(`reg ${width}${complement};`);
        module.declare(`wire ${width}${name};`);
        module.assign(name, `~${complement}`);
        module.clocked.push(`${when}${complement} <= ~${next};`);
        continue;
      }
      module.declare(`reg ${width}${name};`);
      module.clocked.push(`${when}${name} <= ${next};`);
    }
    for (const load of process.inputs)
      module.leave(input(load), this.registered.get(load) ?? 0, shapeOf(this.c.widths, load).bits);
    // Another process may use more bits of a value; an update may use only the operands of a choice.
    for (const [value, bits] of this.registered)
      if (!comesIn(value)) module.leave(this.nameOf(value), bits, shapeOf(this.c.widths, value).bits);
    this.usedBits.leaveOthers(module);
  }

  /**
   * Results of one circuit share registers, as many as are kept at the same time: while iterations are whole intervals
   * apart, what one keeps in some cycles of the interval does not meet what others keep there.
   */
  private resultsInCommon(): ReadonlySet<string> {
    const { module, process, interval } = this.c;
    const waiting: Waiting[] = [...this.staged].flatMap(([name, { value, from, last, bits }]) => {
      const unit = process.aligned ? this.results.get(value) : undefined;
      const isExact = unit !== undefined && unit.bits === bits && from === process.ready.get(value);
      return isExact && !this.isComplemented(name)
        ? [{ name, result: unit.signal, bits, takes: this.slotActive(from), from, until: last }]
        : [];
    });
    for (const { result, bits, users } of inRegisters(waiting, interval)) {
      const register = module.names.unique(`${result}_held`);
      module.declare(`reg ${range(bits)}${register};`);
      module.clocked.push(`if (${disjunction(users.map((u) => u.takes))}) ${register} <= ${result};`);
      for (const { name } of users) module.isSame(name, register);
    }
    return new Set(waiting.map(({ name }) => name));
  }

  /** The signal that holds a value in a cycle; bits `low` to `bits` will be read. */
  reference(value: Value, cycle: number, bits: number, low = 0): { name: string; shape: Shape } {
    const signal = this.signalOf(value, cycle, bits, low);
    const width = signal.shape.bits;
    if (value.op !== "const") this.usedBits.read(signal.name, width, low, Math.min(bits, width));
    return signal;
  }

  private signalOf(value: Value, cycle: number, bits: number, low: number): { name: string; shape: Shape } {
    const { process, widths, input } = this.c;
    if (isRenaming(this.c.widths, value)) {
      const from = this.reference(firstOf(value.args), cycle, bits, low);
      const to = widths.of(value);
      return from.shape.bits === to.bits ? { name: from.name, shape: to } : from;
    }
    if (value.op === "const") {
      const shape = widths.of(value);
      return { name: literal(value.constant, shape.bits), shape };
    }
    const ready = process.ready.get(value);
    const variable = value.variable as Variable;
    // A variable that this process does not change is stable.
    if (value.op === "read" && ready === undefined)
      return { name: this.c.register(variable), shape: widths.ofVariable(variable) };
    if (ready === undefined) throw new Error(`${this.nameOf(value)} is used where nothing computes it`);
    if (cycle < ready)
      throw new Error(`${this.nameOf(value)} is used in cycle ${cycle}, but made in ${ready}`);
    if (cycle === ready) {
      if (value.op === "read") return { name: this.registerOf(variable), shape: widths.ofVariable(variable) };
      const isInput = comesIn(value);
      this.registered.set(value, Math.max(bits, this.registered.get(value) ?? 0));
      return { name: isInput ? input(value) : this.nameOf(value), shape: shapeOf(this.c.widths, value) };
    }
    return { name: this.stage(value, cycle, bits), shape: shapeOf(this.c.widths, value) };
  }

  nameOf(value: Value): string {
    const known = this.names.get(value);
    if (known !== undefined) return known;
    const { module, prefix, scheduled } = this.c;
    const hint = scheduled.pipeline.graph.names.get(value) ?? value.hint ?? `t${value.id}`;
    const name = module.names.unique(prefix ? `${prefix}_${hint}` : hint);
    this.names.set(value, name);
    module.placed(name, value.loc);
    return name;
  }

  /** Whether all iterations of a run compute the same, from unchanged variables. */
  private isStill(value: Value): boolean {
    const known = this.still.get(value) ?? this.staysSame(value);
    this.still.set(value, known);
    return known;
  }

  private staysSame(value: Value): boolean {
    if (value.op === "const") return true;
    if (value.op === "read") return this.c.process.ready.get(value) === undefined;
    if (comesIn(value) || value.op === "delay" || value.op === "fetch") return false;
    return value.args.every((a) => this.isStill(a));
  }

  /** The register that carries a value to a later cycle than the one in which it was computed. */
  private stage(value: Value, cycle: number, bits: number): string {
    const { process, interval } = this.c;
    const ready = entryOf(process.ready, value);
    // A register keeps its value until the next iteration comes, so a constant value needs no further stages.
    const before = this.isStill(value) ? 0 : Math.max(1, Math.ceil((cycle - ready) / interval)) - 1;
    const from = before === 0 ? ready : ready + before * interval;
    const name = `${this.nameOf(value)}_at${from + 1}`;
    const needed = Math.min(bits, shapeOf(this.c.widths, value).bits);
    const known = this.staged.get(name);
    if (known) known.last = Math.max(known.last, cycle);
    // Earlier stages are at least as wide.
    if (known && known.bits >= needed) return name;
    if (known) known.bits = needed;
    else this.staged.set(name, { value, from, last: cycle, bits: needed });
    if (before > 0) this.stage(value, from, bits);
    return name;
  }

  private value(value: Value): void {
    if (value.op === "read" || isRenaming(this.c.widths, value)) return;
    const { module, process } = this.c;
    const ready = process.ready.get(value);
    if (ready !== undefined)
      this.held.push({
        value,
        cycle: ready,
        signal: this.nameOf(value),
        bits: shapeOf(this.c.widths, value).bits,
      });
    if (value.op === "delay") return this.delay(value);
    if (value.fetch) return this.fetch(value, value.fetch.ram);
    const cycle = entryOf(process.start, value);
    const { bits } = this.c.widths.of(value);
    const name = this.nameOf(value);
    const operator = process.operators.get(value);
    if (operator) return this.operator(operator, value, cycle, name);
    if (value.op === "div" || value.op === "rem") return divide(this, value, cycle);
    if (value.op === "table") return table(this, value, cycle);
    module.declare(`wire ${range(bits)}${name};`);
    module.assign(name, expressionText(this, value, cycle, bits));
  }

  private delay(value: Value): void {
    const { module, process } = this.c;
    const before = entryOf(process.delayed, value);
    const gap = gapOf(value, before);
    const { bits } = shapeOf(this.c.widths, value);
    const cycle = entryOf(process.start, value);
    const name = this.nameOf(value);
    const takes = Math.max(cycle, process.ready.get(before) ?? 0);
    const input = this.operand(before, takes, bits);
    if (gap > LONGEST_REGISTER_LINE) {
      module.declare(`wire ${range(bits)}${name};`);
      const key = `${cycle} ${takes} ${gap}`;
      const ring = this.rings.get(key) ?? { cycle, takes, gap, stages: [] };
      ring.stages.push({ name, bits, input });
      this.rings.set(key, ring);
      return;
    }
    this.lines.push({ name, bits, gap, input, cycle });
  }

  private fetch(value: Value, ram: Ram): void {
    const { module, process, rams } = this.c;
    const cycle = entryOf(process.start, value);
    const copy = entryOf(process.copies, value);
    const { bits } = this.c.widths.of(value);
    const name = this.nameOf(value);
    const address = this.operand(firstOf(value.args), cycle, addressBits(ram));
    module.declare(`wire ${range(bits)}${name};`);
    module.assign(name, rams.read(ram, copy, { valid: this.valid(cycle), address }, bits));
  }

  subtracts(signal: string): void {
    this.complemented.add(signal);
  }

  keeps(signal: string): void {
    this.asTheyAre.add(signal);
  }

  get module(): Module {
    return this.c.module;
  }

  get widths(): Widths {
    return this.c.widths;
  }

  /** Whether to store a signal's complement. */
  private isComplemented(name: string): boolean {
    return this.complemented.has(name) && !this.asTheyAre.has(name);
  }

  private operator({ operator, unit }: OperatorUse, value: Value, cycle: number, name: string): void {
    const { module, widths, units } = this.c;
    const { bits } = widths.of(value);
    const active = this.slotActive(cycle);
    const assign = (text: string) => {
      module.declare(`wire ${range(bits)}${name};`);
      module.assign(name, text);
    };
    if (!("graph" in operator)) {
      const operands = value.args.map((v) => this.extended(v, cycle, operator.width));
      const result = value.op === "div" ? "quotient" : "remainder";
      const shape = { bits: operator.width, signed: operator.signed };
      const outcome = { result, bits: Math.min(bits, operator.width) };
      const signal = units.use(operator, unit as number, { active, operands }, outcome);
      this.unitNames.set(value, signal.slice(0, -result.length - 1));
      return assign(resized(signal, shape, bits));
    }
    const { inputs, output } = operator;
    const factors =
      value.op === "mul" ? factorsOf(value, (v) => widths.of(v)).map((f) => f.value) : value.args;
    const operandOf = new Map(factors.map((operand, k) => ["abc"[k], operand]));
    const operands = inputs.map((input) =>
      this.extended(entryOf(operandOf, input.name), cycle, input.shape.bits),
    );
    const connect = (result: string) => assign(resized(result, output.shape, bits));
    if (unit !== undefined) {
      const signal = units.use(operator, unit, { active, operands }, { result: output.name, bits });
      this.unitNames.set(value, signal.slice(0, -output.name.length - 1));
      if (bits < output.shape.bits) return connect(signal);
      this.results.set(value, { signal, bits });
      return module.isSame(name, signal);
    }
    if (bits === output.shape.bits) {
      module.declare(`wire ${range(bits)}${name};`);
      return module.instance(...operatorInstance(operator, `${name}_unit`, operands, name));
    }
    const fullResult = `${name}_whole`;
    module.declare(`wire ${range(output.shape.bits)}${fullResult};`);
    module.leave(fullResult, bits, output.shape.bits);
    module.instance(...operatorInstance(operator, `${name}_unit`, operands, fullResult));
    connect(fullResult);
  }

  /** An operand extended to a circuit's width and also used elsewhere. */
  private extended(v: Value, cycle: number, bits: number): string {
    return v.op === "const" ? literal(interpret(v.constant, v.shape), bits) : this.operand(v, cycle, bits);
  }

  /** The cycle of an update, a request, a store, a write or a send. */
  when(event: Event): number {
    return entryOf(this.c.process.when, event);
  }
}
