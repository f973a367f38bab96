/** A kernel as a Verilog module, with what surrounding modules connect to. */

import type { Process, ScheduledPipeline } from "../../../../core/hw/binding/process.ts";
import type { Ram, Value, Variable } from "../../../../core/hw/dfg/value.ts";
import type { Loc } from "../../../../core/lang/tree/ast.ts";
import type { Port } from "../text/module.ts";
import type { ChannelPort } from "./channels.ts";
import type { ReadPort, StreamPort, WritePort } from "./pipeline.ts";
import type { Held } from "./process.ts";

interface KernelArgument {
  readonly name: string;
  readonly bits: number;
  /** Size of the value in the program; 0: a pointer. */
  readonly bytes: number;
  /** Index of the kernel that takes it, if several run together. */
  readonly kernel: number;
}

export interface KernelModule {
  readonly name: string;
  readonly text: string;
  readonly ports: readonly Port[];
  readonly reads: readonly ReadPort[];
  readonly writes: readonly WritePort[];
  /** Read and write ports that transfer elements without addresses. */
  readonly streams: readonly StreamPort[];
  readonly sends: readonly ChannelPort[];
  readonly receives: readonly ChannelPort[];
  /** The port of each argument. */
  readonly arguments: readonly KernelArgument[];
  /** By pipeline: the output that is high in the cycle in which it starts, and the one when an iteration enters. */
  readonly probes: readonly { readonly start: string; readonly enter: string }[];
  /** Source positions of signals by name; for a pipeline, of its loop. */
  readonly locations: ReadonlyMap<string, Loc>;
  /** The meaning of its processes' signals, for proofs. */
  readonly processes: readonly ProcessSignals[];
}

/** Names of a process's signals in the text. */
export interface ProcessSignals {
  readonly scheduled: ScheduledPipeline;
  readonly process: Process;
  readonly prefix: string;
  readonly valid: (cycle: number) => string;
  readonly held: readonly Held[];
  /** The register of each variable: the process's own, or the kernel's. */
  readonly registers: ReadonlyMap<Variable, string>;
  readonly input: (of: Value) => string;
  /** For operations that take turns: the instance that computes them. */
  readonly units: ReadonlyMap<Value, string>;
  /** Prefix of the names of a local array's signals. */
  readonly ram: (of: Ram) => string;
}
