/** What is known of a pipeline while its Verilog is written. */

import type { Process, ScheduledPipeline, StorePort } from "../../../../core/hw/binding/process.ts";
import type { Value, Variable } from "../../../../core/hw/dfg/graph.ts";
import type { Widths } from "../../../../core/hw/dfg/widths.ts";
import type { Module } from "../text/module.ts";
import type { ProcessText } from "./process.ts";

export interface MemoryOptions {
  readonly addressBits: number;
  /** Reads that one port may have under way; a power of two. */
  readonly outstanding: number;
  /** Streams are read and written in bursts of whole words. */
  readonly bursts?: Bursts;
}

export interface Bursts {
  /** Of a word. */
  readonly bytes: number;
  /** Words of the longest burst: a power of two from 2 on. */
  readonly beats: number;
}

export interface ReadPort {
  readonly prefix: string;
  /** Of what it reads at a time. */
  readonly bytes: number;
  readonly pipeline: number;
  /** Of a word: its lowest lane. */
  readonly load: Value;
  /** Its commands ask for so many beats at most. */
  readonly beats?: number;
}

export interface WritePort {
  readonly prefix: string;
  readonly bytes: number;
  readonly pipeline: number;
  readonly port: StorePort;
  /** It writes words, with a strobe for each byte. */
  readonly strobes?: true;
  /** Its commands announce so many beats at most. */
  readonly beats?: number;
}

/** A port of the kernel that has an address generator. */
export interface StreamPort {
  readonly prefix: string;
  readonly direction: "read" | "write";
  /** Of a read port: bits of the number of elements. */
  readonly beatsBits: number;
  /** Elements that pass as a word; of a read port also those of the first word that no one wants. */
  readonly word?: { readonly lanes: number; readonly lead: number };
}

/** The ports of a kernel's pipelines, as they are made. */
export interface MemoryPorts {
  readonly reads: ReadPort[];
  readonly writes: WritePort[];
  /** Ports of both kinds that pass elements without addresses. */
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
  /** Its place among the kernel's pipelines. */
  readonly index: number;
  /** High in the cycle in which it starts. */
  readonly start: string;
  readonly placed: readonly Placed[];
  readonly ports: MemoryPorts;
  /** Iterations between two processes, where memory answers quickly enough. */
  readonly underWay: (from: Process, to: Process) => number;
  /** The kernel's register of a variable. */
  register(variable: Variable): string;
}

/** A name for what a load or a channel brings, one of its own in its pipeline. */
export function inputName(scheduled: ScheduledPipeline, load: Value): string {
  if (load.op === "receive") return load.channel as string;
  const all = scheduled.pipeline.graph.values.filter((v) => v.op === "load" && v.hint === load.hint);
  return all.length === 1 ? `${load.hint}` : `${load.hint}${all.indexOf(load)}`;
}
