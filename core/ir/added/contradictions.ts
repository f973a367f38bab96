/** Additions that conflict with a source's directives. Conflicts between clauses are found when the directive is read. */
import { findStatement } from "../../lang/index.ts";
import type { Loc, Pragma } from "../../lang/tree/ast.ts";
import type { Found } from "./anchors.ts";
import { type Addition, anchorName, headOf, type Refusal, refusal } from "./model.ts";
import { belongsToLoop, languageOf, nameOf, sharesLoop, startsWork } from "./words.ts";

type Words = Pick<Pragma, "tokens">;

/** Why a directive cannot be inserted at `found`; `beside`: the directives there so far. */
export function contradiction(
  of: Addition,
  words: Words,
  found: Found,
  beside: readonly (Words & { readonly at: Loc })[],
): Refusal | undefined {
  const name = anchorName(of.anchor);
  if (found.construct && belongsToLoop(words))
    return refusal(of, {
      code: "misplaced-addition",
      message: `'${nameOf(words)}' is for a loop, and ${name} begins with a directive`,
      remedy: `write \`${of.anchor.function} loop N: #pragma ...\``,
    });
  const same = beside.find((one) => languageOf(one) === languageOf(words) && sharesLoop(one));
  if (same && sharesLoop(words))
    return refusal(of, {
      code: "contradicting-addition",
      message: `${name} has the directive '${nameOf(same)}' already`,
      remedy: `add clauses to it: \`${headOf(of.anchor)}: CLAUSES\``,
      notes: [{ message: "it stands here", loc: same.at }],
    });
  const other = startsWork(words) ? workAround(found) : undefined;
  if (!other) return undefined;
  return refusal(of, {
    code: "contradicting-addition",
    message: `'${nameOf(words)}' ${other.is} '${nameOf(other.pragma)}'`,
    why: "a construct that starts work on a device cannot stand inside another one",
    remedy: "remove this entry, or the other directive",
    notes: [{ message: "the other one stands here", loc: other.pragma.span.start }],
  });
}

interface Other {
  readonly is: "would be inside" | "would be around";
  readonly pragma: Pragma;
}

/** A construct of the source that starts device work, around the place or inside it. */
function workAround({ stmt, around, construct, pragmas }: Found): Other | undefined {
  for (const outer of around)
    for (const pragma of outer.pragmas ?? [])
      if (startsWork(pragma)) return { is: "would be inside", pragma };
  const own = construct ?? pragmas.find(startsWork);
  if (own) return { is: "would be around", pragma: own };
  const inner = stmt && findStatement(stmt, (s) => (s.pragmas ?? []).some(startsWork));
  const pragma = inner?.pragmas?.find(startsWork);
  return pragma && { is: "would be around", pragma };
}
