/**
 * Asks gcc whether the front end is right: the printed program carries assertions about the types and
 * constants that the parser computed, and gcc must accept them all.
 */

import {
  type CType,
  canonical,
  type Expr,
  evaluate,
  print,
  printDecl,
  printExpr,
  type Stmt,
  type TranslationUnit,
  walkExpr,
} from "../../../core/lang/index.ts";
import { isBuiltinName } from "../../../core/lang/tree/builtins.ts";

/** The program with, before each statement, assertions about every expression in it. */
export function withAssertions(unit: TranslationUnit): { readonly text: string; readonly count: number } {
  let count = 0;
  const text = print(unit, {
    stmt: (stmt, printStmt) => {
      if (stmt.kind !== "compound") return undefined;
      const lines = stmt.body.flatMap((item) => {
        const assertions = operands(item).flatMap(assertionsAbout);
        count += assertions.length;
        return [...assertions, ...printStmt(item)];
      });
      return ["{", ...lines, "}"];
    },
  });
  return { text, count };
}

/** Expressions that see the names visible before the statement. */
function operands(stmt: Stmt): Expr[] {
  if (stmt.kind === "expr") return stmt.expr ? [stmt.expr] : [];
  if (stmt.kind === "if" || stmt.kind === "while" || stmt.kind === "switch") return [stmt.test];
  return stmt.kind === "return" && stmt.value ? [stmt.value] : [];
}

function assertionsAbout(top: Expr): string[] {
  const lines: string[] = [];
  const say = (test: string, about: string): void => {
    lines.push(`_Static_assert(${test}, ${JSON.stringify(about.replace(/[^ -~]/g, " ").slice(0, 200))});`);
  };
  walkExpr(top, {
    expr: (expr) => {
      if (!isRepeatable(expr)) return expr.kind === "stmt-expr" ? false : undefined;
      const text = printExpr(expr);
      const type = printDecl(expr.type);
      say(`__builtin_types_compatible_p(__typeof__(${text}), ${type})`, `${text} has type ${type}`);
      const value = evaluate(expr);
      if (typeof value === "bigint" && canonical(expr.type).kind === "int") {
        say(
          `(${text}) == (${type})${value}${value < 0n || value >= 1n << 63n ? "ULL" : ""}`,
          `${text} is ${value}`,
        );
      }
      return undefined;
    },
  });
  return lines;
}

/** Whether gcc can check it in another position: no labels, no definitions, no bit-fields. */
function isRepeatable(expr: Expr): boolean {
  if (isUnnamed(expr.type) || isBitField(expr)) return false;
  if (expr.kind === "ident" && isBuiltinName(expr.sym.name)) return false;
  let repeatable = expr.kind !== "string";
  walkExpr(expr, {
    expr: (part) => {
      if (part.kind === "stmt-expr" || part.kind === "label-addr" || part.defines) repeatable = false;
      // What the machine's own functions return is known to gcc alone.
      if (part.kind === "ident" && part.sym.name.startsWith("__builtin_ia32_")) repeatable = false;
    },
  });
  return repeatable && !(expr.kind === "cast" && expr.implicit);
}

/** gcc gives the value of a bit-field a type that cannot be written. */
function isBitField(expr: Expr): boolean {
  if (expr.kind === "member") return expr.field?.width !== undefined;
  if (expr.kind === "assign") return isBitField(expr.left);
  if (expr.kind === "incdec") return isBitField(expr.arg);
  return expr.kind === "comma" && isBitField(expr.right);
}

/** Whether writing the type again would make another type. */
function isUnnamed(type: CType): boolean {
  switch (type.kind) {
    case "pointer":
      return isUnnamed(type.to);
    case "array":
      return isUnnamed(type.of);
    case "function":
      return isUnnamed(type.ret) || type.params.some((param) => isUnnamed(param.type));
    case "record":
    case "enum":
      return type.decl.tag === undefined;
    case "typeof":
      return !type.expr && (!type.of || isUnnamed(type.of));
    default:
      return false;
  }
}

/** The program with every implicit conversion written as a cast. */
export function withCasts(unit: TranslationUnit): string {
  return print(unit, {
    expr: (expr, printPart) => {
      if (expr.kind !== "cast" || !expr.implicit || isUnnamed(expr.to)) return undefined;
      return `((${printDecl(expr.to)})(${printPart(expr.arg)}))`;
    },
  });
}
