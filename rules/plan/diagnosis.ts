/** A text in an editor to what is wrong with it: what `arc check` finds, and what a translation would say. */
import type { Action, Address } from "../../core/build/model/action.ts";
import { addressOf } from "../inputs/addresses.ts";
import { checkAction, findingList } from "../steps/check.ts";
import { preprocessed } from "../steps/preprocess.ts";
import { translateHostAction } from "../steps/translate-host.ts";
import type { Compiler } from "../tools/compiler.ts";
import { preprocessedForBoth } from "./check.ts";

export interface DiagnosisPlan {
  /** What a translation says: of directives, soon. */
  readonly translation: readonly Action[];
  /** What the rules prove, which takes longer. */
  readonly check: readonly Action[];
  /** `Finding[]` of the rules, as JSON. */
  readonly findings: { readonly action: Address; readonly output: string };
}

/** `file`: absolute, so that headers are found and places are told by it. */
export function planDiagnosis(
  { file, text }: { readonly file: string; readonly text: string },
  compiler: Compiler,
  cflags: readonly string[],
): DiagnosisPlan {
  const source = preprocessedForBoth({ file, from: { text } }, compiler, cflags);
  const input = { file, from: { action: source.address, output: preprocessed } };
  const check = checkAction(addressOf(file, "check"), input);
  const translation = translateHostAction({
    address: addressOf(file, "translate"),
    source: input,
    original: { text },
    others: { kind: "separate" },
  });
  return {
    translation: [source, translation],
    check: [source, check],
    findings: { action: check.address, output: findingList },
  };
}
