/**
 * Prints a region's C if it computes in another format than float: memory, arguments and pointers keep floats,
 * variables and local arrays have the format, and operations on them are calls of its model.
 */
import { calleeOf } from "../../../core/ir/analysis/pointer-flow.ts";
import { canonical, intKind, printDecl } from "../../../core/lang/index.ts";
import type { CType, Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { stripImplicit } from "../../../core/lang/tree/build.ts";
import type { Dialect, KernelPrinter } from "../../shared/print/kernel-text.ts";
import type { NumberModel } from "./number-model.ts";

/** The region has an expression whose value C text cannot compute. */
export class NoReference extends Error {}

const isNumber = (type: CType): boolean => {
  const canonicalType = canonical(type);
  return (
    canonicalType.kind === "float" && (canonicalType.name === "float" || canonicalType.name === "float32")
  );
};

/** A union's members have the bits of C's formats. */
const isUnion = (type: CType): boolean => {
  const canonicalType = canonical(type);
  return canonicalType.kind === "record" && canonicalType.decl.union;
};

type Print = (e: Expr) => string;

const primary = (text: string): string => (/^[\w.[\]]+$/.test(text) ? text : `(${text})`);

const operations: Readonly<Record<string, string>> = {
  "+": "sum",
  "-": "difference",
  "*": "product",
  "/": "quotient",
};

/** `parameters`: the kernel's parameters, whose floats are C's. */
export function inNumbers(
  c: Dialect,
  model: NumberModel,
  parameters: ReadonlySet<Symbol>,
): Pick<Dialect, "options" | "statement"> {
  const numbers = new NumberPrinter(model, parameters);
  return {
    options: {
      ...c.options,
      typeName: (type, pointedTo) => (isNumber(type) && !pointedTo ? "arc_number" : undefined),
      expr: (e, print) => numbers.expression(e, print) ?? c.options.expr?.(e, print),
    },
    statement(s: Stmt, print: KernelPrinter) {
      const text = s.kind === "expr" && s.expr ? numbers.effect(s.expr, print.expr) : undefined;
      return text === undefined ? undefined : [`${text};`];
    },
  };
}

/** Prints expressions on numbers; undefined for those that C computes. */
class NumberPrinter {
  private readonly model: NumberModel;
  private readonly parameters: ReadonlySet<Symbol>;

  constructor(model: NumberModel, parameters: ReadonlySet<Symbol>) {
    this.model = model;
    this.parameters = parameters;
  }

  expression(e: Expr, print: Print): string | undefined {
    switch (e.kind) {
      case "member":
        if (isUnion(e.base.type)) throw new NoReference("bits");
        break;
      case "cast":
        if (
          e.arg.kind === "unary" &&
          e.arg.op === "&" &&
          isNumber(e.arg.arg.type) &&
          !this.isOutside(e.arg.arg)
        )
          throw new NoReference("bits");
        if (isNumber(e.type) === isNumber(e.arg.type)) return undefined;
        if (canonical(e.type).kind === "void") return undefined;
        return converted(print(e.arg), e.arg.type, e.type);
      case "call":
        return this.call(e, print);
      case "assign": {
        const text = this.effect(e, print);
        if (text !== undefined && this.isOutside(e.left)) throw new NoReference("assign");
        return text && `(${text})`;
      }
      case "incdec":
        if (isNumber(e.type)) throw new NoReference("incdec");
        return undefined;
    }
    if (!isNumber(e.type)) return undefined;
    switch (e.kind) {
      case "float":
        return this.model.literal(e.value);
      case "ident":
        return this.parameters.has(e.sym) ? `arc_of(${print(e)})` : undefined;
      case "index":
      case "member":
        return this.isOutside(e) ? `arc_of(${lvalue(e, print)})` : undefined;
      case "unary":
        if (e.op === "*") return `arc_of(${lvalue(e, print)})`;
        return e.op === "-" ? `arc_minus(${print(e.arg)})` : undefined;
      case "binary":
        return operation(e.op, print(e.left), print(e.right));
      default:
        return undefined;
    }
  }

  /** The side effect of an expression on numbers; undefined if it has none. */
  effect(e: Expr, print: Print): string | undefined {
    if (e.kind === "incdec" && isNumber(e.type))
      return this.assignment(e.arg, operation(e.op.slice(1), print(e.arg), this.model.literal(1)), print);
    if (e.kind !== "assign") return undefined;
    const { left, right } = e;
    const [to, from] = [isNumber(left.type), isNumber(right.type)];
    if (!to && !from) return undefined;
    if (e.op === "=") {
      const value = converted(print(right), right.type, left.type);
      return to ? this.assignment(left, value, print) : `${print(left)} = ${value}`;
    }
    const op = e.op.slice(0, -1);
    const old = converted(print(left), left.type, right.type);
    const value = from ? operation(op, old, print(right)) : `${old} ${op} ${primary(print(right))}`;
    const back = converted(value, right.type, left.type);
    return to ? this.assignment(left, back, print) : `${print(left)} = ${back}`;
  }

  private call(e: Expr & { readonly kind: "call" }, print: Print): string | undefined {
    const name = calleeOf(e)?.name.replace(/^__builtin_/, "") ?? "";
    const args = e.args.map(print);
    if (name === "arc_float_bits") return `arc_float_bits(arc_float(${args}))`;
    if (name === "inff" || name === "huge_valf") return this.model.literal(Number.POSITIVE_INFINITY);
    if (name === "nanf") return this.model.literal(Number.NaN);
    // Which numbers are subnormal, and whether there are infinities, depends on the format.
    if (/^(is|fpclassify|signbit)/.test(name) && e.args.some(({ type }) => isNumber(type)))
      throw new NoReference(name);
    if (name === "arc_bits_float") return `arc_of(arc_bits_float(${args}))`;
    return isNumber(e.type) && /^[a-z0-9]+f$/.test(name) && !print(e.callee).includes("arc_")
      ? this.model.call(name.slice(0, -1), args)
      : undefined;
  }

  /** left = right, without its value. */
  private assignment(left: Expr, right: string, print: Print): string {
    return this.isOutside(left)
      ? `${lvalue(left, print)} = arc_float(${right})`
      : `${lvalue(left, print)} = ${right}`;
  }

  /** Whether a float lvalue is outside the kernel's own variables. */
  private isOutside(e: Expr): boolean {
    let object = stripImplicit(e);
    if (object.kind === "ident") return this.parameters.has(object.sym);
    while (object.kind === "index") object = stripImplicit(object.base);
    return !(
      object.kind === "ident" &&
      canonical(object.type).kind === "array" &&
      !this.parameters.has(object.sym)
    );
  }
}

function converted(text: string, from: CType, to: CType): string {
  if (isNumber(from) === isNumber(to)) return text;
  const integer = (type: CType) => intKind(canonical(type)) !== undefined;
  if (isNumber(to)) return integer(from) ? `arc_of_integer(${text})` : `arc_of(${text})`;
  const canonicalType = canonical(to);
  if (canonicalType.kind === "int" && canonicalType.name === "bool") return `(${primary(text)} != 0)`;
  return `(${printDecl(canonicalType)})${integer(to) ? "arc_whole" : "arc_real"}(${text})`;
}

function operation(op: string, a: string, b: string): string {
  const name = operations[op];
  if (!name) throw new NoReference(op);
  return `arc_${name}(${a}, ${b})`;
}

/** Prints an lvalue. */
function lvalue(e: Expr, print: Print): string {
  const at = stripImplicit(e);
  if (at.kind === "ident") return print(at).replace(/^arc_of\((.*)\)$/, "$1");
  if (at.kind === "index") return `${primary(print(at.base))}[${print(at.index)}]`;
  if (at.kind === "unary" && at.op === "*") return `(*${primary(print(at.arg))})`;
  if (at.kind === "member") return `${primary(print(at.base))}${at.arrow ? "->" : "."}${at.name}`;
  throw new NoReference(at.kind);
}
