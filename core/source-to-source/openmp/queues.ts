/**
 * Queues as dependences: `async(q)` becomes a target task that depends on one element of an array, so that the tasks of
 * one queue run in order. Queue numbers share elements modulo the array's length, which may add ordering but never
 * loses any.
 */

import { usesOf } from "../../ir/analysis/access.ts";
import { countedHeader } from "../../ir/analysis/loops/counted.ts";
import { hasEffects } from "../../ir/analysis/purity.ts";
import { isGlobal } from "../../ir/analysis/routines.ts";
import type { Clause } from "../../ir/directives/directive.ts";
import { canonical, evaluateInteger, sizeOf, walkStmt } from "../../lang/index.ts";
import type { CType, Expr, FunctionDef, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import { CannotSay } from "../sites/rewrite.ts";

/** Elements for numbered queues; the next one is for `async` without a number. */
const count = 64;

const remark = "/* Target tasks that name the same element run in order: the queues of async clauses. */";
/** The declaration below, in a form that can be found again. */
export const queueArray =
  /\n\/\* Target tasks that name the same element run in order: the queues of async clauses\. \*\/\nstatic char (\w+)\[65\];\n?/;

export class Queues {
  readonly name: string;
  private used = false;

  constructor(name: string) {
    this.name = name;
  }

  /** Needed if any queue is used. */
  get declaration(): string | undefined {
    return this.used ? `${remark}\nstatic char ${this.name}[${count + 1}];` : undefined;
  }

  /** The element for a queue; undefined for the synchronous one. `text`: as written. */
  element(
    queue: Expr | undefined,
    text: string | undefined,
    loc: Loc,
    def: FunctionDef | undefined,
  ): string | undefined {
    const value = queue && evaluateInteger(queue);
    if (value === ACC_ASYNC_SYNC) return undefined;
    this.used = true;
    if (queue === undefined || value === ACC_ASYNC_NOVAL) return `${this.name}[${count}]`;
    if (value !== undefined && value >= 0n) return `${this.name}[${value % BigInt(count)}]`;
    if (isNonNegative(queue, def)) return `${this.name}[(${text ?? ""}) % ${count}]`;
    if (hasEffects(queue))
      throw new CannotSay(
        loc,
        `the queue '${text ?? ""}' may be negative, and its value is needed several times`,
        "put it into a variable first",
        "OpenMP's nowait has no condition, and OpenACC's acc_async_sync is -2",
      );
    return `${this.name}[(${text ?? ""}) < 0 ? ${count} : (${text ?? ""}) % ${count}]`;
  }

  /** Lines behind what is in a queue that may be acc_async_sync: then the program waits for it. */
  ifSync(
    queue: Expr | undefined,
    text: string | undefined,
    loc: Loc,
    def: FunctionDef | undefined,
  ): readonly string[] {
    if (queue === undefined || evaluateInteger(queue) !== undefined || isNonNegative(queue, def)) return [];
    const element = this.element(queue, text, loc, def);
    return [
      `if ((${text ?? ""}) == ${ACC_ASYNC_SYNC}) {`,
      `#pragma omp taskwait depend(inout: ${element ?? ""})`,
      "}",
    ];
  }
}

const ACC_ASYNC_SYNC = -2n;
const ACC_ASYNC_NOVAL = -1n;

export const queueOf = (clause: Clause): Expr | undefined => {
  const [first] = clause.exprs;
  return first === "*" ? undefined : first;
};

function isUnsigned(type: CType): boolean {
  const known = canonical(type);
  return known.kind === "int" && /^(u|bool)/.test(known.name);
}

/** Proved from types, constants and the loops that count the variables. */
function isNonNegative(e: Expr, def: FunctionDef | undefined): boolean {
  const value = evaluateInteger(e);
  if (value !== undefined) return value >= 0n;
  if (isUnsigned(e.type)) return true;
  const inner = stripImplicit(e);
  if (inner.kind === "cast") {
    // A type that holds the value as it is: others may make it negative.
    const [from, to] = [sizeOf(inner.arg.type) ?? 0, sizeOf(inner.to) ?? 0];
    return (isUnsigned(inner.arg.type) ? from < to : from <= to) && isNonNegative(inner.arg, def);
  }
  if (inner.kind === "ident") return def !== undefined && countsUp(inner.sym, def);
  if (inner.kind !== "binary") return false;
  const [left, right] = [isNonNegative(inner.left, def), isNonNegative(inner.right, def)];
  if (inner.op === "%" || inner.op === ">>") return left;
  if (inner.op === "&") return left || right;
  return (["+", "*", "/", "|", "^"] as readonly string[]).includes(inner.op) && left && right;
}

/** Every loop that sets the variable counts up from a nonnegative number, and nothing else sets it. */
function countsUp(sym: Symbol, def: FunctionDef): boolean {
  let loops = 0;
  let other = false;
  const visit = (s: Stmt): void =>
    walkStmt(s, {
      stmt(inner) {
        if (inner.kind === "decl" && inner.decls.some((d) => d.sym === sym && d.init)) other = true;
        const header = inner.kind === "for" ? countedHeader(inner) : undefined;
        if (inner.kind !== "for" || !header || "severity" in header || header.var !== sym) return undefined;
        const [lower, step] = [evaluateInteger(header.lower), evaluateInteger(header.step)];
        if (lower === undefined || lower < 0n || step === undefined || step <= 0n) other = true;
        loops++;
        visit(inner.body);
        return false;
      },
      expr(e) {
        const use = usesOf(e).of.get(sym);
        if (use?.written || use?.addressTaken) other = true;
        return false;
      },
    });
  visit(def.body);
  return loops > 0 && !other && !def.params.includes(sym) && !isGlobal(sym);
}
