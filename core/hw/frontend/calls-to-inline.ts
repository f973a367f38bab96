/** Which calls become statements: those of functions with loops or structs, and those that receive local addresses. */

import { itemAt } from "../../checked/access.ts";
import { holdsLoop } from "../../ir/analysis/control.ts";
import { calleeOf } from "../../ir/analysis/pointer-flow.ts";
import { canonical, isPointer, walkStmt } from "../../lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { isLocal, type PointsTo } from "./pointers/points-to.ts";
import type { InlineFunction } from "./scope/signature.ts";
import { holds, stripped } from "./scope/syntax.ts";

export type Call = Expr & { readonly kind: "call" };

export class CallsToInline {
  private readonly functions: ReadonlyMap<Symbol, InlineFunction>;
  private readonly isOwn: (sym: Symbol) => boolean;
  private readonly pointsTo: PointsTo;
  /** By function: whether all of its calls become statements. */
  private readonly always = new Map<Symbol, boolean>();
  private readonly byElements = new Map<Symbol, boolean>();

  constructor(
    functions: ReadonlyMap<Symbol, InlineFunction>,
    isOwn: (sym: Symbol) => boolean,
    pointsTo: PointsTo,
  ) {
    this.functions = functions;
    this.isOwn = isOwn;
    this.pointsTo = pointsTo;
  }

  /** Whether a part of the expression must become statements. */
  holds(e: Expr): boolean {
    return holds(e, (part) => this.isLifted(part));
  }

  private isLifted(e: Expr): boolean {
    if (e.kind === "call") return this.called(e) !== undefined;
    if (e.kind === "compound") return isRecord(e) || canonical(e.type).kind === "array";
    return e.kind === "cond" && isRecord(e);
  }

  /** The function whose call becomes statements; undefined for calls that stay in their expressions. */
  called(e: Call): InlineFunction | undefined {
    const sym = calleeOf(e);
    const definition = sym && this.functions.get(sym);
    if (!definition) return undefined;
    const known =
      this.always.get(sym) ??
      (isRecord(e) ||
        definition.parameters.some((p) => canonical(p.type).kind === "record") ||
        this.hasLoop(definition.body));
    this.always.set(sym, known);
    return known || e.args.some((a, k) => this.isPlace(a, definition.parameters[k])) ? definition : undefined;
  }

  /** Whether an argument must become a variable of the kernel. */
  private isPlace(argument: Expr, parameter: Symbol | undefined): boolean {
    if (!isPointer(argument.type)) return false;
    const bare = stripped(argument);
    if (bare.kind === "call") return this.called(bare) !== undefined;
    if (!isLocal(this.pointsTo.pointer(argument))) return false;
    return !this.localArray(argument) || !parameter || !this.takesElements(parameter);
  }

  /** Whether the function only reads and writes through the pointer. */
  private takesElements(p: Symbol): boolean {
    const known = this.byElements.get(p);
    if (known !== undefined) return known;
    const owner = [...this.functions.values()].find(({ parameters }) => parameters.includes(p));
    let otherUses = 0;
    const isParameter = (e: Expr) => e.kind === "ident" && e.sym === p;
    const isElement = (e: Expr): boolean =>
      isParameter(stripped(e)) || (e.kind === "index" && isElement(stripped(e.base)));
    if (owner)
      walkStmt(owner.body, {
        expr: (e) => {
          if (isParameter(e)) otherUses++;
          if (e.kind === "unary" && e.op === "*" && isParameter(stripped(e.arg))) otherUses--;
          if (e.kind === "index" && canonical(e.type).kind !== "array" && isElement(e)) otherUses--;
          const callee = e.kind === "call" ? calleeOf(e) : undefined;
          const bound = callee && this.functions.get(callee)?.parameters;
          if (e.kind === "call" && bound)
            otherUses -= e.args.filter(
              (a, k) => isParameter(stripped(a)) && this.takesElements(itemAt(bound, k)),
            ).length;
        },
      });
    this.byElements.set(p, otherUses === 0);
    return otherUses === 0;
  }

  /** Whether the function, or one that it calls, has a loop. */
  private hasLoop(body: Stmt): boolean {
    let hasLoop = holdsLoop(body);
    walkStmt(body, {
      expr: (e) => {
        if (e.kind === "call") hasLoop ||= this.called(e) !== undefined;
      },
    });
    return hasLoop;
  }

  localArray(argument: Expr): Expr | undefined {
    const bare = stripped(argument);
    if (bare.kind !== "ident" || canonical(bare.type).kind !== "array") return undefined;
    return this.isOwn(bare.sym) ? bare : undefined;
  }

  /** `&x` and `&x.a` of a local variable: a register has no address, and needs none. */
  localAddress(argument: Expr): Expr | undefined {
    const bare = stripped(argument);
    if (bare.kind !== "unary" || bare.op !== "&") return undefined;
    let of = stripped(bare.arg);
    while (of.kind === "member" && !of.arrow) of = stripped(of.base);
    if (of.kind !== "ident" || canonical(of.type).kind === "array") return undefined;
    return this.isOwn(of.sym) ? bare : undefined;
  }
}

export const isRecord = (e: Expr): boolean => canonical(e.type).kind === "record";
