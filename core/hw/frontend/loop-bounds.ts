/** What `for` loops say about their counters, for code inside them. */
import { countedHeader } from "../../ir/analysis/loops/counted.ts";
import {
  canonical,
  evaluateInteger,
  isDiagnostic,
  isInteger,
  isSigned,
  sizeOf,
  walkStmt,
} from "../../lang/index.ts";
import type { CType, Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { interpret, isLiteral, readsVariable, type Value } from "../dfg/value.ts";
import { type LinearForm, plus } from "../linear/form.ts";
import { Block } from "./block/block.ts";
import type { Scope } from "./scope/scope.ts";
import type { KernelSignature } from "./scope/signature.ts";
import { assigned, invariant } from "./scope/syntax.ts";

/**
 * Sums that are 0 or more while the body of a loop runs, until its step. `changing`: variables that functions change.
 *
 *     for (int j = k + 1; j < n; j++)   =>   j - k - 1, n - j - 1
 */
export function boundsOf(scope: Scope, s: Stmt, changing: ReadonlySet<Symbol>): readonly LinearForm[] {
  if (s.kind !== "for") return [];
  const header = countedHeader(s);
  if (isDiagnostic(header)) return [];
  const { var: counter, lower, bound, relation } = header;
  const step = evaluateInteger(header.step);
  // Narrower and unsigned counters may wrap around.
  if (step === undefined || step === 0n || !isWide(counter.type)) return [];
  const changed = new Set([...assigned(s.body), ...changing]);
  if (changed.has(counter)) return [];
  const sumOf = (e: Expr): LinearForm | undefined =>
    invariant(e, changed, counter) ? exactSum(new Block(scope).now(e)) : undefined;
  const place: LinearForm = { constant: 0n, terms: new Map([[scope.register(counter, s.span.start), 1n]]) };
  const [first, last] = [sumOf(lower), isWide(bound.type) ? sumOf(bound) : undefined];
  const up = step > 0n;
  const distance = (from: LinearForm, to: LinearForm) => (up ? plus(to, from, -1n) : plus(from, to, -1n));
  const strict: LinearForm = { constant: -1n, terms: new Map() };
  return [
    ...(first ? [distance(first, place)] : []),
    ...(last && relation === (up ? "<" : ">") ? [plus(distance(place, last), strict)] : []),
    ...(last && relation === (up ? "<=" : ">=") ? [distance(place, last)] : []),
  ];
}

/** Whether arithmetic of the type is that of whole numbers: other results are undefined in C. */
const isWide = (type: CType): boolean => isInteger(type) && isSigned(type) && (sizeOf(type) ?? 0) >= 4;

/** The value as a sum of variables, exactly; undefined: it is no such sum, or may wrap around. */
function exactSum(value: Value): LinearForm | undefined {
  const { op, shape, args } = value;
  if (shape.float || shape.fractionBits !== undefined) return undefined;
  if (isLiteral(value)) return { constant: interpret(value.constant, shape), terms: new Map() };
  if (readsVariable(value)) return { constant: 0n, terms: new Map([[value.variable, 1n]]) };
  const [a, b] = args;
  if (op === "resize" && a && keepsValue(a, value)) return exactSum(a);
  if ((op !== "add" && op !== "sub") || !a || !b || !shape.signed || shape.bits < 32) return undefined;
  const [x, y] = [exactSum(a), exactSum(b)];
  return x && y && plus(x, y, op === "add" ? 1n : -1n);
}

const keepsValue = ({ shape: from }: Value, { shape: to }: Value): boolean =>
  from.signed === to.signed ? to.bits >= from.bits : to.signed && to.bits > from.bits;

/**
 * Whether the kernel computes modulo a power of two that addresses may show: by wide unsigned arithmetic, or where it cuts
 * numbers of 64 bits off.
 */
export function mayWrap({ body, functions }: KernelSignature): boolean {
  let found = false;
  const expr = (e: Expr): void => {
    found ||= isModular(e);
  };
  for (const s of [...body, ...[...functions.values()].map((f) => f.body)]) walkStmt(s, { expr });
  return found;
}

function isModular(e: Expr): boolean {
  switch (e.kind) {
    case "binary":
      return ["+", "-", "*", "<<"].includes(e.op) && isUnsigned(e.type);
    case "unary":
      return e.op === "-" && isUnsigned(e.type);
    case "incdec":
      return isUnsigned(e.type);
    case "assign":
      return (
        ["+=", "-=", "*=", "<<="].includes(e.op) && (isUnsigned(e.left.type) || isUnsigned(e.right.type))
      );
    case "cast":
      return isInteger(e.arg.type) && isInteger(e.to) && sizeOf(e.arg.type) === 8 && sizeOf(e.to) === 4;
    default:
      return false;
  }
}

const isUnsigned = (type: CType): boolean =>
  isInteger(canonical(type)) && !isSigned(type) && (sizeOf(type) ?? 0) >= 4;
