/** Returns undefined when it was made, else why not. */
export function compileNative(output: string): string | undefined;
/** The same for any program. */
export function compileProgram(
  output: string,
  sources: readonly string[],
  flags: readonly string[],
): string | undefined;
export function compileTracer(output: string): string | undefined;
