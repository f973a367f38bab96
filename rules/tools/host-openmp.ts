/** OpenMP's directives for the host's own threads, where the project asks the C compiler for them. */
import { hostThreadsMark } from "../../core/ir/model/host-threads.ts";
import type { Compiler, CompilerOptions } from "./compiler.ts";

/** Whether options ask for it, and the compiler can. */
export const asksForHostOpenMp = ({ openmp }: Compiler, options: readonly string[]): boolean =>
  openmp !== undefined && options.includes(openmp);

/** Options of the phases, with OpenMP in each. */
export function withHostOpenMp({ openmp }: Compiler, options: CompilerOptions): CompilerOptions {
  if (openmp === undefined) return options;
  return {
    preprocess: [...options.preprocess, openmp, `-D${hostThreadsMark}`],
    compile: [...options.compile, openmp],
    link: [...options.link, openmp],
  };
}
