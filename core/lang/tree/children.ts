/** Statements inside a statement. */
import type { Stmt } from "./ast.ts";

/** `stmt` and every statement in it, in source order; not the declaration in the head of a `for`. */
export function* statementsIn(stmt: Stmt): Generator<Stmt, undefined> {
  const waiting = [stmt];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next;
    const children: Stmt[] = [];
    mapChildren(next, (child) => {
      children.push(child);
      return child;
    });
    waiting.push(...children.reverse());
  }
}

/** The first statement, in source order, that satisfies the predicate. */
export function findStatement(stmt: Stmt, holds: (inner: Stmt) => boolean): Stmt | undefined {
  for (const inner of statementsIn(stmt)) if (holds(inner)) return inner;
  return undefined;
}

/** `stmt` with its direct child statements mapped; the same object when none changed. */
export function mapChildren(stmt: Stmt, f: (child: Stmt) => Stmt): Stmt {
  switch (stmt.kind) {
    case "compound": {
      const body = stmt.body.map(f);
      return body.every((b, i) => b === stmt.body[i]) ? stmt : { ...stmt, body };
    }
    case "if": {
      const then = f(stmt.then);
      const otherwise = stmt.else && f(stmt.else);
      if (then === stmt.then && otherwise === stmt.else) return stmt;
      return { ...stmt, then, ...(otherwise && { else: otherwise }) };
    }
    case "switch":
    case "while":
    case "do":
    case "for":
    case "label":
    case "case": {
      const body = f(stmt.body);
      return body === stmt.body ? stmt : { ...stmt, body };
    }
    case "ext": {
      const { stmts, exprs } = stmt.ext.shape.parts(stmt.ext);
      const mapped = stmts.map(f);
      if (mapped.every((m, i) => m === stmts[i])) return stmt;
      return { ...stmt, ext: stmt.ext.shape.withParts(stmt.ext, mapped, exprs) };
    }
    default:
      return stmt;
  }
}
