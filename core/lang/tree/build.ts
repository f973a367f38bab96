/**
 * Builders of typed nodes. They compute each node's C type and make the implicit conversions of operands explicit, so
 * the parser and transformations type alike. Operands of a wrong type do not throw: the result then has the left
 * operand's type if possible.
 */
import type { AssignOp, BinaryOp, CType, Expr, FloatKind, Init, Span, Stmt, Symbol, UnaryOp } from "./ast.ts";
import { intKind, promote, usualArithmetic, wrapInteger } from "./integers.ts";
import { sizeOf } from "./layout.ts";
import { makeSymbol, NOWHERE } from "./scope.ts";
import {
  calleeType,
  canonical,
  compatibleUnqualified,
  DOUBLE,
  decay,
  elementType,
  findField,
  floatType,
  INT,
  intType,
  isArithmetic,
  isInteger,
  isPointer,
  isVoid,
  mergeQuals,
  PTRDIFF,
  pointerTo,
  qualify,
  SIZE,
  unqualified,
  VOID,
} from "./types.ts";

type ExprOf<K extends Expr["kind"]> = Extract<Expr, { readonly kind: K }>;

// ---------------------------------------------------------------- conversions

const sameType = (a: CType, b: CType): boolean => a === b || compatibleUnqualified(a, b);

/** `expr` as a value of type `to`: itself if it has that type, else under an implicit cast. */
export function convert(expr: Expr, to: CType): Expr {
  if (sameType(expr.type, to) && canonical(expr.type).kind !== "array") return expr;
  return {
    kind: "cast",
    to: unqualified(to),
    arg: expr,
    implicit: true,
    type: unqualified(to),
    span: expr.span,
  };
}

/** `expr` as a value: arrays and functions become pointers under an implicit cast. */
export function decayed(expr: Expr): Expr {
  const { kind } = canonical(expr.type);
  return kind === "array" || kind === "function" ? convert(expr, decay(expr.type)) : expr;
}

/** Without implicit casts at the top. */
export function stripImplicit(expr: Expr): Expr {
  let inner = expr;
  while (inner.kind === "cast" && inner.implicit) inner = inner.arg;
  return inner;
}

/** The statement that blocks of nothing else stand around. */
export function stripBlocks(s: Stmt): Stmt {
  let inner = s;
  while (inner.kind === "compound" && inner.body.length === 1) inner = inner.body[0] as Stmt;
  return inner;
}

/**
 * The width of the bit-field that `expr` reads, which decides its promotion. As in gcc, assignments, increments and
 * commas preserve it. (Fields wider than int compute in their declared type here.)
 */
export function bitWidth(expr: Expr): number | undefined {
  switch (expr.kind) {
    case "member":
      return expr.field?.width;
    case "assign":
      return bitWidth(expr.left);
    case "incdec":
      return bitWidth(expr.arg);
    case "comma":
      return bitWidth(expr.right);
    case "unary":
      return expr.op === "__extension__" ? bitWidth(expr.arg) : undefined;
    default:
      return undefined;
  }
}

/** An operand converted to the common type; a real one stays real beside a complex one (C11 6.3.1.8). */
function toCommon(expr: Expr, common: CType): Expr {
  const real = canonical(expr.type).kind !== "complex";
  return convert(expr, common.kind === "complex" && real ? floatType(common.name) : common);
}

export function promoted(expr: Expr): Expr {
  return convert(expr, promote(expr.type, bitWidth(expr)));
}

// ---------------------------------------------------------------- leaves

export function ident(sym: Symbol, span: Span = NOWHERE): Expr {
  return { kind: "ident", sym, type: sym.type, span };
}

const SUFFIXES: Readonly<Record<string, string>> = {
  uint: "u",
  long: "l",
  ulong: "ul",
  llong: "ll",
  ullong: "ull",
};

/** An integer constant; negative ones become a negated literal. */
export function intLit(value: bigint | number, type: CType = INT, span: Span = NOWHERE): Expr {
  const kind = intKind(type) ?? "int";
  const wrapped = wrapInteger(BigInt(value), kind);
  if (wrapped < 0n) {
    // The most negative value has no positive counterpart in its type.
    const lowest = wrapInteger(-wrapped, kind) === wrapped;
    const magnitude = intLit(lowest ? -wrapped - 1n : -wrapped, type, span);
    const negated: Expr = { kind: "unary", op: "-", arg: magnitude, type, span };
    return lowest ? binary("-", negated, intLit(1, type, span), span) : negated;
  }
  return { kind: "int", value: wrapped, text: `${wrapped}${SUFFIXES[kind] ?? ""}`, type, span };
}

const FLOAT_SUFFIXES: Readonly<Record<FloatKind, string>> = {
  float: "f",
  double: "",
  ldouble: "L",
  float16: "f16",
  bfloat16: "bf16",
  float32: "f32",
  float64: "f64",
  float128: "f128",
  float32x: "f32x",
  float64x: "f64x",
};

/** A floating constant; infinity is spelled as a constant too large for any type. */
export function floatLit(value: number, type: CType = DOUBLE, span: Span = NOWHERE): Expr {
  if (value < 0 || Object.is(value, -0)) {
    return { kind: "unary", op: "-", arg: floatLit(-value, type, span), type, span };
  }
  const digits = value === Infinity ? "1e9999" : String(value);
  const text = /[.e]/.test(digits) ? digits : `${digits}.0`;
  const seen = canonical(type);
  const suffix = seen.kind === "float" ? FLOAT_SUFFIXES[seen.name] : "";
  return { kind: "float", value, text: text + suffix, type, span };
}

// ---------------------------------------------------------------- operators

export function unary(op: UnaryOp, operand: Expr, span: Span = operand.span): Expr {
  const make = (arg: Expr, type: CType): Expr => ({ kind: "unary", op, arg, type, span });
  switch (op) {
    case "&":
      return make(operand, pointerTo(operand.type));
    case "*": {
      const arg = decayed(operand);
      return make(arg, elementType(arg.type) ?? arg.type);
    }
    case "!":
      return make(decayed(operand), INT);
    case "__extension__":
      return make(operand, operand.type);
    case "__real__":
    case "__imag__": {
      const seen = canonical(operand.type);
      return make(
        operand,
        seen.kind === "complex" ? qualify(floatType(seen.name), seen.quals) : operand.type,
      );
    }
    default: {
      const arg = promoted(operand);
      return make(arg, unqualified(arg.type));
    }
  }
}

export const deref = (pointer: Expr, span?: Span): Expr => unary("*", pointer, span);
export const addressOf = (operand: Expr, span?: Span): Expr => unary("&", operand, span);

export function incdec(op: "++" | "--", prefix: boolean, arg: Expr, span: Span = arg.span): Expr {
  return { kind: "incdec", op, prefix, arg, type: unqualified(arg.type), span };
}

/** From the start of `a` to the end of `b`. */
function joinSpan(a: Span, b: Span): Span {
  return a === b ? a : { start: a.start, end: b.end };
}

const COMPARISONS: ReadonlySet<string> = new Set(["==", "!=", "<", ">", "<=", ">="]);

export function binary(
  op: BinaryOp,
  left: Expr,
  right: Expr,
  span: Span = joinSpan(left.span, right.span),
): Expr {
  const make = (l: Expr, r: Expr, type: CType): Expr => ({
    kind: "binary",
    op,
    left: l,
    right: r,
    type,
    span,
  });
  const a = decayed(left);
  const b = decayed(right);
  if (op === "&&" || op === "||") return make(a, b, INT);
  const vector = vectorOf(a, b);
  if (vector) return make(a, b, COMPARISONS.has(op) ? vectorMask(vector) : unqualified(vector));
  if (op === "<<" || op === ">>") {
    const shifted = promoted(a);
    return make(shifted, promoted(b), unqualified(shifted.type));
  }
  if (isPointer(a.type) || isPointer(b.type)) return pointerOperation(op, a, b, make);
  const common = usualArithmetic(promote(a.type, bitWidth(a)), promote(b.type, bitWidth(b)));
  if (!common) return make(a, b, COMPARISONS.has(op) ? INT : unqualified(a.type));
  return make(toCommon(a, common), toCommon(b, common), COMPARISONS.has(op) ? INT : common);
}

type Make = (left: Expr, right: Expr, type: CType) => Expr;

function pointerOperation(op: BinaryOp, a: Expr, b: Expr, make: Make): Expr {
  if (COMPARISONS.has(op)) {
    // `p == 0` and `p == (void *)0` compare in p's type.
    const to = isPointer(a.type) && !isVoidPointer(a.type) ? a.type : isPointer(b.type) ? b.type : a.type;
    return make(convert(a, to), convert(b, to), INT);
  }
  if (op === "-" && isPointer(a.type) && isPointer(b.type)) return make(a, b, PTRDIFF);
  return make(a, b, unqualified(isPointer(a.type) ? a.type : b.type));
}

const isVoidPointer = (type: CType): boolean => isPointer(type) && isVoid(elementType(type) ?? VOID);

function vectorOf(a: Expr, b: Expr): CType | undefined {
  if (canonical(a.type).kind === "vector") return a.type;
  return canonical(b.type).kind === "vector" ? b.type : undefined;
}

/** Comparing vectors gives a vector of signed integers of the same width. */
function vectorMask(type: CType): CType {
  const seen = canonical(type);
  if (seen.kind !== "vector") return INT;
  const size = sizeOf(seen.of) ?? 4;
  const name = ({ 1: "schar", 2: "short", 4: "int", 8: "long", 16: "int128" } as const)[size];
  return { kind: "vector", of: intType(name ?? "int"), bytes: seen.bytes };
}

export function assign(
  left: Expr,
  right: Expr,
  op: AssignOp = "=",
  span: Span = joinSpan(left.span, right.span),
): Expr {
  const type = unqualified(left.type);
  const make = (value: Expr): Expr => ({ kind: "assign", op, left, right: value, type, span });
  const value = decayed(right);
  if (op === "=") return make(convert(value, type));
  if (isPointer(type) || op === "<<=" || op === ">>=") return make(promoted(value));
  // A compound assignment computes in the common type; the result's conversion back has no node.
  const common = usualArithmetic(promote(left.type, bitWidth(left)), promote(value.type, bitWidth(value)));
  return make(common ? toCommon(value, common) : value);
}

export function cond(
  test: Expr,
  then: Expr | undefined,
  otherwise: Expr,
  span: Span = joinSpan(test.span, otherwise.span),
): Expr {
  const condition = decayed(test);
  const a = decayed(then ?? condition);
  const b = decayed(otherwise);
  const type = conditionalType(a, b);
  const convertible = isArithmetic(type) || isPointer(type);
  return {
    kind: "cond",
    test: condition,
    ...(then && { then: convertible ? convert(a, type) : a }),
    else: convertible ? convert(b, type) : b,
    type,
    span,
  };
}

/** C11 6.5.15. */
function conditionalType(a: Expr, b: Expr): CType {
  if (isArithmetic(a.type) && isArithmetic(b.type)) {
    const [left, right] = [promote(a.type, bitWidth(a)), promote(b.type, bitWidth(b))];
    return usualArithmetic(left, right) ?? left;
  }
  if (isVoid(a.type) || isVoid(b.type)) return VOID;
  if (isPointer(a.type) && isPointer(b.type)) return conditionalPointer(a, b);
  if (isPointer(a.type)) return unqualified(a.type);
  return unqualified(isPointer(b.type) ? b.type : a.type);
}

function conditionalPointer(a: Expr, b: Expr): CType {
  if (isNullPointer(a)) return unqualified(b.type);
  if (isNullPointer(b)) return unqualified(a.type);
  const left = elementType(a.type) ?? VOID;
  const right = elementType(b.type) ?? VOID;
  const to = isVoid(left) ? left : isVoid(right) ? right : left;
  return pointerTo(qualify(to, mergeQuals(canonical(left).quals, canonical(right).quals)));
}

/** A null pointer constant: 0 or `(void *)0`. */
function isNullPointer(expr: Expr): boolean {
  if (expr.kind === "int") return expr.value === 0n;
  if (expr.kind !== "cast" || !isNullPointer(expr.arg)) return false;
  if (isInteger(expr.to)) return true;
  const to = canonical(expr.to);
  return to.kind === "pointer" && to.to.kind === "void" && !to.to.quals;
}

export function comma(left: Expr, right: Expr, span: Span = joinSpan(left.span, right.span)): Expr {
  const value = decayed(right);
  return { kind: "comma", left, right: value, type: value.type, span };
}

/** The callee keeps its array or function type if it has one. */
export function call(callee: Expr, args: readonly Expr[], span: Span = callee.span): Expr {
  const type = calleeType(callee.type);
  const passed = args.map((arg, i) => {
    const value = decayed(arg);
    const param = type && !type.unprototyped ? type.params[i] : undefined;
    if (param) return convertsImplicitly(value, param.type) ? convert(value, param.type) : value;
    return type ? defaultPromotion(value) : value;
  });
  return { kind: "call", callee, args: passed, type: unqualified(type?.ret ?? INT), span };
}

/** Default argument promotions (C11 6.5.2.2p6). */
function defaultPromotion(expr: Expr): Expr {
  const seen = canonical(expr.type);
  if (seen.kind === "float" && seen.name === "float") return convert(expr, DOUBLE);
  return isInteger(expr.type) ? promoted(expr) : expr;
}

/** Records and vectors convert to nothing but themselves; a transparent union takes its members. */
function convertsImplicitly(expr: Expr, to: CType): boolean {
  const kinds = [canonical(expr.type).kind, canonical(to).kind];
  return !kinds.includes("record") && !kinds.includes("vector") && !kinds.includes("void");
}

/** `value` converted for storing into an object of type `to`: assignment, initialisation, return. */
export function assigned(value: Expr, to: CType): Expr {
  const right = decayed(value);
  return convertsImplicitly(right, to) ? convert(right, to) : right;
}

export function index(base: Expr, subscript: Expr, span: Span = joinSpan(base.span, subscript.span)): Expr {
  // `1[a]` is `a[1]` with the operands swapped.
  const [array, at] = elementType(base.type) ? [base, subscript] : [subscript, base];
  const type = elementType(array.type) ?? INT;
  const operands = array === base ? { base, index: promoted(at) } : { base: promoted(at), index: array };
  return { kind: "index", ...operands, type, span };
}

/** Undefined when the record has no such member. */
export function member(
  base: Expr,
  name: string,
  arrow: boolean,
  span: Span = base.span,
): ExprOf<"member"> | undefined {
  const object = arrow ? decayed(base) : base;
  const record = canonical(arrow ? (elementType(object.type) ?? VOID) : object.type);
  if (record.kind !== "record") return undefined;
  const field = findField(record.decl, name);
  if (!field) return undefined;
  return { kind: "member", base: object, arrow, name, field, type: qualify(field.type, record.quals), span };
}

export function cast(to: CType, arg: Expr, span: Span = arg.span): Expr {
  const value = isVoid(to) || canonical(to).kind === "record" ? arg : decayed(arg);
  return { kind: "cast", to, arg: value, type: unqualified(to), span };
}

export function sizeofExpr(arg: Expr): Expr {
  return { kind: "sizeof", arg, type: SIZE, span: arg.span };
}

// ---------------------------------------------------------------- symbols and statements

/** A new block-scope variable, distinct from all others; emitters choose spellings that do not collide. */
export function freshSymbol(name: string, type: CType): Symbol {
  return makeSymbol(name, "var", type, "block");
}

export function whileStmt(test: Expr, body: Stmt): Stmt {
  return { kind: "while", test, body, span: body.span };
}

export function exprStmt(expr: Expr): Stmt {
  return { kind: "expr", expr, span: expr.span };
}

export function compound(
  body: readonly Stmt[],
  span: Span = body[0]?.span ?? NOWHERE,
): Extract<Stmt, { kind: "compound" }> {
  return { kind: "compound", body, span };
}

/** `type name = init;` for a fresh or existing symbol. */
export function declare(
  sym: Symbol,
  init?: Expr,
  span: Span = init?.span ?? sym.span,
): Extract<Stmt, { kind: "decl" }> {
  const value: Init | undefined = init && { kind: "expr", expr: assigned(init, sym.type) };
  return { kind: "decl", decls: [{ sym, ...(value && { init: value }), span }], defines: [], span };
}

export function ifStmt(test: Expr, then: Stmt, otherwise?: Stmt): Stmt {
  return { kind: "if", test: decayed(test), then, ...(otherwise && { else: otherwise }), span: test.span };
}

export function forStmt(
  init: Expr | Extract<Stmt, { kind: "decl" }> | undefined,
  test: Expr | undefined,
  step: Expr | undefined,
  body: Stmt,
): Extract<Stmt, { kind: "for" }> {
  return {
    kind: "for",
    ...(init && { init }),
    ...(test && { test }),
    ...(step && { step }),
    body,
    span: body.span,
  };
}

export function returnStmt(value?: Expr): Stmt {
  return { kind: "return", ...(value && { value }), span: value?.span ?? NOWHERE };
}
