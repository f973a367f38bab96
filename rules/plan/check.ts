/**
 * Plans `arc check`: each source is preprocessed as for its compilation, with both directive models enabled, and
 * checked.
 */
import type { Action, ActionInput, Source } from "../../core/build/model/action.ts";
import type { Wanted } from "../../core/lint/lint.ts";
import { addressOf } from "../inputs/addresses.ts";
import { checkAction, findingList } from "../steps/check.ts";
import { preprocessAction, preprocessed } from "../steps/preprocess.ts";
import { type Compiler, splitOptions } from "../tools/compiler.ts";
import { withHostOpenMp } from "../tools/host-openmp.ts";
import { runtimeHeaders } from "../tools/runtime-files.ts";
import { openacc, openmp, withoutDirectiveOptions } from "./unit.ts";
import type { SourceFile } from "./whole-program.ts";

export type { Finding, Rule } from "../../core/lint/model/finding.ts";

interface CheckPlan {
  readonly actions: readonly Action[];
  readonly checks: readonly { readonly file: string; readonly findings: ActionInput }[];
}

/** With the macros of both directive models. */
export function preprocessedForBoth(
  { file, from, added }: Pick<SourceFile, "file" | "added"> & { readonly from: Source },
  compiler: Compiler,
  cflags: readonly string[],
): Action {
  const { preprocess } = withHostOpenMp(compiler, splitOptions(withoutDirectiveOptions(cflags)));
  return preprocessAction({
    address: addressOf(file, "check", "preprocess"),
    title: `preprocess ${file}`,
    input: { name: "source.c", from },
    file,
    compiler,
    options: [...preprocess, openacc, ...(compiler.openmp === undefined ? [openmp] : [])],
    headers: runtimeHeaders(),
    keepDefines: true,
    ...(added && { added }),
    directiveFile: "read",
  });
}

export function planCheck(
  files: readonly SourceFile[],
  compiler: Compiler,
  cflags: readonly string[],
  wanted: Wanted,
): CheckPlan {
  const parts = files.map(({ file, path, added, flags = [] }) => {
    const source = preprocessedForBoth({ file, from: { file: path }, ...(added && { added }) }, compiler, [
      ...flags,
      ...cflags,
    ]);
    const from = { action: source.address, output: preprocessed };
    const check = checkAction(addressOf(file, "check"), { file, from }, wanted);
    return { actions: [source, check], file };
  });
  return {
    actions: parts.flatMap((part) => part.actions),
    checks: parts.map(({ actions: [, check], file }) => ({
      file,
      findings: { name: file, from: { action: check?.address ?? "", output: findingList } },
    })),
  };
}
