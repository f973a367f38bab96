/**
 * Data-sharing attributes of the enclosing function's variables in a task (OpenMP 5.0, section 2.19.1): a variable that
 * is shared in all enclosing constructs is shared; others are captured by value. In OmpSs, memory in a dependence
 * clause is shared, too, unless a pointer leads to it.
 */
import { canonical, isVariablyModified } from "../../lang/index.ts";
import type { Pragma, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { objectOf, type Use, usesOf } from "../analysis/access.ts";
import { isGlobal } from "../analysis/routines.ts";
import type { Reading } from "../directives/read-state.ts";
import type { ExplicitTask, Reduction, TaskAccess } from "../model/ir.ts";
import { clausesOf, type TaskDirective } from "./parse.ts";

/** A construct around a task in the same function. */
export interface Surrounding {
  readonly kind: "parallel" | "task";
  readonly pragma: Pragma;
  /** The sharing of variables that it names. */
  readonly named: ReadonlyMap<Symbol, "shared" | "own">;
}

type Sharing = Pick<ExplicitTask, "privates" | "firstprivates" | "shareds" | "reductions">;

export function sharingOf(
  reading: Reading,
  d: TaskDirective,
  body: Stmt,
  around: readonly Surrounding[],
): Sharing {
  const vars = (...names: string[]) => clausesOf(d, ...names).flatMap((c) => c.vars.map((v) => v.sym));
  const reductions = clausesOf(d, "reduction", "in_reduction").flatMap((c) =>
    c.vars.map((v): Reduction => ({ op: c.op ?? "+", sym: v.sym, loc: v.loc })),
  );
  const explicit = explicitOf(d);
  const privates = new Set(vars("private"));
  const firstprivates = new Set(vars("firstprivate"));
  const shareds = new Set(vars("shared"));
  const byDefault = clausesOf(d, "default")[0]?.words[0];
  const uses = usesOf(body);
  const reduced = new Set(reductions.map((r) => r.sym));
  for (const sym of reduced) if (!isGlobal(sym)) shareds.add(sym);
  for (const [sym, use] of uses.of) {
    if (uses.declared.has(sym) || !["var", "param"].includes(sym.kind)) continue;
    if (privates.has(sym) || firstprivates.has(sym) || shareds.has(sym)) continue;
    if (isGlobal(sym)) {
      // A local name, not one of the file: the body reaches it by address.
      if (sym.scope !== "file" && sym.storage === "static") shareds.add(sym);
      continue;
    }
    if (explicit.get(sym) === "shared") shareds.add(sym);
    else if (byDefault === "none") unnamed(reading, sym, use);
    else if (byDefault === "shared" || (byDefault === undefined && isSharedAround(sym, around)))
      shareds.add(sym);
    else if (byDefault === "private") privates.add(sym);
    else firstprivates.add(sym);
  }
  for (const sym of firstprivates) refuseVariable(reading, d, sym);
  return {
    privates: [...privates].filter((sym) => uses.of.has(sym)),
    firstprivates: [...firstprivates].filter((sym) => uses.of.has(sym)),
    shareds: [...shareds].filter((sym) => uses.of.has(sym) && !(isGlobal(sym) && sym.scope === "file")),
    reductions,
  };
}

/** From clauses, and from OmpSs's rule for memory that clauses name. */
export function explicitOf(d: TaskDirective): ReadonlyMap<Symbol, "shared" | "own"> {
  const named = new Map<Symbol, "shared" | "own">();
  const isOmpSs = d.pragma.tokens[0]?.text === "oss";
  for (const c of d.clauses) {
    const of = c.name === "shared" ? "shared" : "own";
    for (const v of c.vars) named.set(v.sym, c.name.endsWith("reduction") ? "shared" : of);
  }
  for (const c of d.clauses)
    for (const access of c.name === "depend" && !isOmpSs ? [] : c.accesses) {
      const sym = memberOf(access);
      if (sym && !named.has(sym)) named.set(sym, "shared");
    }
  return named;
}

/** The variable that contains the memory; undefined if a pointer leads to it. */
function memberOf({ object, section }: TaskAccess): Symbol | undefined {
  if (object.kind === "cast") return undefined;
  // The pointer itself, or its target.
  if (object.kind === "ident" && canonical(object.type).kind === "pointer")
    return section.length === 0 ? object.sym : undefined;
  return objectOf(object);
}

function isSharedAround(sym: Symbol, around: readonly Surrounding[]): boolean {
  const inner = around.at(-1);
  if (!inner || inner.pragma.scope.lookup(sym.name) !== sym) return false;
  const attribute = inner.named.get(sym);
  if (attribute) return attribute === "shared";
  return inner.kind === "parallel" || isSharedAround(sym, around.slice(0, -1));
}

function unnamed(reading: Reading, sym: Symbol, use: Use): void {
  reading.report(
    "default-none",
    use.at.span.start,
    `'${sym.name}' is used in a task with default(none), but no clause says what happens to it`,
    "add it to shared, private or firstprivate",
  );
}

function refuseVariable(reading: Reading, d: TaskDirective, sym: Symbol): void {
  const { kind } = canonical(sym.type);
  if (kind !== "array" || !isVariablyModified(sym.type)) return;
  reading.report(
    "variable-length-capture",
    d.loc,
    `'${sym.name}' has a variable length, and a task would get a copy of all of it`,
    `name it in shared(${sym.name}), or in a clause that says which part the task uses`,
  );
}
