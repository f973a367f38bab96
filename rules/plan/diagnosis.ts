/** Plans the diagnosis of a text in an editor: what `arc check` finds and what a translation reports. */
import type { Action, Address } from "../../core/build/model/action.ts";
import type { Addition } from "../../core/ir/added/model.ts";
import { addressOf } from "../inputs/addresses.ts";
import { checkAction, findingList } from "../steps/check.ts";
import { preprocessed } from "../steps/preprocess.ts";
import { translateHostAction } from "../steps/translate-host.ts";
import type { Compiler } from "../tools/compiler.ts";
import { preprocessedForBoth } from "./check.ts";

export { directiveFileOf } from "../../core/ir/added/directive-file.ts";

interface DiagnosisPlan {
  /** Reports errors in directives soon. */
  readonly translation: readonly Action[];
  /** Runs the lint rules, which takes longer. */
  readonly check: readonly Action[];
  /** `Finding[]` of the rules, as JSON. */
  readonly findings: { readonly action: Address; readonly output: string };
}

interface EditedText {
  /** An absolute path, used for headers and in findings. */
  readonly file: string;
  readonly text: string;
  /** What its project adds to its directives. */
  readonly added?: readonly Addition[];
}

export function planDiagnosis(
  { file, text, added }: EditedText,
  compiler: Compiler,
  cflags: readonly string[],
): DiagnosisPlan {
  const source = preprocessedForBoth({ file, from: { text }, ...(added && { added }) }, compiler, cflags);
  const input = { file, from: { action: source.address, output: preprocessed } };
  const check = checkAction(addressOf(file, "check"), input, { advice: true, doubts: false });
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
