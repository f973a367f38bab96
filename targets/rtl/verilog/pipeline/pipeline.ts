/** What is known about a pipeline while its Verilog is written. */

import type { Process, ScheduledPipeline, StorePort } from "../../../../core/hw/binding/process.ts";
import type { Value, Variable } from "../../../../core/hw/dfg/value.ts";
import type { Widths } from "../../../../core/hw/dfg/widths.ts";
import type { Module } from "../text/module.ts";
import type { ProcessText } from "./process.ts";

export interface MemoryOptions {
  readonly addressBits: number;
  /** Reads that one port may have under way; a power of two. */
  readonly outstanding: number;
  /** Set if streams are read and written in bursts of whole words. */
  readonly bursts?: Bursts;
}

interface Bursts {
  /** Bytes of a word. */
  readonly bytes: number;
  /** Length of the longest burst in words: a power of two from 2 on. */
  readonly beats: number;
}

export interface ReadPort {
  readonly prefix: string;
  /** Bytes of an element. */
  readonly bytes: number;
  readonly pipeline: number;
  /** For a word: its lowest lane. */
  readonly load: Value;
  /** Maximum number of beats that a command requests. */
  readonly beats?: number;
}

export interface WritePort {
  readonly prefix: string;
  readonly bytes: number;
  readonly pipeline: number;
  readonly port: StorePort;
  /** It writes words, with a strobe for each byte. */
  readonly strobes?: true;
  /** Maximum number of beats that a command announces. */
  readonly beats?: number;
}

/** A port of the kernel with an address generator. */
export interface StreamPort {
  readonly prefix: string;
  readonly direction: "read" | "write";
  /** For a read port: bits of the number of elements. */
  readonly beatsBits: number;
  /** Elements per word; for a read port also the number of unused elements in the first word. */
  readonly word?: { readonly lanes: number; readonly lead: number };
}

/** Collects the ports of a kernel's pipelines. */
export interface MemoryPorts {
  readonly reads: ReadPort[];
  readonly writes: WritePort[];
  /** Read and write ports that transfer elements without addresses. */
  readonly streams: StreamPort[];
}

/** A process with its text. */
export interface Placed {
  readonly process: Process;
  readonly prefix: string;
  readonly text: ProcessText;
  /** Conditions for an iteration to enter. */
  readonly ready: string[];
  /** Signals that show that something is under way. */
  readonly busy: string[];
}

export interface PipelineText {
  readonly module: Module;
  readonly widths: Widths;
  readonly memory: MemoryOptions;
  readonly scheduled: ScheduledPipeline;
  /** Index among the kernel's pipelines. */
  readonly index: number;
  /** High in the cycle in which it starts. */
  readonly start: string;
  readonly placed: readonly Placed[];
  readonly ports: MemoryPorts;
  /** Iterations under way between two processes, if memory answers within the assumed latency. */
  readonly underWay: (from: Process, to: Process) => number;
  /** The kernel's register of a variable. */
  register(variable: Variable): string;
}

/** A name for a load's or channel's values, unique in the pipeline. */
export function inputName(scheduled: ScheduledPipeline, load: Value): string {
  if (load.op === "receive") return load.channel;
  const all = scheduled.pipeline.graph.values.filter((v) => v.op === "load" && v.hint === load.hint);
  return all.length === 1 ? `${load.hint}` : `${load.hint}${all.indexOf(load)}`;
}
