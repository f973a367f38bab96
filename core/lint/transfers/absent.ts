/** What the device uses and nothing has put there. */
import { rootOf } from "../../ir/analysis/access.ts";
import { canonical } from "../../lang/index.ts";
import type { Symbol } from "../../lang/tree/ast.ts";
import { clauseOf } from "../read/directive.ts";
import { declaredIn } from "./declared.ts";
import { type Certainty, type Fault, faultAt } from "./fault.ts";
import type { Known } from "./known.ts";
import { asConstruct, type Construct, type Mapped, type Move, mayKeepOff, names } from "./trace.ts";

/** An update of what nothing has put on the device. */
export function update(known: Known, move: Move, mapped: Mapped): Fault | undefined {
  const { directive, at } = move;
  const { sym, text } = mapped;
  if (clauseOf(directive, "if") || clauseOf(directive, "if_present") || /->|\./.test(text)) return undefined;
  const around = known.trace.constructs.filter((c) => c.begin.order < at.order && at.order < c.end.order);
  if (around.some((c) => c.mapped.some((m) => names(m, sym)))) return undefined;
  const construct = asConstruct(move, [mapped]);
  const certainty = known.absent(sym, construct);
  return certainty && neverThere(known, construct, mapped, certainty);
}

/** A variable that must be on the device, and that nothing has put there. */
export function neverThere(
  known: Known,
  construct: Construct,
  mapped: Mapped,
  certainty: Certainty,
): Fault | undefined {
  const { sym } = mapped;
  // Only callers know about the data that they pass, and functions elsewhere may map what they get.
  if (sym.kind === "param" || known.escapes(sym, -1, construct.begin.order)) return undefined;
  return { kind: "never-present", certainty, sym, loc: mapped.loc, construct, mapped };
}

/** A host pointer that the device dereferences. */
export function unmapped(known: Known, construct: Construct): readonly Fault[] {
  const { begin, end, stmt, directive } = construct;
  if (!stmt) return [];
  // Without it, OpenACC compilers may determine the size themselves.
  const asserted = isAsserted(directive);
  if (directive.clauses.some((c) => mayKeepOff(c) && !(asserted && c.name === "default"))) return [];
  const own = declaredIn(stmt);
  const seen = new Set<Symbol>();
  const found: Fault[] = [];
  for (const access of known.trace.walked.accesses) {
    const { root, steps } = access.location;
    if (access.order < begin.order || access.order > end.order || seen.has(root)) continue;
    if (steps[0]?.is !== "deref" || own.has(root) || root.kind === "param") continue;
    // Written through another pointer to the same memory, it is that pointer which a clause has to name.
    const followed = [root, rootOf(access.expr)?.sym].filter((sym) => sym !== undefined);
    if (followed.some((sym) => isMapped(construct, sym))) continue;
    if (canonical(root.type).kind !== "pointer") continue;
    const certainty = known.absent(root, construct);
    // Functions elsewhere may map what they get.
    if (certainty === undefined || known.escapes(root, -1, begin.order)) continue;
    seen.add(root);
    const sure = directive.language === "omp" || asserted ? certainty : "maybe";
    found.push(faultAt("missing-map", sure, access, { construct, other: { loc: directive.loc } }));
  }
  return found;
}

/** Whether a construct, or one around it, names a pointer or a copy of it: other pointers lead to other places. */
function isMapped(construct: Construct, pointer: Symbol): boolean {
  for (let c: Construct | undefined = construct; c; c = c.parent)
    if (c.mapped.some(({ sym, copied }) => sym === pointer || copied?.has(pointer))) return true;
  return false;
}

/** `default(present)` of OpenACC. */
export const isAsserted = (d: Construct["directive"]): boolean =>
  d.language === "acc" && clauseOf(d, "default")?.tokens[0]?.text === "present";
