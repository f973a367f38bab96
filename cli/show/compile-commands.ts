/** A compilation database for clangd and other tools for C (clang.llvm.org, JSON Compilation Database). */
import type { Action } from "../../core/build/model/action.ts";
import { preprocessCall } from "../../rules/steps/preprocess.ts";
import { runtimeHeaderOptions } from "../../rules/tools/runtime-files.ts";

/** One entry per C file. A file may be preprocessed for several purposes; the first has the directives' macros. */
export function compileCommands(actions: readonly Action[], root: string): string {
  const calls = new Map<string, readonly string[]>();
  for (const action of actions) {
    const call = preprocessCall(action);
    if (call === undefined || calls.has(call.file)) continue;
    calls.set(call.file, [...call.argv, ...runtimeHeaderOptions, ...call.options, "-c", call.file]);
  }
  const entries = [...calls].map(([file, args]) => ({ directory: root, file, arguments: args }));
  return `${JSON.stringify(entries, null, 2)}\n`;
}
