/**
 * Flags of one iteration: variables that the loop inside it only sets, to one constant, and that have a known value
 * before it.
 *
 *     int found = 0;                          int found = 0;
 *     loop vector                     =>      loop vector reduction(max:found)
 *       if (a[i][j] < 0) found = 1;             if (a[i][j] < 0) found = 1;
 *
 * The greatest of 0 and what the lanes have is 1 exactly if one of them set it. A value before the loop that no constant
 * says could lie on either side of the one that is set, unless that is the type's own greatest or least.
 */
import { canonical, evaluate, mapChildren, walkStmt } from "../../../lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import { cast, exprStmt, stripImplicit } from "../../../lang/tree/build.ts";
import { findStatement } from "../../../lang/tree/children.ts";
import { INT_BITS, intKind, isUnsignedKind } from "../../../lang/tree/integers.ts";
import { usesOf } from "../../analysis/access.ts";
import { isGlobal } from "../../analysis/routines.ts";
import { asNode, type Loop, type ReductionOp } from "../../model/ir.ts";
import { nodesIn } from "../../model/nodes.ts";

type Constant = bigint | number;
/** Constants that a variable may have at a place. Undefined: it may have any value. */
type Values = ReadonlySet<Constant> | undefined;

/**
 * The operator that combines a flag which `at`, a loop inside one iteration, sets. Undefined: what the flag is behind
 * the loop is not certain.
 */
export function flagReduction(iteration: Stmt, at: Stmt, loop: Loop, sym: Symbol): ReductionOp | undefined {
  const [value, ...others] = storedIn(loop.body, sym) ?? [];
  if (value === undefined || others.length > 0) return undefined;
  const bounds = boundsOf(sym);
  if (value === bounds?.greatest) return "max";
  if (value === bounds?.least) return "min";
  const before = [...(valuesBefore(iteration, at, sym) ?? [])];
  if (before.length === 0) return undefined;
  if (before.every((v) => v <= value)) return "max";
  return before.every((v) => v >= value) ? "min" : undefined;
}

function boundsOf({ type }: Symbol): { readonly least: bigint; readonly greatest: bigint } | undefined {
  const kind = intKind(type);
  if (kind === undefined) return undefined;
  if (kind === "bool") return { least: 0n, greatest: 1n };
  const bits = BigInt(INT_BITS[kind]);
  if (isUnsignedKind(kind)) return { least: 0n, greatest: 2n ** bits - 1n };
  return { least: -(2n ** (bits - 1n)), greatest: 2n ** (bits - 1n) - 1n };
}

function valuesBefore(iteration: Stmt, at: Stmt, sym: Symbol): Values {
  const uses = usesOf(iteration);
  if (sym.storage === "static" || uses.of.get(sym)?.addressTaken) return undefined;
  if (isGlobal(sym) && (uses.calls.size > 0 || uses.indirectCall)) return undefined;
  // A jump could come from anywhere.
  if (findStatement(iteration, ({ kind }) => kind === "label" || kind === "asm")) return undefined;
  return at === iteration ? undefined : onTheWay(iteration, at, sym, undefined);
}

/** What the variable may have where `at`, a statement inside `s`, begins. */
function onTheWay(s: Stmt, at: Stmt, sym: Symbol, entered: Values): Values {
  if (s === at) return entered;
  if (s.kind === "compound") {
    let values = entered;
    for (const child of s.body) {
      if (holds(child, at)) return onTheWay(child, at, sym, values);
      values = behind(child, sym, values);
    }
    return undefined;
  }
  const loop = asNode(s, "loop");
  if (loop && [...loop.privates, ...loop.reductions.map((r) => r.sym)].includes(sym)) return undefined;
  // Earlier rounds of a loop, and cases above, may have set it.
  const again = either(entered, storedIn(s.kind === "if" ? exprStmt(s.test) : s, sym));
  let values: Values;
  mapChildren(s, (child) => {
    if (holds(child, at)) values = onTheWay(child, at, sym, again);
    return child;
  });
  return values;
}

/** What it may have behind a statement. */
function behind(s: Stmt, sym: Symbol, before: Values): Values {
  const stored = storedIn(s, sym);
  const always =
    (s.kind === "expr" && s.expr !== undefined && isStore(s.expr, sym)) ||
    (s.kind === "decl" && s.decls.some((d) => d.sym === sym));
  return always ? stored : either(before, stored);
}

const either = (one: Values, other: Values): Values => one && other && new Set([...one, ...other]);

const holds = (s: Stmt, at: Stmt): boolean => findStatement(s, (inner) => inner === at) !== undefined;

const isStore = (e: Expr, sym: Symbol): boolean =>
  e.kind === "assign" && e.op === "=" && isSym(e.left, sym) && evaluate(e.right) !== undefined;

function isSym(e: Expr, sym: Symbol): boolean {
  const inner = stripImplicit(e);
  return inner.kind === "ident" && inner.sym === sym;
}

/** The constants that a statement stores in a variable, in its type. Undefined: it may store other values, too. */
function storedIn(s: Stmt, sym: Symbol): Values {
  const found = new Set<Constant>();
  let only = true;
  const store = (e: Expr) => {
    const value = evaluate(cast(canonical(sym.type), e));
    if (value === undefined) only = false;
    else found.add(value);
  };
  walkStmt(s, {
    stmt(inner) {
      if (inner.kind !== "decl") return;
      const init = inner.decls.find((d) => d.sym === sym)?.init;
      if (init?.kind === "expr") store(init.expr);
      else if (init) only = false;
    },
    expr(e) {
      if (e.kind === "assign" && isSym(e.left, sym)) {
        if (e.op === "=") store(e.right);
        else only = false;
      }
      if ((e.kind === "incdec" || (e.kind === "unary" && e.op === "&")) && isSym(e.arg, sym)) only = false;
    },
  });
  for (const { reductions } of nodesIn(s, "loop"))
    for (const { sym: reduced, op } of reductions) only &&= reduced !== sym || op === "max" || op === "min";
  for (const { target, captured } of nodesIn(s, "atomic"))
    only &&= !(isSym(target, sym) || (captured !== undefined && isSym(captured, sym)));
  return only ? found : undefined;
}
