/**
 * Printing expressions with the parentheses that C needs, and those that gcc's -Wparentheses asks for:
 * emitted code is compiled with the user's warning flags.
 */
import type { Compound, CType, Designator, Expr, Init, OffsetPath } from "../tree/ast.ts";
import { BINARY_PRECEDENCE } from "../tree/precedence.ts";
import { TypePrinter } from "./print-types.ts";

/** Columns that an initialiser may take before it gets lines of its own. */
const WIDTH = 80;
const COMMA = 1;
const ASSIGN = 2;
const COND = 3;
/** Added to the grammar's binary levels 1 to 10. */
const BINARY = 3;
const CAST = 14;
const UNARY = 15;
const POSTFIX = 16;
const PRIMARY = 17;

export abstract class ExpressionPrinter extends TypePrinter {
  protected abstract compoundText(body: Compound): string;
  /** The node whose own hook is running. */
  private hooked: Expr | undefined;

  /** Any expression, commas included. */
  expression(expr: Expr): string {
    return this.at(expr, COMMA);
  }

  /** An expression where a comma would separate: arguments, initialisers. */
  override assignment(expr: Expr): string {
    return this.at(expr, ASSIGN);
  }

  /** `expr` with parentheses if it binds less tightly than `level`. */
  private at(expr: Expr, level: number): string {
    const { hooked } = this;
    if (this.options.expr && expr !== hooked) {
      this.hooked = expr;
      const text = this.options.expr(expr, (part) => this.at(part, part === expr ? COMMA : ASSIGN));
      this.hooked = hooked;
      if (text !== undefined) return text;
    }
    this.hooked = undefined;
    if (expr.kind === "cast" && expr.implicit) return this.at(expr.arg, level);
    for (const decl of expr.defines ?? []) this.pending.add(decl);
    const text = this.text(expr);
    this.hooked = hooked;
    return levelOf(expr) < level ? `(${text})` : text;
  }

  private text(expr: Expr): string {
    switch (expr.kind) {
      case "ident":
        return this.nameOf(expr.sym);
      case "int":
      case "float":
      case "char":
        return expr.text;
      case "string":
        return expr.pieces.join(" ");
      case "unary":
        return this.unary(expr.op, this.at(expr.arg, CAST));
      case "incdec":
        return expr.prefix
          ? this.unary(expr.op, this.at(expr.arg, UNARY))
          : `${this.at(expr.arg, POSTFIX)}${expr.op}`;
      case "binary":
        return this.binary(expr);
      case "assign":
        return `${this.at(expr.left, UNARY)} ${expr.op} ${this.at(expr.right, ASSIGN)}`;
      case "cond": {
        const test = this.at(expr.test, COND + 1);
        const otherwise = this.at(expr.else, COND);
        return expr.then
          ? `${test} ? ${this.at(expr.then, COMMA)} : ${otherwise}`
          : `${test} ?: ${otherwise}`;
      }
      case "comma":
        return `${this.at(expr.left, COMMA)}, ${this.at(expr.right, ASSIGN)}`;
      case "call":
        return `${this.at(expr.callee, POSTFIX)}(${expr.args.map((arg) => this.assignment(arg)).join(", ")})`;
      case "index":
        return `${this.at(expr.base, POSTFIX)}[${this.at(expr.index, COMMA)}]`;
      case "member":
        return `${this.at(expr.base, POSTFIX)}${expr.arrow ? "->" : "."}${this.memberName(expr.name)}`;
      case "cast":
        return `(${this.declaration(expr.to)})${this.at(expr.arg, CAST)}`;
      case "compound":
        return `(${this.declaration(expr.of)})${this.init(expr.init)}`;
      case "sizeof":
        return `sizeof(${this.operand(expr)})`;
      case "alignof":
        return expr.of ? `_Alignof(${this.operand(expr)})` : `__alignof__(${this.operand(expr)})`;
      case "generic": {
        const assocs = expr.assocs.map(
          ({ of, value }) => `${of ? this.declaration(of) : "default"}: ${this.assignment(value)}`,
        );
        return `_Generic(${[this.assignment(expr.control), ...assocs].join(", ")})`;
      }
      case "stmt-expr":
        return `(${this.compoundText(expr.body)})`;
      case "label-addr":
        return `&&${expr.label}`;
      case "builtin":
        return `${expr.name}(${expr.args.map((arg) => this.builtinArgument(arg)).join(", ")})`;
    }
  }

  private operand(expr: { readonly arg?: Expr; readonly of?: CType }): string {
    if (expr.of) return this.declaration(expr.of);
    return expr.arg ? this.expression(expr.arg) : "";
  }

  /** Keeps `- -a`, `+ +a` and `& &&label` apart. */
  private unary(op: string, arg: string): string {
    const word = /\w$/.test(op);
    const apart = word || ("+-&".includes(op.charAt(0)) && arg.charAt(0) === op.charAt(0));
    return apart ? `${op} ${arg}` : op + arg;
  }

  private binary(expr: Expr & { readonly kind: "binary" }): string {
    const level = levelOf(expr);
    const operand = (side: Expr, minimum: number): string => {
      const inner = explicit(side);
      const text = this.at(side, minimum);
      const bare = levelOf(inner) >= minimum;
      const asks =
        inner.kind === "binary"
          ? isConfusing(expr.op, inner.op)
          : side === expr.left && isNegatedBit(expr.op, inner);
      return bare && asks ? `(${text})` : text;
    };
    return `${operand(expr.left, level)} ${expr.op} ${operand(expr.right, level + 1)}`;
  }

  private builtinArgument(arg: Expr | CType | OffsetPath): string {
    if (arg.kind === "offset-path") {
      return arg.parts
        .map((part, i) =>
          typeof part !== "string" ? `[${this.expression(part)}]` : i > 0 ? `.${part}` : part,
        )
        .join("");
    }
    return "span" in arg ? this.assignment(arg) : this.declaration(arg);
  }

  protected init(init: Init): string {
    if (init.kind === "expr") return this.assignment(init.expr);
    if (init.items.length === 0) return "{}";
    const items = init.items.map(({ designators, init: value }) => {
      const path = designators.map((step) => this.designator(step)).join("");
      return path === "" ? this.init(value) : `${path} = ${this.init(value)}`;
    });
    const line = `{${items.join(", ")}}`;
    return line.length <= WIDTH ? line : ["{", ...this.indented(filled(items)), "}"].join("\n");
  }

  private designator(step: Designator): string {
    if (step.kind === "field") return `.${this.memberName(step.name)}`;
    const to = step.to ? ` ... ${this.assignment(step.to)}` : "";
    return `[${this.assignment(step.index)}${to}]`;
  }
}

/** Items in as few lines as possible; a multi-line item gets lines of its own. */
function filled(items: readonly string[]): string[] {
  const lines: string[] = [];
  let line = "";
  for (const item of items) {
    const joined = line === "" ? `${item},` : `${line} ${item},`;
    if (line !== "" && (joined.length > WIDTH || joined.includes("\n"))) {
      lines.push(line);
      line = `${item},`;
    } else line = joined;
  }
  return [...lines, line];
}

function explicit(expr: Expr): Expr {
  return expr.kind === "cast" && expr.implicit ? explicit(expr.arg) : expr;
}

function levelOf(expr: Expr): number {
  switch (expr.kind) {
    case "comma":
      return COMMA;
    case "assign":
      return ASSIGN;
    case "cond":
      return COND;
    case "binary":
      return BINARY + (BINARY_PRECEDENCE.get(expr.op) ?? 0);
    case "cast":
      return expr.implicit ? levelOf(expr.arg) : CAST;
    case "unary":
    case "sizeof":
    case "alignof":
    case "label-addr":
      return UNARY;
    case "incdec":
      return expr.prefix ? UNARY : POSTFIX;
    case "call":
    case "index":
    case "member":
    case "compound":
      return POSTFIX;
    default:
      return PRIMARY;
  }
}

const COMPARISONS: ReadonlySet<string> = new Set(["==", "!=", "<", ">", "<=", ">="]);
const BITWISE: ReadonlySet<string> = new Set(["&", "|", "^"]);
const ADDITIVE: ReadonlySet<string> = new Set(["+", "-"]);

/** gcc warns about `!a & b`, since it may be a typo for `~a & b` or `!a && b`. */
const isNegatedBit = (op: string, left: Expr): boolean =>
  (op === "&" || op === "|") && left.kind === "unary" && left.op === "!";

/** Operators that gcc warns about when nested without parentheses. */
function isConfusing(outer: string, inner: string): boolean {
  if (outer === "||") return inner === "&&";
  if (outer === "<<" || outer === ">>") return ADDITIVE.has(inner);
  if (BITWISE.has(outer)) {
    return ADDITIVE.has(inner) || COMPARISONS.has(inner) || (BITWISE.has(inner) && inner !== outer);
  }
  return COMPARISONS.has(outer) && COMPARISONS.has(inner);
}
