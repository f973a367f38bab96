/** Control flow of loop bodies: early exits, and rewriting bodies without `continue`. */

import { itemAt } from "../../checked/access.ts";
import { mapChildren, walkStmt } from "../../lang/index.ts";
import type { Stmt, Symbol } from "../../lang/tree/ast.ts";
import { assign, compound, declare, exprStmt, ident, ifStmt, intLit, unary } from "../../lang/tree/build.ts";
import { asNode } from "../model/ir.ts";

/** Whether it contains a loop of C or of the IR. */
export const hasLoop = (s: Stmt): boolean =>
  holds(s, (child) => isLoopOfC(child) || asNode(child, "loop") !== undefined);

/** Whether it contains a loop of C. */
export const holdsLoop = (s: Stmt): boolean => holds(s, isLoopOfC);

const isLoopOfC = ({ kind }: Stmt): boolean => kind === "for" || kind === "while" || kind === "do";

/** Statements in expressions count, too. */
function holds(s: Stmt, is: (child: Stmt) => boolean): boolean {
  let isFound = false;
  walkStmt(s, {
    stmt(child) {
      isFound ||= is(child);
    },
  });
  return isFound;
}

/** The first statement by which control leaves `body` other than by reaching its end or by `continue`. */
export function leavesEarly(body: Stmt): Stmt | undefined {
  const visit = (s: Stmt, breakable: boolean): Stmt | undefined => {
    const any = (list: readonly (Stmt | undefined)[], inside = breakable): Stmt | undefined => {
      for (const child of list) {
        const found = child && visit(child, inside);
        if (found) return found;
      }
      return undefined;
    };
    switch (s.kind) {
      case "return":
      case "goto":
      case "label":
        return s;
      case "break":
        return breakable ? undefined : s;
      case "compound":
        return any(s.body);
      case "if":
        return any([s.then, s.else]);
      case "for":
      case "while":
      case "do":
      case "switch":
        return any([s.body], true);
      case "case":
        return any([s.body]);
      case "ext":
        return any(s.ext.shape.parts(s.ext).stmts, breakable || s.ext.kind === "loop");
      default:
        return undefined;
    }
  };
  return visit(body, false);
}

/** Whether `s` contains a `continue` of the enclosing loop. */
function continues(s: Stmt): boolean {
  switch (s.kind) {
    case "continue":
      return true;
    case "compound":
      return s.body.some(continues);
    case "if":
      return continues(s.then) || (s.else !== undefined && continues(s.else));
    case "switch":
    case "case":
    case "label":
      return continues(s.body);
    case "ext":
      return s.ext.kind !== "loop" && s.ext.shape.parts(s.ext).stmts.some(continues);
    default:
      return false;
  }
}

/** Whether control never reaches the statement after `s`. */
function alwaysContinues(s: Stmt | undefined): boolean {
  if (!s) return false;
  if (s.kind === "continue") return true;
  if (s.kind === "compound") return s.body.some(alwaysContinues);
  return s.kind === "if" && alwaysContinues(s.then) && alwaysContinues(s.else);
}

/**
 * A loop body that reaches its end in every iteration: `if (c) continue; rest` becomes `if (!c) { rest }`. If a
 * `continue` is inside a switch, or only some paths of both branches reach it, the body is wrapped in a loop that runs
 * once, which the former `continue` leaves by `break`.
 */
export function withoutContinue(body: Stmt): Stmt {
  if (!continues(body)) return body;
  const list = body.kind === "compound" ? body.body : [body];
  const rewritten = rewrite(list);
  if (rewritten) return compound(rewritten, body.span);
  return { kind: "do", body, test: intLit(0), span: body.span };
}

/** The statements without any `continue`; undefined if `if` cannot express it. */
function rewrite(list: readonly Stmt[]): Stmt[] | undefined {
  const at = list.findIndex(continues);
  if (at < 0) return [...list];
  const before = list.slice(0, at);
  const s = itemAt(list, at);
  const rest = list.slice(at + 1);
  if (s.kind === "continue") return before;
  if (s.kind === "compound") {
    // Names of the inner block would become visible to the statements after it.
    if (alwaysContinues(s)) {
      const inner = rewrite(s.body);
      return inner && [...before, compound(inner, s.span)];
    }
    return rest.length === 0 ? wrap(before, rewrite(s.body), s) : undefined;
  }
  if (s.kind !== "if") return undefined;
  const [thenEnds, elseEnds] = [alwaysContinues(s.then), alwaysContinues(s.else)];
  const branch = (b: Stmt | undefined, ends: boolean): Stmt[] | undefined => {
    const own = b === undefined ? [] : b.kind === "compound" ? b.body : [b];
    if (ends) return rewrite(own);
    if (b !== undefined && continues(b)) return rest.length === 0 ? rewrite(own) : undefined;
    const after = rewrite(rest);
    return after && [...(b?.kind === "compound" && after.length ? [b] : own), ...after];
  };
  if (!thenEnds && !elseEnds && rest.length > 0) return undefined;
  const [then, other] = [branch(s.then, thenEnds), branch(s.else, elseEnds)];
  if (!then || !other) return undefined;
  if (then.length === 0 && other.length === 0)
    return [...before, { kind: "expr", expr: s.test, span: s.span }];
  const choice =
    then.length === 0
      ? ifStmt(unary("!", s.test), compound(other, s.span))
      : ifStmt(s.test, compound(then, s.span), other.length ? compound(other, s.span) : undefined);
  return [...before, { ...choice, span: s.span }];
}

function wrap(before: readonly Stmt[], inner: Stmt[] | undefined, s: Stmt): Stmt[] | undefined {
  return inner && [...before, compound(inner, s.span)];
}

/**
 * The same with two int variables of the caller, which say whether the iteration continues and whether the loop has
 * ended: statements after a `continue` or `break` test the first. Undefined if an idiom contains one.
 */
export function leavingBy(active: Symbol, ended: Symbol, body: Stmt): Stmt | undefined {
  return new Leaving(active, ended).body(body);
}

/** The same for `continue` only: `break` stays and ends the loop. */
export function continuingBy(active: Symbol, body: Stmt): Stmt | undefined {
  return new Leaving(active).body(body);
}

class Leaving {
  private readonly active: Symbol;
  private readonly ended: Symbol | undefined;

  constructor(active: Symbol, ended?: Symbol) {
    this.active = active;
    this.ended = ended;
  }

  body(body: Stmt): Stmt | undefined {
    const list = this.after(body.kind === "compound" ? body.body : [body]);
    return list && compound([declare(this.active, intLit(1)), ...list], body.span);
  }

  /** The statements, each guarded by whether an earlier one has left the iteration. */
  private after(list: readonly Stmt[]): Stmt[] | undefined {
    const at = list.findIndex((s) => this.leaves(s));
    if (at < 0) return [...list];
    const here = this.instead(itemAt(list, at));
    const rest = this.after(list.slice(at + 1));
    if (!here || !rest) return undefined;
    return [
      ...list.slice(0, at),
      here,
      ...(rest.length > 0 ? [ifStmt(ident(this.active), compound(rest))] : []),
    ];
  }

  private instead(s: Stmt): Stmt | undefined {
    if (!this.leaves(s)) return s;
    const set = (sym: Symbol, value: number) => exprStmt(assign(ident(sym), intLit(value)));
    if (s.kind === "continue") return { ...set(this.active, 0), span: s.span };
    if (s.kind === "break" && this.ended) return compound([set(this.active, 0), set(this.ended, 1)], s.span);
    if (s.kind === "compound") {
      const body = this.after(s.body);
      return body && { ...s, body };
    }
    if (s.kind === "switch") return this.leavingSwitch(s);
    if (s.kind !== "if") return undefined;
    const [then, other] = [this.instead(s.then), s.else && this.instead(s.else)];
    return then && (other || !s.else) ? { ...s, then, ...(other && { else: other }) } : undefined;
  }

  /** A `continue` or `break` of the loop first leaves the switch by `break`, and then each switch around it. */
  private leavingSwitch(s: Stmt): Stmt | undefined {
    let isKnown = true;
    const inside = (part: Stmt): Stmt => {
      if (!continues(part)) return part;
      const leaves: Stmt = { kind: "break", span: part.span };
      switch (part.kind) {
        case "continue":
          return compound([this.instead(part) as Stmt, leaves], part.span);
        case "switch":
          return compound([mapChildren(part, inside), ifStmt(unary("!", ident(this.active)), leaves)]);
        case "ext":
          isKnown = false;
          return part;
        default:
          return mapChildren(part, inside);
      }
    };
    const rewritten = mapChildren(s, inside);
    return isKnown ? rewritten : undefined;
  }

  /** Whether `s` contains a `continue` of the enclosing loop, or a `break` that is to be replaced. */
  private leaves(s: Stmt): boolean {
    return continues(s) || (this.ended !== undefined && leavesEarly(s)?.kind === "break");
  }
}
