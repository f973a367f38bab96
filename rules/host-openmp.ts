/** OpenMP's directives for the host's own threads, where the project asks the C compiler for them. */
import type { Compiler, CompilerOptions } from "./compiler.ts";

/** Tells arc's `omp.h` that the C compiler has a better one, and translations that directives are honoured. */
const marker = "ARC_HOST_OPENMP";

/** Whether options ask for it, and the compiler can. */
export const asksForHostOpenMp = ({ openmp }: Compiler, options: readonly string[]): boolean =>
  openmp !== undefined && options.includes(openmp);

/** Options of the phases, with OpenMP in each. */
export function withHostOpenMp({ openmp }: Compiler, options: CompilerOptions): CompilerOptions {
  if (openmp === undefined) return options;
  return {
    preprocess: [...options.preprocess, openmp, `-D${marker}`],
    compile: [...options.compile, openmp],
    link: [...options.link, openmp],
  };
}

/** Of a source after `cc -E -dD`. */
export const honoursHostOpenMp = (text: string): boolean => text.includes(`\n#define ${marker} `);
