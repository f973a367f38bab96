/** The part of a loop's body that determines how an iteration changes some variables (a backward slice, Weiser 1981). */
import { usesOf } from "../../../core/ir/analysis/access.ts";
import { pureReads } from "../../../core/ir/analysis/purity.ts";
import { isPointer, walkStmt } from "../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";

interface Slice {
  readonly stmt: Stmt;
}

/**
 * `reads`: uses of the variables other than those that change them; none may be in the slice. `apart`: two
 * variables certainly point to different memory. The slice stores nothing, so all of it may run before any iteration.
 */
export function sliceOf(
  body: Stmt,
  variables: readonly Symbol[],
  reads: ReadonlySet<Expr>,
  apart: (a: Symbol, b: Symbol) => boolean,
): Slice | { readonly why: string } {
  const locals = new Set([...usesOf(body).declared].filter((sym) => !isPointer(sym.type)));
  const needs: Needs = { needed: new Set(variables), locals };
  for (let size = 0; size !== needs.needed.size; ) {
    size = needs.needed.size;
    keep(body, needs);
  }
  const stmt = withoutStores(body, needs);
  const again = identsOf(stmt).find((e) => reads.has(e));
  if (again?.kind === "ident") return { why: `what is combined depends on '${again.sym.name}' itself` };
  const uses = usesOf(stmt);
  for (const [sym, use] of uses.of)
    if (!locals.has(sym) && (use.elementsWritten || use.addressTaken))
      return { why: `what is combined is computed with '${sym.name}', which the loop changes` };
  if (uses.indirectCall || [...uses.calls.keys()].some((f) => !pureReads(f)))
    return { why: "what is combined is computed by functions with effects" };
  const conflicting = loadBehindStore(body, needs, apart);
  return conflicting ? { why: `'${conflicting.name}' is read behind what the iteration stores` } : { stmt };
}

interface Needs {
  readonly needed: Set<Symbol>;
  /** Variables of the iteration through which no other memory is reached. */
  readonly locals: ReadonlySet<Symbol>;
}

function identsOf(s: Stmt): readonly Expr[] {
  const found: Expr[] = [];
  walkStmt(s, {
    expr(e) {
      if (e.kind === "ident") found.push(e);
    },
  });
  return found;
}

/** The parts of blocks and branches; other statements are kept or dropped whole. */
const parts = (s: Stmt): readonly Stmt[] | undefined =>
  s.kind === "compound" ? s.body : s.kind === "if" ? [s.then, ...(s.else ? [s.else] : [])] : undefined;

function isNeeded(s: Stmt, needs: Needs): boolean {
  const inner = parts(s);
  if (inner?.some((child) => isNeeded(child, needs))) return true;
  return inner && s.kind !== "if" ? false : changes(s, needs);
}

/** For a branch, only its condition counts. */
function changes(s: Stmt, { needed, locals }: Needs): boolean {
  const { of, declared } = usesOf(s.kind === "if" ? s.test : s);
  return (
    [...declared].some((sym) => needed.has(sym)) ||
    [...of].some(
      ([sym, use]) =>
        needed.has(sym) && (use.written || use.addressTaken || (use.elementsWritten && locals.has(sym))),
    )
  );
}

/** Adds the variables that needed statements read. */
function keep(s: Stmt, needs: Needs): void {
  if (!isNeeded(s, needs)) return;
  const inner = parts(s);
  const code = s.kind === "if" ? s.test : inner ? undefined : s;
  if (code) for (const sym of usesOf(code).of.keys()) needs.needed.add(sym);
  for (const child of inner ?? []) keep(child, needs);
}

function withoutStores(s: Stmt, needs: Needs): Stmt {
  if (s.kind === "compound")
    return {
      ...s,
      body: s.body.filter((child) => isNeeded(child, needs)).map((child) => withoutStores(child, needs)),
    };
  if (s.kind !== "if") return s;
  const { else: other, ...rest } = s;
  return {
    ...rest,
    then: isNeeded(s.then, needs)
      ? withoutStores(s.then, needs)
      : { kind: "compound", body: [], span: s.span },
    ...(other && isNeeded(other, needs) && { else: withoutStores(other, needs) }),
  };
}

/** A variable through which the slice loads memory that an earlier store of the iteration may have changed. */
function loadBehindStore(
  body: Stmt,
  needs: Needs,
  apart: (a: Symbol, b: Symbol) => boolean,
): Symbol | undefined {
  const stored = new Set<Symbol>();
  let conflicting: Symbol | undefined;
  const elements = (s: Stmt | Expr, how: "elementsRead" | "elementsWritten"): Symbol[] =>
    [...usesOf(s).of].flatMap(([sym, use]) => (use[how] && !needs.locals.has(sym) ? [sym] : []));
  const visit = (s: Stmt): void => {
    const inner = parts(s);
    const code = s.kind === "if" ? s.test : inner ? undefined : s;
    if (code && isNeeded(s, needs))
      conflicting ??= elements(code, "elementsRead").find((sym) =>
        [...stored].some((to) => sym === to || !apart(sym, to)),
      );
    if (code) for (const sym of elements(code, "elementsWritten")) stored.add(sym);
    for (const child of inner ?? []) visit(child);
  };
  visit(body);
  return conflicting;
}
