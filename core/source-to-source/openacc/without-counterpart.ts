/** Declarations of OpenMP that change what regions do, and that OpenACC has no words for. */
import { pragmasIn } from "../../lang/index.ts";
import type { Diagnostic, External } from "../../lang/tree/ast.ts";

const lacking: readonly { readonly words: RegExp; readonly why: string; readonly remedy: string }[] = [
  {
    words: /^declare mapper\b/,
    why: "regions map variables of its type as it says, also those that no clause names",
    remedy: "name the members and their sections in the regions' own clauses, and remove it",
  },
  {
    words: /^(begin )?declare variant\b/,
    why: "OpenACC calls the function that is named",
    remedy: "call the function that is meant for the device, and remove it",
  },
  {
    words: /^(begin )?metadirective\b.*\btarget\b/,
    why: "OpenACC chooses no directives by what a program is compiled for",
    remedy: "write the directive that is meant",
  },
  {
    words: /^interop\b/,
    why: "OpenACC gives its queues to other libraries by routines, such as acc_get_cuda_stream",
    remedy: "call the routine that the library needs",
  },
  {
    words: /^requires\b.*\b(unified_shared_memory|self_maps)\b/,
    why: "regions use memory that no clause names, and OpenACC looks for it on the device",
    remedy: "map what the regions use, and remove it",
  },
  {
    words: /^requires\b.*\b(seq_cst|acq_rel|acquire|release)\b/,
    why: "OpenACC's atomic operations order no other access",
    remedy: "make sure that the regions do not depend on the order, and remove it",
  },
];

export function withoutCounterpart(externals: readonly External[]): readonly Diagnostic[] {
  return pragmasIn(externals).flatMap(({ tokens }): readonly Diagnostic[] => {
    const [space, first] = tokens;
    if (space?.text !== "omp" || !first) return [];
    const text = tokens.slice(1).map((token) => token.text);
    const found = lacking.find(({ words }) => words.test(text.join(" ")));
    if (!found) return [];
    const said = /^(begin )?(declare \w+|\w+)/.exec(text.join(" "))?.[0];
    const message = `'${said}' has no counterpart in OpenACC`;
    return [
      {
        severity: "error",
        code: "not-translatable",
        loc: first.loc,
        message,
        why: found.why,
        remedy: found.remedy,
      },
    ];
  });
}
