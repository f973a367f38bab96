/** Returns undefined on success, else the reason for the failure. */
export function compileNative(output: string): string | undefined;
/** Like `compileNative`, for any program. */
export function compileProgram(
  output: string,
  sources: readonly string[],
  flags: readonly string[],
): string | undefined;
export function compileTracer(output: string): string | undefined;
export function launcherSources(folder: string): readonly string[];
