/**
 * Rewrites a function's body so that it has no `return`:
 *
 *     if (c) return a; rest; return b;   =>   if (c) { result = a; returned = 1; } if (!returned) { rest; result = b; }
 *
 * Loops and switches are left by `break`, one after the other.
 */

import { itemAt } from "../../checked/access.ts";
import { walkStmt } from "../../lang/index.ts";
import type { Stmt, Symbol } from "../../lang/tree/ast.ts";
import { assign, compound, declare, exprStmt, ident, ifStmt, intLit, unary } from "../../lang/tree/build.ts";

/** `result`: absent if the value is not used. Undefined if an idiom contains a `return`. */
export function withoutReturns(body: Stmt, result: Symbol | undefined, returned: Symbol): Stmt | undefined {
  const list = new Returning(result, returned).after(listOf(body), { inside: false, last: true });
  if (!list) return undefined;
  const asks = list.some((s) => mentions(s, returned));
  return compound([...(asks ? [declare(returned, intLit(0))] : []), ...list], body.span);
}

interface Where {
  readonly inside: boolean;
  /** No statement of the function follows. */
  readonly last: boolean;
}

class Returning {
  private readonly result: Symbol | undefined;
  private readonly returned: Symbol;

  constructor(result: Symbol | undefined, returned: Symbol) {
    this.result = result;
    this.returned = returned;
  }

  after(list: readonly Stmt[], where: Where): readonly Stmt[] | undefined {
    const at = list.findIndex(returns);
    if (at < 0) return list;
    const s = itemAt(list, at);
    const rest = s.kind === "return" ? reached(list.slice(at + 1)) : list.slice(at + 1);
    const here = this.instead(s, { ...where, last: where.last && rest.length === 0 });
    const then = this.after(rest, where);
    if (!here || !then) return undefined;
    const guarded = where.inside || then.length === 0 ? then : [this.unlessReturned(compound(then))];
    return [...list.slice(0, at), ...here, ...guarded];
  }

  private instead(s: Stmt, where: Where): readonly Stmt[] | undefined {
    if (!returns(s)) return [s];
    switch (s.kind) {
      case "return": {
        const { result, returned } = this;
        const value = s.value && (result ? assign(ident(result), s.value) : s.value);
        return [
          ...(value ? [{ ...exprStmt(value), span: s.span }] : []),
          ...(where.last ? [] : [exprStmt(assign(ident(returned), intLit(1)))]),
          ...(where.inside ? [{ kind: "break", span: s.span } as const] : []),
        ];
      }
      case "compound": {
        const body = this.after(s.body, where);
        return body && [{ ...s, body }];
      }
      case "if": {
        const then = this.after(listOf(s.then), where);
        const other = s.else && this.after(listOf(s.else), where);
        if (!then || (s.else && !other)) return undefined;
        return [{ ...s, then: compound(then), ...(other && { else: compound(other) }) }];
      }
      case "case": {
        const rewritten = s.body.kind === "case" ? this.instead(s.body, where) : this.after([s.body], where);
        const [only, ...more] = rewritten ?? [];
        return only && [{ ...s, body: more.length === 0 ? only : compound([only, ...more]) }];
      }
      case "switch":
      case "for":
      case "while":
      case "do": {
        const body = this.after(listOf(s.body), { inside: true, last: false });
        if (!body) return undefined;
        const leaves: Stmt = { kind: "break", span: s.span };
        return [
          { ...s, body: compound(body, s.body.span) },
          ...(where.inside ? [ifStmt(ident(this.returned), leaves)] : []),
        ];
      }
      default:
        return undefined;
    }
  }

  private unlessReturned(s: Stmt): Stmt {
    return ifStmt(unary("!", ident(this.returned)), s);
  }
}

/** Code after a `return` is reachable only from a label on. */
function reached(list: readonly Stmt[]): readonly Stmt[] {
  const label = list.findIndex(({ kind }) => kind === "case");
  return label < 0 ? [] : list.slice(label);
}

const listOf = (s: Stmt): readonly Stmt[] => (s.kind === "compound" ? s.body : [s]);

function returns(s: Stmt): boolean {
  let found = false;
  walkStmt(s, {
    stmt(child) {
      found ||= child.kind === "return";
    },
  });
  return found;
}

function mentions(s: Stmt, sym: Symbol): boolean {
  let found = false;
  walkStmt(s, {
    expr(e) {
      found ||= e.kind === "ident" && e.sym === sym;
    },
  });
  return found;
}
