/** What the device uses and nothing has put there. */
import { rootOf } from "../../ir/analysis/access.ts";
import { canonical } from "../../lang/index.ts";
import type { Symbol } from "../../lang/tree/ast.ts";
import { clauseOf } from "../read/directive.ts";
import { declaredIn } from "./declared.ts";
import { type Certainty, type Fault, faultAt } from "./fault.ts";
import type { Known } from "./known.ts";
import { asConstruct, type Construct, computeOf, type Mapped, type Move, mayKeepOff } from "./trace.ts";

/** An update of what nothing has put on the device. */
export function update(known: Known, move: Move, mapped: Mapped): Fault | undefined {
  const { directive, at } = move;
  const { sym, text } = mapped;
  if (clauseOf(directive, "if") || clauseOf(directive, "if_present") || /->|\./.test(text)) return undefined;
  const around = known.trace.constructs.filter((c) => c.begin.order < at.order && at.order < c.end.order);
  if (around.some((c) => c.mapped.some((m) => m.sym === sym))) return undefined;
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
  const { begin, end, stmt, mapped, directive } = construct;
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
    if (followed.some((sym) => mapped.some((m) => m.sym === sym) || known.isOutside(construct, sym)))
      continue;
    if (canonical(root.type).kind !== "pointer") continue;
    const certainty = known.absent(root, construct);
    if (certainty === undefined) continue;
    seen.add(root);
    const sure = directive.language === "omp" || asserted ? certainty : "maybe";
    found.push(faultAt("missing-map", sure, access, { construct, other: { loc: directive.loc } }));
  }
  return found;
}

/** A member that points to the host's memory: a clause that maps the record copies the address alone. */
export function flat(known: Known, construct: Construct): readonly Fault[] {
  const { begin, end, directive } = construct;
  if (directive.clauses.some(mayKeepOff) || known.file.mappers.length > 0) return [];
  const { accesses } = known.trace.walked;
  const seen = new Set<string>();
  return accesses.flatMap((access) => {
    const { root, steps } = access.location;
    const [member, follows] = steps;
    if (access.order < begin.order || access.order > end.order || access.owner > 0) return [];
    if (member?.is !== "field" || follows?.is !== "deref" || root.kind !== "var") return [];
    const name = `${root.name}.${member.name}`;
    if (seen.has(name) || root.scope !== "block" || known.file.facts.addressed.has(root)) return [];
    if (namesMember(known, root, member.name) || known.isOutside(construct, root)) return [];
    // The host has followed it, and has not set it since.
    const before = accesses.filter(
      ({ location, order }) =>
        location.root === root &&
        location.steps[0]?.is === "field" &&
        location.steps[0].name === member.name &&
        order < begin.order,
    );
    const followed = before.findLast(
      (a) => a.location.steps[1]?.is === "deref" && !computeOf(known.trace, a),
    );
    const set = before.some(
      (a) => a.location.steps.length === 1 && a.mode === "write" && followed && a.order > followed.order,
    );
    if (!followed || set) return [];
    seen.add(name);
    return [
      faultAt("missing-map", "proved", access, { construct, member: name, other: { loc: directive.loc } }),
    ];
  });
}

/** Whether anything maps a member, or the whole record in another way than by copying it. */
function namesMember({ trace, file }: Known, root: Symbol, member: string): boolean {
  const items = [
    ...file.traces.flatMap((t) => t.constructs.flatMap((c) => c.mapped)),
    ...file.traces.flatMap((t) => t.moves.flatMap((m) => m.items)),
  ];
  const ofRoot = items.filter((m) => m.sym === root);
  const isMember = ({ text }: Mapped): boolean => text.includes(member) || /->/.test(text);
  const own = trace.constructs.some((c) =>
    c.mapped.some((m) => m.sym === root && m.clause === "is_device_ptr"),
  );
  return own || ofRoot.some(isMember);
}

/** `default(present)` of OpenACC. */
export const isAsserted = (d: Construct["directive"]): boolean =>
  d.language === "acc" && clauseOf(d, "default")?.tokens[0]?.text === "present";
