/** A kernel as a Verilog module, with what the modules around it connect. */

import type { Process, ScheduledPipeline } from "../../../../core/hw/binding/process.ts";
import type { Ram, Value, Variable } from "../../../../core/hw/dfg/graph.ts";
import type { Loc } from "../../../../core/lang/tree/ast.ts";
import type { Port } from "../text/module.ts";
import type { ChannelPort } from "./channels.ts";
import type { ReadPort, StreamPort, WritePort } from "./pipeline.ts";
import type { Held } from "./process.ts";
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
  /** Which signals of its processes are what: for proofs. */
  readonly processes: readonly ProcessSignals[];
}

/** A process's signals as they stand in the text. */
export interface ProcessSignals {
  readonly scheduled: ScheduledPipeline;
  readonly process: Process;
  readonly prefix: string;
  readonly valid: (cycle: number) => string;
  readonly held: readonly Held[];
  /** The register that holds a variable: the process's own, or the kernel's. */
  readonly registers: ReadonlyMap<Variable, string>;
  readonly input: (of: Value) => string;
  /** Of operations that take turns: the instance that computes them. */
  readonly units: ReadonlyMap<Value, string>;
  /** Start of the names of a local array's signals. */
  readonly ram: (of: Ram) => string;
}
