/**
 * Constraints of C11 (6.5 to 6.8) that the parser does not check. The C compiler reports them for code it compiles.
 * This check is for code that other compilers see only after arc rewrote it, so that their errors would point at text
 * the user never wrote.
 */

import { printDecl } from "../print/print.ts";
import type { CType, Diagnostic, Expr, Init, Span, Stmt } from "../tree/ast.ts";
import { stripImplicit } from "../tree/build.ts";
import { evaluateInteger } from "../tree/constant-evaluation.ts";
import { diagnostic } from "../tree/diagnostics.ts";
import {
  calleeType,
  canonical,
  compatibleUnqualified,
  elementType,
  isArithmetic,
  isArray,
  isInteger,
  isPointer,
  isScalar,
  isVoid,
} from "../tree/types.ts";
import { walkStmt } from "../tree/walk.ts";

/** The constraints that a statement violates, in source order. */
export function brokenConstraints(stmt: Stmt): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const report: Report = (code, span, message, remedy) => {
    found.push(diagnostic("error", code, message, span.start, { end: span.end, remedy }));
  };
  walkStmt(stmt, {
    stmt: (s) => checkStmt(s, report),
    expr: (e) => checkExpr(e, report),
  });
  return found;
}

type Report = (code: string, span: Span, message: string, remedy: string) => void;

function checkStmt(s: Stmt, report: Report): void {
  switch (s.kind) {
    case "if":
    case "while":
    case "do":
      return condition(s.test, report);
    case "for":
      return s.test && condition(s.test, report);
    case "switch":
      if (!isInteger(s.test.type))
        report("operand-type", s.test.span, "`switch` needs an integer", "switch over an integer");
      return distinctCases(s.body, report);
    case "decl":
      for (const { sym, init, span } of s.decls) {
        const type = canonical(sym.type);
        const isObject = sym.kind === "var" && sym.storage !== "extern";
        if (isObject && type.kind === "record" && !type.decl.fields)
          report(
            "incomplete-type",
            span,
            `'${sym.name}' has a type whose size is not known`,
            "define the struct or union before",
          );
        else if (init) initialises(sym.type, init, report);
      }
      return;
    default:
  }
}

function initialises(type: CType, init: Init, report: Report): void {
  if (init.kind === "expr" && !isArray(type)) assigns(type, init.expr, report);
  else if (init.kind === "list" && isScalar(type) && init.items[0])
    initialises(type, init.items[0].init, report);
}

function checkExpr(e: Expr, report: Report): void {
  switch (e.kind) {
    case "binary":
      return operands(e.op, e.left, e.right, e.span, report);
    case "unary":
      if (e.op === "&") addressable(e.arg, report);
      return operand(e.op, e.arg, report);
    case "incdec":
      if (!isScalar(e.arg.type)) wrongOperand(e.op, e.arg, report);
      modifiable(e.arg, report);
      return;
    case "assign":
      if (!modifiable(e.left, report)) return;
      if (e.op === "=") assigns(e.left.type, e.right, report);
      else operands(e.op.slice(0, -1), e.left, e.right, e.span, report);
      return;
    case "cond":
      return condition(e.test, report);
    case "call":
      return passes(e, report);
    default:
  }
}

const valueType = (e: Expr): CType => stripImplicit(e).type;
const isVector = (type: CType): boolean => canonical(type).kind === "vector";

function addressable(e: Expr, report: Report): void {
  if (e.kind === "member" && !e.arrow) addressable(e.base, report);
  if (e.kind === "ident" && e.sym.storage === "register")
    report(
      "register-address",
      e.span,
      `'${e.sym.name}' is in a register, which has no address`,
      `declare '${e.sym.name}' without register`,
    );
}

function condition(test: Expr, report: Report): void {
  if (!isScalar(test.type))
    report("operand-type", test.span, "a condition is a number or a pointer", "compare a member of it");
}

function operand(op: string, arg: Expr, report: Report): void {
  const { type } = arg;
  if (isVector(type)) return;
  const allowed =
    op === "!"
      ? isScalar(type)
      : op === "~"
        ? isInteger(type) || canonical(type).kind === "complex"
        : op === "+" || op === "-"
          ? isArithmetic(type)
          : true;
  if (!allowed) wrongOperand(op, arg, report);
}

function operands(op: string, left: Expr, right: Expr, span: Span, report: Report): void {
  const types = [left.type, right.type];
  if (types.some(isVector)) return;
  const pointers = types.filter((type) => isPointer(type) || isArray(type)).length;
  const integers = types.every(isInteger);
  switch (op) {
    case "%":
    case "<<":
    case ">>":
    case "&":
    case "|":
    case "^": {
      const wrong = [left, right].find((side) => !isInteger(stripImplicit(side).type));
      if (!integers && wrong) wrongOperand(op, wrong, report);
      return;
    }
    case "&&":
    case "||":
      for (const side of [left, right]) if (!isScalar(side.type)) wrongOperand(op, side, report);
      return;
    default: {
      const arithmetic = types.every(isArithmetic);
      const addressed =
        (op === "+" && pointers === 1 && types.some(isInteger)) ||
        (op === "-" && pointers > 0 && (pointers === 2 || isInteger(right.type))) ||
        (/^[<>=!]/.test(op) && pointers === 2);
      if (!arithmetic && !addressed)
        report(
          "operand-type",
          span,
          `\`${op}\` has no meaning for ${nameOf(valueType(left))} and ${nameOf(valueType(right))}`,
          "convert one of them",
        );
    }
  }
}

function wrongOperand(op: string, arg: Expr, report: Report): void {
  const remedy = /^[%&|^~]$|<<|>>/.test(op) ? "convert it to an integer" : "use a number";
  report("operand-type", arg.span, `\`${op}\` has no meaning for ${nameOf(valueType(arg))}`, remedy);
}

/** C11 6.3.2.1: a modifiable lvalue is not an array and not const. */
function modifiable(target: Expr, report: Report): boolean {
  const e = inner(target);
  const refuse = (message: string, remedy: string) => {
    report("not-assignable", e.span, message, remedy);
    return false;
  };
  if (!isLvalue(e)) return refuse("this is a value, not a variable", "assign to a variable");
  if (isArray(e.type)) return refuse("an array cannot be assigned as a whole", "copy its elements");
  if (isConstant(e.type)) return refuse("this is const", "leave `const` out where it is declared");
  return true;
}

/** Const itself or, for a struct, in a member. */
function isConstant(type: CType): boolean {
  const seen = canonical(type);
  if (seen.quals?.const) return true;
  if (seen.kind === "array") return isConstant(seen.of);
  return seen.kind === "record" && (seen.decl.fields ?? []).some((field) => isConstant(field.type));
}

const inner = (e: Expr): Expr => (e.kind === "unary" && e.op === "__extension__" ? inner(e.arg) : e);

function isLvalue(e: Expr): boolean {
  switch (e.kind) {
    case "ident":
      return e.sym.kind === "var" || e.sym.kind === "param";
    case "unary":
      return ["*", "__real__", "__imag__"].includes(e.op);
    case "member":
      return e.arrow || isLvalue(inner(e.base));
    case "index":
      return !isVector(e.base.type) || isLvalue(inner(e.base));
    case "generic":
      return isLvalue((e.assocs[e.chosen] as { value: Expr }).value);
    case "compound":
    case "string":
    case "builtin":
      return true;
    default:
      return false;
  }
}

/** C11 6.5.16.1, without what compilers only warn about, such as incompatible pointer types. */
function assigns(to: CType, value: Expr, report: Report): void {
  const from = valueType(value);
  if (isVector(to) || isVector(from) || canonical(to).kind === "function") return;
  const say = (why: string, remedy: string) =>
    report("conversion", value.span, `${nameOf(from)} ${why} ${nameOf(to)}`, remedy);
  if (isVoid(from)) say("is no value for", "call a function that returns one");
  else if (isArithmetic(to) && isArithmetic(from)) return;
  else if (isPointer(to) && isInteger(from)) {
    if (evaluateInteger(stripImplicit(value)) !== 0n) say("becomes no", "write a cast, or take an address");
  } else if (isInteger(to) && (isPointer(from) || isArray(from))) {
    const truth = canonical(to);
    if (truth.kind !== "int" || truth.name !== "bool")
      say("becomes no", "write a cast, or read what it points to");
  } else if (isPointer(to) && (isPointer(from) || isArray(from) || canonical(from).kind === "function"))
    return;
  else if (!compatibleUnqualified(to, from)) say("becomes no", "assign its members");
}

function passes(e: Expr & { readonly kind: "call" }, report: Report): void {
  const type = calleeType(e.callee.type);
  const callee = stripImplicit(e.callee);
  // Builtins have no declaration in the source, and their types follow rules of their own.
  if (!type || type.unprototyped || (callee.kind === "ident" && callee.sym.name.startsWith("__builtin_")))
    return;
  const { params, variadic } = type;
  const name = callee.kind === "ident" ? `'${callee.sym.name}'` : "the function";
  if (e.args.length < params.length || (e.args.length > params.length && !variadic)) {
    const takes = `${variadic ? "at least " : ""}${params.length}`;
    report(
      "argument-count",
      e.span,
      `${name} takes ${takes}, and gets ${e.args.length}`,
      "pass what it declares",
    );
    return;
  }
  for (const [i, param] of params.entries()) {
    const arg = e.args[i];
    const into = canonical(param.type);
    // A transparent union accepts values of its members.
    if (arg && !(into.kind === "record" && into.decl.union)) assigns(param.type, arg, report);
  }
}

/** Labels of this switch, not of switches nested in it. */
function distinctCases(body: Stmt, report: Report): void {
  const seen = new Set<string>();
  const once = (label: string, span: Span) => {
    if (seen.has(label)) report("duplicate-case", span, `this switch has ${label} twice`, "keep one of them");
    seen.add(label);
  };
  walkStmt(body, {
    expr: () => false,
    stmt(s) {
      if (s.kind === "switch") return false;
      if (s.kind === "case") {
        const value = s.value && evaluateInteger(s.value);
        if (!s.value) once("'default'", s.span);
        else if (value !== undefined && !s.to) once(`'case ${value}'`, s.value.span);
      }
      return undefined;
    },
  });
}

function nameOf(type: CType): string {
  const element = isPointer(type) ? elementType(type) : undefined;
  return element && canonical(element).kind === "function"
    ? "a pointer to a function"
    : `'${printDecl(type)}'`;
}
