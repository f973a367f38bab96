/** `#pragma STDC FENV_ACCESS ON`: rounding modes and flags are the host's threads' own. */
import type { Diagnostic, External, Pragma } from "../../lang/tree/ast.ts";
import { findNode } from "../model/nodes.ts";

export const readsEnvironment = ({ tokens }: Pragma): boolean =>
  ["STDC", "FENV_ACCESS", "ON"].every((word, i) => tokens[i]?.text === word);

/** A warning if a source with the pragma has code for devices. */
export function environmentLeft(
  pragma: Pragma | undefined,
  externals: readonly External[],
): readonly Diagnostic[] {
  const hasRegions = () => externals.some((e) => e.kind === "function" && findNode(e.body, "task"));
  if (!pragma || !hasRegions()) return [];
  return [
    {
      severity: "warning",
      code: "floating-environment",
      loc: pragma.tokens[0]?.loc ?? pragma.span.start,
      message: "regions of this file do not see the program's rounding mode, and set no exception flags",
      why: "devices have no floating-point environment that a program can read or set",
      remedy: "keep code that calls <fenv.h>, or depends on it, out of the regions",
    },
  ];
}
