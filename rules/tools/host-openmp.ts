/** OpenMP for the host's own threads, if the project enables it in the C compiler. */
import { hostThreadsMark } from "../../core/ir/model/host-threads.ts";
import type { Compiler, CompilerOptions } from "./compiler.ts";

/** Whether the options enable it and the compiler supports it. */
export const requestsHostOpenMp = ({ openmp }: Compiler, options: readonly string[]): boolean =>
  openmp !== undefined && options.includes(openmp);

/** The options of all phases with OpenMP enabled. */
export function withHostOpenMp({ openmp }: Compiler, options: CompilerOptions): CompilerOptions {
  if (openmp === undefined) return options;
  return {
    preprocess: [...options.preprocess, openmp, `-D${hostThreadsMark}`],
    compile: [...options.compile, openmp],
    link: [...options.link, openmp],
  };
}
