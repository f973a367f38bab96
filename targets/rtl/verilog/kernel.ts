/**
 * A kernel as a Verilog module: registers for its variables, a controller that starts one pipeline after the
 * other, and each pipeline's processes with the FIFOs between them and memory.
 *
 * Memory is reached through one read port per load and one write port per group of stores, all valid-ready:
 * a read port sends an address and gets data back in order; a write port sends address and data and gets an
 * acknowledgement for each.
 */
import type { Send, Store, Value, Variable } from "../../../core/hw/graph.ts";
import type { CarriedDependence } from "../../../core/hw/memory.ts";
import type { HardwarePlan, Process, ScheduledPipeline, StorePort } from "../../../core/hw/process.ts";
import { wordQueue } from "../../../core/hw/words.ts";
import type { Loc } from "../../../core/lang/ast.ts";
import { Controller } from "./controller.ts";
import { Module, type Port } from "./module.ts";
import { ProcessText } from "./process.ts";
import { type StreamPort, startCommand } from "./streams.ts";
import { conjunction, disjunction, literal, range, resized, zeros } from "./text.ts";
import { SharedUnits } from "./units.ts";

export interface MemoryOptions {
  readonly addressBits: number;
  /** Reads that one port may have under way; a power of two. */
  readonly outstanding: number;
}

export interface ReadPort {
  readonly prefix: string;
  readonly bytes: number;
  readonly pipeline: number;
  readonly load: Value;
}

export interface WritePort {
  readonly prefix: string;
  readonly bytes: number;
  readonly pipeline: number;
  readonly port: StorePort;
}

/** An end of a channel: `_valid`, `_data` and `_ready` behind the prefix. */
export interface ChannelPort {
  readonly channel: string;
  readonly prefix: string;
  readonly bits: number;
  /** At the end that sends: values that it holds. */
  readonly depth: number;
}

export interface KernelArgument {
  readonly name: string;
  readonly bits: number;
  /** Of the value in the program; 0: it is a pointer. */
  readonly bytes: number;
  /** Which of the kernels that run together takes it. */
  readonly kernel: number;
}

export interface KernelModule {
  readonly name: string;
  readonly text: string;
  readonly ports: readonly Port[];
  readonly reads: readonly ReadPort[];
  readonly writes: readonly WritePort[];
  /** Ports of both kinds that pass elements without addresses. */
  readonly streams: readonly StreamPort[];
  readonly sends: readonly ChannelPort[];
  readonly receives: readonly ChannelPort[];
  /** Port of each argument. */
  readonly arguments: readonly KernelArgument[];
  /** Per pipeline: the output that is high in the cycle in which it starts, and when an iteration enters. */
  readonly probes: readonly { readonly start: string; readonly enter: string }[];
  /** Where the source makes what signals hold, by their names; of a pipeline, its loop. */
  readonly places: ReadonlyMap<string, Loc>;
}

/** `depths`: values that the channels hold which the kernel fills. */
export function kernelModule(
  plan: HardwarePlan,
  memory: MemoryOptions,
  depths: ReadonlyMap<string, number> = new Map(),
): KernelModule {
  return new Kernel(plan, memory, depths).make();
}

/** The uses of a channel by a kernel's pipelines. */
interface ChannelUse extends ChannelPort {
  /** An iteration that takes from it, or may hand on to it, enters. */
  readonly enters: string[];
  /** An iteration does not hand on, as it could have. */
  readonly skips: string[];
  /** When a value is handed on, and which. */
  readonly pushes: (readonly [condition: string, data: string])[];
}

interface Placed {
  readonly process: Process;
  readonly prefix: string;
  readonly text: ProcessText;
  /** Conditions for an iteration to enter. */
  readonly ready: string[];
  /** Signals that show that something is under way. */
  readonly busy: string[];
}

/** An input of kernels: no two pointers that they are given lead into the same memory. Stable while they run. */
export const apartSignal = "apart";

export const asksApart = ({ ports }: { readonly ports: readonly Port[] }): boolean =>
  ports.some(({ name }) => name === apartSignal);

class Kernel {
  private readonly plan: HardwarePlan;
  private readonly memory: MemoryOptions;
  private readonly module: Module;
  private readonly units: SharedUnits;
  private readonly registers = new Map<Variable, string>();
  /** Conditional assignments to the kernel's registers, by register. */
  private readonly writers = new Map<Variable, [condition: string, value: string][]>();
  private readonly reads: ReadPort[] = [];
  private readonly writes: WritePort[] = [];
  private readonly streams: StreamPort[] = [];
  private readonly sends = new Map<string, ChannelUse>();
  private readonly receives = new Map<string, ChannelUse>();
  private readonly depths: ReadonlyMap<string, number>;

  constructor(plan: HardwarePlan, memory: MemoryOptions, depths: ReadonlyMap<string, number>) {
    this.plan = plan;
    this.memory = memory;
    this.depths = depths;
    this.module = new Module(plan.region.name);
    this.units = new SharedUnits(this.module);
  }

  make(): KernelModule {
    const { module, plan } = this;
    module.names.reserve(["unused", "state", "fresh"]);
    const dependences = plan.pipelines.flatMap(({ pipeline }) => pipeline.loop?.memory ?? []);
    const asks = dependences.some(({ unlessApart }) => unlessApart);
    for (const name of ["clk", "rst", "start", ...(asks ? [apartSignal] : [])])
      module.port({ direction: "input", bits: 1, name });
    module.port({ direction: "output", bits: 1, name: "done", register: true });
    const given = plan.region.arguments.map((variable) => {
      const name = module.port({
        direction: "input",
        bits: variable.shape.bits,
        name: `arg_${variable.name}`,
      });
      return { variable, name, bits: variable.shape.bits };
    });
    const updated = new Set(
      plan.pipelines.flatMap((p) => p.processes.flatMap((x) => (x.computes ? [...x.updates.keys()] : []))),
    );
    for (const { variable, name } of given) {
      if (!updated.has(variable)) this.registers.set(variable, name);
      else this.writers.set(variable, [["start", name]]);
    }
    const controller = new Controller(module, plan.region.control, (v) => this.register(v));
    const probes = plan.pipelines.map((scheduled, k) => {
      const start = controller.startOf(scheduled.pipeline);
      const enter = this.pipeline(scheduled, k, start, controller);
      const probe = (what: string, signal: string) => {
        const name = module.port({
          direction: "output",
          bits: 1,
          name: `${scheduled.pipeline.name}_${what}`,
        });
        module.assign(name, signal);
        return name;
      };
      return { start: probe("started", start), enter: probe("issues", enter) };
    });
    this.units.finish();
    controller.finish();
    for (const use of this.receives.values()) module.assign(`${use.prefix}_ready`, disjunction(use.enters));
    for (const use of this.sends.values()) this.sending(use);
    for (const [variable, list] of this.writers) {
      const name = this.register(variable);
      module.always(
        list.flatMap(([condition, value], k) => [
          `${k > 0 ? "else " : ""}if (${condition}) ${name} <= ${value};`,
        ]),
      );
    }
    return {
      name: plan.region.name,
      text: module.text(),
      ports: module.portList(),
      places: module.places,
      reads: this.reads,
      writes: this.writes,
      streams: this.streams,
      sends: [...this.sends.values()],
      receives: [...this.receives.values()],
      arguments: given.map(({ variable, name, bits }) => ({
        name,
        bits,
        bytes: variable.pointer === true ? 0 : Math.ceil(bits / 8),
        kernel: 0,
      })),
      probes,
    };
  }

  private register(variable: Variable): string {
    const known = this.registers.get(variable);
    if (known !== undefined) return known;
    const name = this.module.names.unique(variable.name);
    this.registers.set(variable, name);
    this.module.declare(`reg ${range(this.plan.widths.ofVariable(variable).bits)}${name};`);
    return name;
  }

  // ---------------------------------------------------------------- one pipeline

  /** Gives the signal that is high when an iteration enters the computation. */
  private pipeline(
    scheduled: ScheduledPipeline,
    index: number,
    start: string,
    controller: Controller,
  ): string {
    const { pipeline, processes } = scheduled;
    const { module } = this;
    module.placed(pipeline.name, pipeline.loc);
    module.names.reserve(["open", "group", "settled", "quiet", "start"].map((n) => `${pipeline.name}_${n}`));
    const placed = processes.map((process): Placed => {
      const suffix = process.computes ? "" : process.level === 0 ? "_fetch" : `_fetch${process.level}`;
      const prefix = `${pipeline.name}${suffix}`;
      module.names.reserve(
        ["running", "ready", "enter", "wait", "slot", "more"].map((n) => `${prefix}_${n}`),
      );
      module.names.reserve(Array.from({ length: process.depth + 1 }, (_, k) => `${prefix}_valid${k}`));
      for (const load of process.inputs) {
        const here = `${prefix}_${this.inputName(scheduled, load)}`;
        module.names.reserve([
          here,
          ...["valid", "flight", "known", "real", "order", "fifo"].map((n) => `${here}_${n}`),
        ]);
      }
      const text = new ProcessText({
        module,
        widths: this.plan.widths,
        scheduled,
        process,
        prefix,
        register: (variable) => this.register(variable),
        input: (of) => `${prefix}_${this.inputName(scheduled, of)}`,
        active: () => controller.activeOf(pipeline),
        units: this.units,
      });
      return { process, prefix, text, ready: [], busy: [] };
    });
    for (const p of placed) this.entry(p, scheduled, start);
    for (const p of placed) p.text.values();
    for (const p of placed) {
      for (const load of p.process.requests) this.request(p, placed, scheduled, index, load);
      for (const load of p.process.inputs) this.readStream(p, scheduled, index, load, start);
      for (const port of p.process.stores)
        if (!this.writeStream(p, scheduled, index, port, start)) this.store(p, scheduled, index, port);
      for (const input of p.process.inputs) if (input.op === "receive") this.receive(p, scheduled, input);
      for (const send of p.process.sends) this.send(p, send);
      this.updates(p, start);
      p.text.finish();
    }
    if (pipeline.loop?.memory) this.interlock(placed, pipeline.loop.memory, start, pipeline.name);
    for (const p of placed) module.assign(`${p.prefix}_ready`, conjunction(p.ready));
    controller.quiet(pipeline, `~(${disjunction(placed.flatMap((p) => p.busy))})`);
    return `${(placed.at(-1) as Placed).prefix}_enter`;
  }

  private inputName(scheduled: ScheduledPipeline, load: Value): string {
    if (load.op === "receive") return load.channel as string;
    const all = scheduled.pipeline.graph.values.filter((v) => v.op === "load" && v.hint === load.hint);
    return all.length === 1 ? `${load.hint}` : `${load.hint}${all.indexOf(load)}`;
  }

  /** When iterations enter, and the bits that say in which cycles there are any. */
  private entry(
    { process, prefix, text, busy }: Placed,
    { pipeline, ii }: ScheduledPipeline,
    start: string,
  ): void {
    const { module } = this;
    const looping = pipeline.loop !== undefined;
    module.declare(`reg ${prefix}_running;`);
    for (const signal of ["ready", "enter"]) module.declare(`wire ${prefix}_${signal};`);
    const terms = [`${prefix}_running`];
    if (ii > 1) {
      const bits = Math.ceil(Math.log2(ii));
      module.declare(`reg ${range(bits)}${prefix}_wait;`);
      module.declare(`wire ${prefix}_slot;`);
      module.assign(`${prefix}_slot`, `${prefix}_wait == ${zeros(bits)}`);
      module.always([
        `if (rst) ${prefix}_wait <= ${zeros(bits)};`,
        `else if (${prefix}_enter) ${prefix}_wait <= ${literal(BigInt(ii - 1), bits)};`,
        `else if (~${prefix}_slot) ${prefix}_wait <= ${prefix}_wait - ${literal(1n, bits)};`,
      ]);
      if (looping) terms.push(`${prefix}_slot`);
    }
    let ends = `${prefix}_enter`;
    if (pipeline.loop) {
      module.declare(`wire ${prefix}_more;`);
      module.assign(`${prefix}_more`, text.operand(pipeline.loop.more, 0, 1));
      ends = conjunction([...terms, `~${prefix}_more`]);
      terms.push(`${prefix}_more`);
    }
    module.assign(`${prefix}_enter`, conjunction([...terms, `${prefix}_ready`]));
    module.always([
      `if (rst) ${prefix}_running <= 1'b0;`,
      `else if (${start}) ${prefix}_running <= 1'b1;`,
      `else if (${ends}) ${prefix}_running <= 1'b0;`,
    ]);
    busy.push(`${prefix}_running`);
    for (let cycle = 1; cycle <= process.depth; cycle++) {
      module.declare(`reg ${text.valid(cycle)};`);
      busy.push(text.valid(cycle));
    }
    if (process.depth > 0) {
      const cycles = Array.from({ length: process.depth }, (_, k) => k + 1);
      module.always([
        "if (rst) begin",
        ...cycles.map((c) => `  ${text.valid(c)} <= 1'b0;`),
        "end else begin",
        ...cycles.map((c) => `  ${text.valid(c)} <= ${text.valid(c - 1)};`),
        "end",
      ]);
    }
  }

  private updates({ process, text }: Placed, start: string): void {
    const copies = text.copiesOf();
    for (const [variable, cases] of process.updates) {
      const { bits } = this.plan.widths.ofVariable(variable);
      const cycle = text.when(variable);
      const valid = text.valid(cycle);
      const writes = cases.map(({ guard, holds, value }): [condition: string, value: string] => {
        const test = guard && text.operand(guard, cycle, 1);
        const when = test === undefined ? [valid] : [valid, holds ? test : `~${test}`];
        return [conjunction(when), text.operand(value, cycle, bits)];
      });
      const copy = copies.get(variable);
      this.module.placed(copy ?? this.register(variable), cases[0]?.value.loc);
      if (copy === undefined) {
        this.writers.set(variable, [...(this.writers.get(variable) ?? []), ...writes]);
        continue;
      }
      this.module.declare(`reg ${range(bits)}${copy};`);
      this.module.always([
        `if (${start}) ${copy} <= ${this.register(variable)};`,
        ...writes.map(([condition, next]) => `else if (${condition}) ${copy} <= ${next};`),
      ]);
    }
  }

  // ---------------------------------------------------------------- memory

  private request(
    from: Placed,
    placed: readonly Placed[],
    scheduled: ScheduledPipeline,
    pipeline: number,
    load: Value,
  ): void {
    const { module, memory } = this;
    const { addressBits } = memory;
    const depth = Math.ceil(Math.log2(memory.outstanding));
    const [address, guard] = load.args as [Value, Value];
    const cycle = from.text.when(load);
    const bytes = load.memory?.bytes as number;
    const name = module.names.unique(`${scheduled.pipeline.name}_${this.inputName(scheduled, load)}_port`);
    const port = (direction: Port["direction"], what: string, bits: number) =>
      module.port({ direction, bits, name: `${name}_${what}` });
    const valid = port("output", "read_valid", 1);
    const sent = port("output", "read_address", addressBits);
    const ready = port("input", "read_ready", 1);
    const arrives = port("input", "data_valid", 1);
    const data = port("input", "data", bytes * 8);
    this.reads.push({ prefix: name, bytes, pipeline, load });
    const always = guard.op === "const";
    const real = always ? undefined : from.text.operand(guard, cycle, 1);
    const push = conjunction([from.text.valid(cycle), ...(real === undefined ? [] : [real])]);
    // Room for what is on its way to the queue, so that requests may go out in every cycle.
    const room = Math.max(1, Math.ceil(Math.log2(cycle + 2)));
    module.declare(`reg ${range(room + 1)}${name}_asked;`);
    const bit = (signal: string) => `{${zeros(room)}, ${signal}}`;
    const skipped = real === undefined ? "" : ` - ${bit(`${from.text.valid(cycle)} & ~${real}`)}`;
    module.always([
      `if (rst) ${name}_asked <= ${zeros(room + 1)};`,
      `else ${name}_asked <= ${name}_asked + ${bit(`${from.prefix}_enter`)} - ${bit(`${valid} & ${ready}`)}${skipped};`,
    ]);
    from.ready.push(`~${name}_asked[${room}]`);
    module.instance("arc_queue", { WIDTH: addressBits, LOG2: room }, `${name}_addresses`, {
      clk: "clk",
      rst: "rst",
      push,
      in: from.text.operand(address, cycle, addressBits),
      pop: ready,
      out: sent,
      valid,
    });
    const { bits } = this.plan.widths.of(load);
    module.leave(data, bits, bytes * 8);
    for (const to of placed.filter((p) => p.process.inputs.includes(load))) {
      const here = `${to.prefix}_${this.inputName(scheduled, load)}`;
      for (const [signal, width] of [
        ["", bits],
        ["_valid", 1],
      ] as const)
        module.declare(`wire ${range(width)}${here}${signal};`);
      module.declare(`reg ${range(depth + 1)}${here}_flight;`);
      let pop = `${to.prefix}_enter`;
      if (always) to.ready.push(`${here}_valid`);
      else {
        for (const signal of ["known", "real"]) module.declare(`wire ${here}_${signal};`);
        module.instance("arc_queue", { WIDTH: 1, LOG2: depth }, `${here}_order`, {
          clk: "clk",
          rst: "rst",
          push: from.text.valid(cycle),
          in: real as string,
          pop: `${to.prefix}_enter`,
          out: `${here}_real`,
          valid: `${here}_known`,
        });
        to.ready.push(`${here}_known`, `(${here}_valid | ~${here}_real)`);
        pop = `${to.prefix}_enter & ${here}_real`;
      }
      module.instance("arc_fifo", { WIDTH: bits, LOG2: depth }, `${here}_fifo`, {
        clk: "clk",
        rst: "rst",
        push: arrives,
        in: resized(data, { bits: bytes * 8, signed: false }, bits),
        pop,
        out: here,
        valid: `${here}_valid`,
      });
      const one = (signal: string) => `{${zeros(depth)}, ${signal}}`;
      module.always([
        `if (rst) ${here}_flight <= ${zeros(depth + 1)};`,
        `else ${here}_flight <= ${here}_flight + ${one(`${from.prefix}_enter`)} - ${one(`${to.prefix}_enter`)};`,
      ]);
      from.ready.push(`~${here}_flight[${depth}]`);
    }
  }

  /** A load from consecutive elements: the port counts addresses. */
  private readStream(
    to: Placed,
    scheduled: ScheduledPipeline,
    pipeline: number,
    load: Value,
    start: string,
  ): void {
    const stream = scheduled.pipeline.graph.streams.get(load);
    if (!stream) return;
    const { module, memory } = this;
    const bytes = load.memory?.bytes as number;
    const beats = stream.beats as Value;
    const beatsBits = Math.min(memory.addressBits, this.plan.widths.of(beats).bits);
    const here = `${to.prefix}_${this.inputName(scheduled, load)}`;
    const prefix = module.names.unique(`${scheduled.pipeline.name}_${this.inputName(scheduled, load)}_port`);
    startCommand(module, prefix, start, [
      {
        name: "address",
        bits: memory.addressBits,
        value: to.text.operand(stream.address, 0, memory.addressBits),
      },
      { name: "beats", bits: beatsBits, value: to.text.operand(beats, 0, beatsBits) },
    ]);
    const valid = module.port({ direction: "input", bits: 1, name: `${prefix}_data_valid` });
    const data = module.port({ direction: "input", bits: bytes * 8, name: `${prefix}_data` });
    const ready = module.port({ direction: "output", bits: 1, name: `${prefix}_data_ready` });
    const { bits } = this.plan.widths.of(load);
    module.leave(data, bits, bytes * 8);
    module.declare(`wire ${range(bits)}${here};`);
    module.assign(here, resized(data, { bits: bytes * 8, signed: false }, bits));
    const guard = load.args[1] as Value;
    const wanted = guard.op === "const" ? undefined : to.text.operand(guard, 0, 1);
    to.ready.push(wanted === undefined ? valid : `(${valid} | ~${wanted})`);
    module.assign(ready, conjunction([`${to.prefix}_enter`, ...(wanted === undefined ? [] : [wanted])]));
    this.reads.push({ prefix, bytes, pipeline, load });
    this.streams.push({ prefix, direction: "read", beatsBits });
  }

  /** Stores to consecutive elements; false where these are none. */
  private writeStream(
    from: Placed,
    scheduled: ScheduledPipeline,
    pipeline: number,
    port: StorePort,
    start: string,
  ): boolean {
    const store = port.stores[0] as Store;
    const stream = scheduled.pipeline.graph.streams.get(store);
    if (!stream) return false;
    const { module, memory } = this;
    const { bytes } = store.memory;
    const prefix = module.names.unique(`${scheduled.pipeline.name}_${store.memory.name}_port`);
    const command = startCommand(module, prefix, start, [
      {
        name: "address",
        bits: memory.addressBits,
        value: from.text.operand(stream.address, 0, memory.addressBits),
      },
    ]);
    const valid = module.port({ direction: "output", bits: 1, name: `${prefix}_word_valid` });
    const word = module.port({ direction: "output", bits: bytes * 8, name: `${prefix}_word` });
    const ready = module.port({ direction: "input", bits: 1, name: `${prefix}_word_ready` });
    const settled = module.port({ direction: "input", bits: 1, name: `${prefix}_settled` });
    this.writes.push({ prefix, bytes, pipeline, port });
    this.streams.push({ prefix, direction: "write", beatsBits: 0 });
    const cycle = from.text.when(store);
    const always = store.guard.op === "const";
    const guard = always ? undefined : from.text.operand(store.guard, cycle, 1);
    const { depth, storage } = wordQueue(bytes * 8, cycle, scheduled.ii);
    const [queue, size] =
      storage === "ram"
        ? (["arc_fifo", { LOG2: Math.log2(depth) }] as const)
        : (["arc_shift_queue", { DEPTH: depth }] as const);
    module.instance(queue, { WIDTH: bytes * 8, ...size }, `${prefix}_words`, {
      clk: "clk",
      rst: "rst",
      push: conjunction([from.text.valid(cycle), ...(guard === undefined ? [] : [guard])]),
      in: from.text.operand(store.data, cycle, bytes * 8),
      pop: ready,
      out: word,
      valid,
    });
    const bits = Math.ceil(Math.log2(depth + 1));
    const flight = `${prefix}_flight`;
    module.declare(`reg ${range(bits)}${flight};`);
    const one = (signal: string) => `{${zeros(bits - 1)}, ${signal}}`;
    // What does not store is not counted, or as long as it takes to know.
    const early = guard !== undefined && (from.process.ready.get(store.guard) ?? 0) === 0;
    const comes = early
      ? `${from.prefix}_enter & ${from.text.operand(store.guard, 0, 1)}`
      : `${from.prefix}_enter`;
    const skipped = guard === undefined || early ? "" : ` - ${one(`${from.text.valid(cycle)} & ~${guard}`)}`;
    module.always([
      `if (rst) ${flight} <= ${zeros(bits)};`,
      `else ${flight} <= ${flight} + ${one(comes)} - ${one(`${valid} & ${ready}`)}${skipped};`,
    ]);
    from.ready.push(`(${flight} != ${literal(BigInt(depth), bits)})`);
    from.busy.push(command, `(${flight} != ${zeros(bits)})`, `~${settled}`);
    return true;
  }

  private store(from: Placed, scheduled: ScheduledPipeline, pipeline: number, { stores }: StorePort): void {
    const { module, memory } = this;
    const { addressBits } = memory;
    const first = stores[0] as Store;
    const count = stores.length;
    const bytes = Math.max(...stores.map((s) => s.memory.bytes));
    if (stores.some((s) => s.memory.bytes !== bytes)) throw new Error("stores of several sizes share a port");
    const name = module.names.unique(`${scheduled.pipeline.name}_${first.memory.name}_port`);
    const port = (direction: Port["direction"], what: string, bits: number) =>
      module.port({ direction, bits, name: `${name}_${what}` });
    const valid = port("output", "write_valid", 1);
    const address = port("output", "write_address", addressBits);
    const data = port("output", "write_data", bytes * 8);
    const ready = port("input", "write_ready", 1);
    const arrived = port("input", "write_done", 1);
    this.writes.push({ prefix: name, bytes, pipeline, port: { stores } });
    const last = Math.max(...stores.map((s) => from.text.when(s)));
    const depth = Math.ceil(Math.log2(storeDepth(count, last, scheduled.ii, memory)));
    const width = addressBits + bytes * 8;
    const pushes = stores.map((s) => {
      const cycle = from.text.when(s);
      const always = s.guard.op === "const";
      const guard = always ? undefined : from.text.operand(s.guard, cycle, 1);
      return {
        push: conjunction([from.text.valid(cycle), ...(guard === undefined ? [] : [guard])]),
        skip: guard === undefined ? undefined : `${from.text.valid(cycle)} & ~${guard}`,
        word: `{${from.text.operand(s.address, cycle, addressBits)}, ${from.text.operand(s.data, cycle, bytes * 8)}}`,
      };
    });
    module.declare(`wire ${range(width)}${name}_word;`);
    const [only] = pushes as [(typeof pushes)[0]];
    const word = pushes
      .slice(0, -1)
      .reduceRight((rest, p) => `(${p.push}) ? ${p.word} : ${rest}`, (pushes.at(-1) ?? only).word);
    module.instance("arc_fifo", { WIDTH: width, LOG2: depth }, `${name}_words`, {
      clk: "clk",
      rst: "rst",
      push: count === 1 ? only.push : disjunction(pushes.map((p) => `(${p.push})`)),
      in: word,
      pop: ready,
      out: `${name}_word`,
      valid,
    });
    module.assign(address, `${name}_word[${width - 1}:${bytes * 8}]`);
    module.assign(data, `${name}_word[${bytes * 8 - 1}:0]`);
    const bits = depth + 1;
    module.declare(`reg ${range(bits)}${name}_flight;`);
    const extended = (signal: string) => (bits === 1 ? signal : `{${zeros(bits - 1)}, ${signal}}`);
    const less = [arrived, ...pushes.flatMap((p) => (p.skip === undefined ? [] : [p.skip]))];
    module.always([
      `if (rst) ${name}_flight <= ${zeros(bits)};`,
      `else ${name}_flight <= ${name}_flight + (${from.prefix}_enter ? ${literal(BigInt(count), bits)} : ${zeros(bits)})${less.map((s) => ` - ${extended(s)}`).join("")};`,
    ]);
    from.ready.push(`(${name}_flight <= ${literal(BigInt(2 ** depth - count), bits)})`);
    from.busy.push(`(${name}_flight != ${zeros(bits)})`);
  }

  // ---------------------------------------------------------------- channels

  private receiving(value: Value): ChannelUse {
    const channel = value.channel as string;
    const known = this.receives.get(channel);
    if (known) return known;
    const use = this.channel(channel, value.shape.bits, "input");
    this.receives.set(channel, use);
    return use;
  }

  private channel(channel: string, bits: number, towards: "input" | "output"): ChannelUse {
    const prefix = this.module.names.unique(channel);
    this.module.names.reserve(["full", "flight", "queue"].map((n) => `${prefix}_${n}`));
    const back = towards === "input" ? "output" : "input";
    this.module.port({ direction: towards, bits: 1, name: `${prefix}_valid` });
    this.module.port({ direction: towards, bits, name: `${prefix}_data` });
    this.module.port({ direction: back, bits: 1, name: `${prefix}_ready` });
    const depth = 2 ** Math.ceil(Math.log2(Math.max(2, this.depths.get(channel) ?? 2)));
    return { channel, prefix, bits, enters: [], skips: [], pushes: [], depth };
  }

  private receive(to: Placed, scheduled: ScheduledPipeline, value: Value): void {
    const { module } = this;
    const use = this.receiving(value);
    const here = `${to.prefix}_${this.inputName(scheduled, value)}`;
    const { bits } = this.plan.widths.of(value);
    module.declare(`wire ${range(bits)}${here};`);
    module.assign(here, resized(`${use.prefix}_data`, { bits: use.bits, signed: false }, bits));
    module.leave(`${use.prefix}_data`, bits, use.bits);
    const guard = value.args[0] as Value;
    const wanted = guard.op === "const" ? undefined : to.text.operand(guard, 0, 1);
    use.enters.push(wanted === undefined ? `${to.prefix}_enter` : `(${to.prefix}_enter & ${wanted})`);
    to.ready.push(wanted === undefined ? `${use.prefix}_valid` : `(${use.prefix}_valid | ~${wanted})`);
  }

  private send(from: Placed, send: Send): void {
    const { bits } = send.data.shape;
    const use = this.sends.get(send.channel) ?? this.channel(send.channel, bits, "output");
    this.sends.set(send.channel, use);
    const cycle = from.text.when(send);
    use.enters.push(`${from.prefix}_enter`);
    const always = send.guard.op === "const";
    const valid = from.text.valid(cycle);
    const guard = from.text.operand(send.guard, cycle, 1);
    use.pushes.push([always ? valid : `(${valid} & ${guard})`, from.text.operand(send.data, cycle, bits)]);
    if (!always) use.skips.push(`(${valid} & ~${guard})`);
    from.ready.push(`~${use.prefix}_full`);
  }

  /** The queue of a channel stands where it is filled: iterations enter while there is room for what they make. */
  private sending({ prefix, bits, enters, skips, pushes, depth }: ChannelUse): void {
    const { module } = this;
    const log2 = Math.log2(depth);
    module.declare(`wire ${prefix}_full;`);
    module.declare(`reg ${range(log2 + 1)}${prefix}_flight;`);
    const one = (signal: string) => `{${zeros(log2)}, ${signal}}`;
    const enter = disjunction(enters);
    const taken = `${prefix}_valid & ${prefix}_ready`;
    module.assign(`${prefix}_full`, `${prefix}_flight[${log2}]`);
    module.always([
      `if (rst) ${prefix}_flight <= ${zeros(log2 + 1)};`,
      `else ${prefix}_flight <= ${prefix}_flight + ${one(enter)} - ${one(taken)}${skips.length > 0 ? ` - ${one(disjunction(skips))}` : ""};`,
    ]);
    const chosen = pushes
      .slice(1)
      .reduce((rest, [condition, data]) => `(${condition}) ? ${data} : ${rest}`, pushes[0]?.[1] ?? "");
    module.instance("arc_fifo", { WIDTH: bits, LOG2: log2 }, `${prefix}_queue`, {
      clk: "clk",
      rst: "rst",
      push: disjunction(pushes.map(([condition]) => condition)),
      in: chosen,
      pop: taken,
      out: `${prefix}_data`,
      valid: `${prefix}_valid`,
    });
  }

  /** Iterations enter in groups of `distance`; the next group waits until the stores of the last have arrived. */
  private interlock(
    placed: readonly Placed[],
    { distance, unlessApart }: CarriedDependence,
    start: string,
    pipeline: string,
  ): void {
    const { module } = this;
    const [first] = placed as [Placed];
    const last = placed.at(-1) as Placed;
    const bits = Math.ceil(Math.log2(distance + 1));
    const open = `${pipeline}_open`;
    const group = `${pipeline}_group`;
    const wide = 16;
    module.declare(`reg ${range(bits)}${group};`);
    module.declare(`reg ${range(wide)}${open};`);
    const one = (signal: string) => `{${zeros(wide - 1)}, ${signal}}`;
    const retires = last.text.valid(last.process.depth);
    const stores = last.busy.filter((b) => b.includes("_flight"));
    module.always([
      `if (rst) ${open} <= ${zeros(wide)};`,
      `else ${open} <= ${open} + ${one(`${first.prefix}_enter`)} - ${one(retires)};`,
    ]);
    module.declare(`wire ${pipeline}_settled;`);
    module.assign(`${pipeline}_settled`, `~(${disjunction([`(${open} != ${zeros(wide)})`, ...stores])})`);
    const full = `${group} == ${literal(BigInt(distance), bits)}`;
    module.always([
      `if (rst | ${start}) ${group} <= ${zeros(bits)};`,
      `else if (${first.prefix}_enter) ${group} <= ${group} + ${literal(1n, bits)};`,
      `else if ((${full}) & ${pipeline}_settled) ${group} <= ${zeros(bits)};`,
    ]);
    const opened = `${group} != ${literal(BigInt(distance), bits)}`;
    first.ready.push(unlessApart ? `((${opened}) | ${apartSignal})` : `(${opened})`);
  }
}

/** Words that a store FIFO must hold so that iterations can enter every `ii` cycles. */
export function storeDepth(count: number, cycle: number, ii: number, memory: MemoryOptions): number {
  const inFlight = Math.ceil((cycle + memory.outstanding) / ii) + 1;
  return 2 ** Math.ceil(Math.log2(Math.max(2, count * inFlight)));
}
