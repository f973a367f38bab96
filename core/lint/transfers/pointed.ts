/** Pointers in mapped memory: what is mapped is the address of the host's memory, and not what lies there. */
import { printExpr } from "../../lang/index.ts";
import type { Expr, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import type { Access } from "../memory/access.ts";
import { type Fault, faultAt } from "./fault.ts";
import type { Known } from "./known.ts";
import { type Construct, type Mapped, mayKeepOff, names } from "./trace.ts";

/** A member of a record that points to the host's memory: a clause that maps the record copies the address alone. */
export function records(known: Known, construct: Construct): readonly Fault[] {
  return told(known, construct, ({ location: { root, steps } }) => {
    const [member, follows] = steps;
    if (member?.is !== "field" || follows?.is !== "deref" || root.kind !== "var") return undefined;
    return namesMember(known, root, member.name) ? undefined : { pointer: 1, text: member.name };
  });
}

/** `m[i]` of an array of pointers to rows: a clause that maps `m[0:n]` copies the addresses of the rows alone. */
export function rows(known: Known, construct: Construct): readonly Fault[] {
  return told(known, construct, ({ location: { root, steps }, expr }) => {
    const [table, row, follows] = steps;
    if (table?.is !== "deref" || row?.is !== "index" || follows?.is !== "deref") return undefined;
    const isRow = ({ text }: Mapped): boolean => text.split("[").length !== 2 || /->|\./.test(text);
    const items = itemsOf(known, root);
    const isHeld = construct.mapped.some((m) => m.sym === root && m.motion !== "other");
    const pointer = pointerOf(expr);
    return isHeld && pointer && !items.some(isRow) ? { pointer: 2, text: printExpr(pointer) } : undefined;
  });
}

/** The step at which a location's path has come to a pointer, and the words for this. */
interface Followed {
  readonly pointer: number;
  readonly text: string;
}

/** Accesses of a region through pointers in memory that the host has followed before, and not set since. */
function told(
  known: Known,
  construct: Construct,
  asks: (access: Access) => Followed | undefined,
): readonly Fault[] {
  const { begin, end, directive } = construct;
  if (directive.clauses.some(mayKeepOff) || known.file.mappers.length > 0) return [];
  const { accesses } = known.trace.walked;
  const seen = new Set<string>();
  return accesses.flatMap((access) => {
    if (access.order < begin.order || access.order > end.order || access.owner > 0) return [];
    const followed = asks(access);
    if (!followed) return [];
    const { root } = access.location;
    const name = `${root.name}.${followed.text}`;
    if (seen.has(name) || root.scope !== "block" || known.file.facts.addressed.has(root)) return [];
    if (known.isOutside(construct, root) || !isOfHost(known, access, followed, begin.order)) return [];
    seen.add(name);
    const other = { loc: directive.loc };
    return [faultAt("missing-map", "proved", access, { construct, member: followed.text, other })];
  });
}

/** Whether the host has followed a pointer before a region, and has not set it since. */
function isOfHost(known: Known, { location }: Access, { pointer }: Followed, until: number): boolean {
  const path = pathOf(location.steps.slice(0, pointer));
  const before = known
    .all(location.root)
    .filter((a) => a.order < until && pathOf(a.location.steps.slice(0, pointer)) === path);
  const last = before.findLast((a) => a.location.steps[pointer]?.is === "deref" && !known.computeOf(a));
  return (
    last !== undefined &&
    !before.some((a) => a.location.steps.length <= pointer && a.mode === "write" && a.order > last.order)
  );
}

const pathOf = (steps: Access["location"]["steps"]): string =>
  steps.map((step) => (step.is === "field" ? `.${step.name}` : step.is)).join(" ");

/** `m[i]` of `m[i][j]`. */
function pointerOf(e: Expr): Expr | undefined {
  const inner = stripImplicit(e);
  if (inner.kind === "index") return stripImplicit(inner.base);
  return inner.kind === "unary" && inner.op === "*" ? stripImplicit(inner.arg) : undefined;
}

/** What clauses of the file say of a variable. */
const itemsOf = ({ file }: Known, root: Symbol): readonly Mapped[] =>
  [
    ...file.traces.flatMap((t) => t.constructs.flatMap((c) => c.mapped)),
    ...file.traces.flatMap((t) => t.moves.flatMap((m) => m.items)),
  ].filter((m) => names(m, root));

/** Whether anything maps a member, or the whole record in another way than by copying it. */
function namesMember(known: Known, root: Symbol, member: string): boolean {
  const isMember = ({ text }: Mapped): boolean => text.includes(member) || /->/.test(text);
  const own = known.trace.constructs.some((c) =>
    c.mapped.some((m) => m.sym === root && m.clause === "is_device_ptr"),
  );
  return own || itemsOf(known, root).some(isMember);
}
