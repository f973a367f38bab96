/**
 * A kernel as a Verilog module: registers for its variables, a controller that starts one pipeline after the other, and
 * each pipeline's processes with the FIFOs between them and memory.
 *
 * Memory is accessed through one read port per load and one write port per group of stores, all valid-ready: a read
 * port sends an address and gets data back in order; a write port sends address and data and gets an acknowledgement
 * for each.
 */

import { lastOf } from "../../../../core/checked/access.ts";
import type { HardwarePlan, ScheduledPipeline } from "../../../../core/hw/binding/process.ts";
import type { Variable } from "../../../../core/hw/dfg/value.ts";
import { underWay } from "../../../../core/hw/schedule/predict.ts";
import { Channels } from "../pipeline/channels.ts";
import { Controller } from "../pipeline/controller.ts";
import { entry } from "../pipeline/entry.ts";
import { apartSignal, interlock } from "../pipeline/interlock.ts";
import type { KernelModule, ProcessSignals } from "../pipeline/kernel-module.ts";
import {
  inputName,
  type MemoryOptions,
  type MemoryPorts,
  type PipelineText,
  type Placed,
} from "../pipeline/pipeline.ts";
import { ProcessText } from "../pipeline/process.ts";
import { LocalRams } from "../pipeline/rams.ts";
import { SharedUnits } from "../pipeline/units.ts";
import { Module } from "../text/module.ts";
import { conjunction, disjunction, range } from "../text/text.ts";
import { readStream, request } from "./loads.ts";
import { store, writeStream } from "./stores.ts";

/** Latency of memory in cycles up to which iterations never wait for space in queues. */
const QUICK_MEMORY = 8;

/** `depths`: depths of the channels that the kernel fills. */
export function kernelModule(
  plan: HardwarePlan,
  memory: MemoryOptions,
  depths: ReadonlyMap<string, number> = new Map(),
): KernelModule {
  return new Kernel(plan, memory, depths).make();
}

class Kernel {
  private readonly plan: HardwarePlan;
  private readonly memory: MemoryOptions;
  private readonly module: Module;
  private readonly units: SharedUnits;
  private readonly rams: LocalRams;
  private readonly registers = new Map<Variable, string>();
  /** Conditional assignments to the kernel's registers, by variable. */
  private readonly writers = new Map<Variable, [condition: string, value: string][]>();
  private readonly ports: MemoryPorts = { reads: [], writes: [], streams: [] };
  private readonly channels: Channels;
  private readonly placed: (Placed & { readonly scheduled: ScheduledPipeline })[] = [];

  constructor(plan: HardwarePlan, memory: MemoryOptions, depths: ReadonlyMap<string, number>) {
    this.plan = plan;
    this.memory = memory;
    this.module = new Module(plan.region.name);
    this.channels = new Channels(this.module, depths);
    this.units = new SharedUnits(this.module);
    this.rams = new LocalRams(this.module, plan.widths);
  }

  make(): KernelModule {
    const { module, plan } = this;
    module.names.reserve(["unused", "state", "fresh"]);
    const dependences = plan.pipelines.flatMap(({ pipeline }) => pipeline.loop?.memory ?? []);
    const needsApart = dependences.some(({ unlessApart }) => unlessApart);
    for (const name of ["clk", "rst", "start", ...(needsApart ? [apartSignal] : [])])
      module.port({ direction: "input", bits: 1, name });
    module.port({ direction: "output", bits: 1, name: "done", register: true });
    const parameters = plan.region.arguments.map((variable) => {
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
    for (const { variable, name } of parameters) {
      if (!updated.has(variable)) this.registers.set(variable, name);
      else this.writers.set(variable, [["start", name]]);
    }
    const controller = new Controller(module, plan.region.control, (v) => this.register(v));
    const probes = plan.pipelines.map((scheduled, k) => {
      const start = controller.startOf(scheduled.pipeline);
      const enter = this.pipeline(scheduled, k, start, controller);
      const probe = (signalName: string, signal: string) => {
        const name = module.port({
          direction: "output",
          bits: 1,
          name: `${scheduled.pipeline.name}_${signalName}`,
        });
        module.assign(name, signal);
        return name;
      };
      return { start: probe("started", start), enter: probe("issues", enter) };
    });
    this.units.finish();
    this.rams.finish();
    controller.finish();
    this.channels.finish();
    for (const [variable, list] of this.writers) {
      const name = this.register(variable);
      module.always(
        list.flatMap(([condition, value], k) => [
          `${k > 0 ? "else " : ""}if (${condition}) ${name} <= ${value};`,
        ]),
      );
    }
    for (const { name, bits } of parameters) module.leaveUnread(name, bits);
    return {
      name: plan.region.name,
      text: module.text(),
      ports: module.portList(),
      locations: module.locations,
      processes: this.placed.map((p) => this.signalsOf(p)),
      ...this.ports,
      sends: this.channels.sends,
      receives: this.channels.receives,
      arguments: parameters.map(({ variable, name, bits }) => ({
        name,
        bits,
        bytes: variable.pointer === true ? 0 : Math.ceil(bits / 8),
        kernel: 0,
      })),
      probes,
    };
  }

  private signalsOf({ scheduled, process, prefix, text }: (typeof this.placed)[0]): ProcessSignals {
    return {
      scheduled,
      process,
      prefix,
      valid: (cycle) => text.valid(cycle),
      held: text.heldOf().map((held) => ({ ...held, signal: this.module.nameOf(held.signal) })),
      registers: new Map([...this.registers, ...text.copiesOf()]),
      input: (of) => `${prefix}_${inputName(scheduled, of)}`,
      units: text.unitsOf(),
      ram: (of) => this.rams.nameOf(of),
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

  /** Returns the signal that is high when an iteration enters the computation. */
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
        const inputPrefix = `${prefix}_${inputName(scheduled, load)}`;
        module.names.reserve([
          inputPrefix,
          ...["valid", "flight", "known", "real", "order", "fifo"].map((n) => `${inputPrefix}_${n}`),
        ]);
      }
      const text = new ProcessText({
        module,
        widths: this.plan.widths,
        scheduled,
        process,
        prefix,
        register: (variable) => this.register(variable),
        input: (of) => `${prefix}_${inputName(scheduled, of)}`,
        interval: pipeline.loop ? scheduled.ii : Number.POSITIVE_INFINITY,
        units: this.units,
        rams: this.rams,
      });
      return { process, prefix, text, ready: [], busy: [] };
    });
    const { memory, ports } = this;
    const { widths } = this.plan;
    const pipelineText: PipelineText = {
      module,
      widths,
      memory,
      scheduled,
      index,
      start,
      placed,
      ports,
      underWay: underWay(scheduled, QUICK_MEMORY),
      register: (v) => this.register(v),
    };
    for (const p of placed) entry(pipelineText, p);
    for (const p of placed) p.text.values();
    for (const p of placed) {
      for (const load of p.process.requests) request(pipelineText, p, load);
      for (const load of p.process.inputs) readStream(pipelineText, p, load);
      for (const port of p.process.stores)
        if (!writeStream(pipelineText, p, port)) store(pipelineText, p, port);
      for (const write of p.process.writes) this.rams.write(write, p.text);
      for (const input of p.process.inputs)
        if (input.op === "receive") this.channels.receive(pipelineText, p, input);
      for (const send of p.process.sends) this.channels.send(p, send);
      this.updates(p, start);
      p.text.finish();
    }
    if (pipeline.loop?.memory) interlock(pipelineText, pipeline.loop.memory);
    this.placed.push(...placed.map((p) => ({ ...p, scheduled })));
    for (const p of placed) module.assign(`${p.prefix}_ready`, conjunction(p.ready));
    controller.quiet(pipeline, `~(${disjunction(placed.flatMap((p) => p.busy))})`);
    return `${lastOf(placed).prefix}_enter`;
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
}
