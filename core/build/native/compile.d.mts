/** Returns undefined when it was made, else why not. */
export function compileNative(output: string): string | undefined;
