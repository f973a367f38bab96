/** C expressions as values. */

import { canonical, elementType, evaluateInteger, isPointer, sizeOf } from "../../../lang/index.ts";
import type { CType, Expr } from "../../../lang/tree/ast.ts";
import type { Shape, Value } from "../../dfg/value.ts";
import { unsupportedExpression } from "../scope/refusals.ts";
import { stripped } from "../scope/syntax.ts";
import { assignment, effect, increment } from "./assignments.ts";
import { callOf } from "./calls.ts";
import { cast, realCode, truth } from "./conversions.ts";
import { addressOf, offsetAddress } from "./memory.ts";
import { arithmetic, compared, negated, shift } from "./operators.ts";
import { initialWord } from "./parts.ts";
import type { Path } from "./path.ts";
import { loaded } from "./variables.ts";

export function value(path: Path, e: Expr, guard: Value, discarded = false): Value {
  return path.graph.from(e.span.start, () => valueOf(path, e, guard, discarded));
}

function valueOf(path: Path, e: Expr, guard: Value, discarded: boolean): Value {
  const at = e.span.start;
  const shape = (): Shape => path.scope.shapeOf(e.type, at);
  switch (e.kind) {
    case "int":
    case "char":
      return path.graph.constant(e.value, shape());
    case "float": {
      const to = shape();
      return path.graph.constant(realCode(e.value, to), to);
    }
    case "ident": {
      if (e.sym.kind === "enumerator") return path.graph.constant(e.sym.value as bigint, shape());
      const fixed = path.scope.kernel.constantOf(e.sym);
      return fixed === undefined ? loaded(path, e, guard) : path.graph.constant(fixed, shape());
    }
    case "index":
    case "member":
      return loaded(path, e, guard);
    case "sizeof":
    case "alignof": {
      const size = evaluateInteger(e);
      if (size === undefined) throw unsupportedExpression("a size known only at run time", at);
      return path.graph.constant(size, shape());
    }
    case "unary":
      return unary(path, e, guard);
    case "incdec":
      return increment(path, e, guard);
    case "assign":
      return assignment(path, e, guard);
    case "comma":
      effect(path, e.left, guard);
      return path.value(e.right, guard);
    case "binary":
      return binary(path, e, guard);
    case "cond": {
      const test = truth(path, e.test, guard);
      const to = shape();
      const arm = (of: Expr, when: Value) =>
        cast(path.graph, path.value(of, path.graph.and(guard, when)), to, at);
      const first = e.then;
      const { then, otherwise } = path.branch(
        test,
        () => (first ? arm(first, test) : cast(path.graph, path.value(e.test, guard), to, at)),
        () => arm(e.else, path.graph.not(test)),
      );
      return path.graph.mux(test, then, otherwise);
    }
    case "cast": {
      if (canonical(e.to).kind === "void") {
        effect(path, e.arg, guard);
        return path.no;
      }
      if (e.implicit && canonical(e.arg.type).kind === "array") {
        const arg = stripped(e.arg);
        return arg.kind === "ident" ? loaded(path, arg, guard) : addressOf(path, arg, guard);
      }
      if (isNumberOfPointer(e)) path.scope.wholeAddresses();
      return cast(path.graph, path.value(e.arg, guard), shape(), at);
    }
    case "compound":
      return initialWord(path, e.of, e.init, guard, at);
    case "call":
      return callOf(path, e, guard, discarded);
    case "stmt-expr": {
      const { body } = e.body;
      body.forEach((s, k) => {
        if (k < body.length - 1) path.statement(s, guard);
      });
      const last = body.at(-1);
      if (last?.kind !== "expr" || !last.expr) throw unsupportedExpression("a statement expression", at);
      return path.value(last.expr, guard);
    }
    case "generic": {
      const association = e.assocs[e.chosen];
      if (association) return path.value(association.value, guard);
      break;
    }
  }
  throw unsupportedExpression(e.kind, at);
}

/** Whether a pointer becomes a number with all its bits, or a number other than 0 a pointer. */
function isNumberOfPointer({ to, arg }: Expr & { readonly kind: "cast" }): boolean {
  const [from, into] = [canonical(arg.type), canonical(to)];
  if (into.kind === "pointer") return from.kind === "int" && evaluateInteger(arg) !== 0n;
  return from.kind === "pointer" && into.kind === "int" && sizeOf(into) === 8;
}

function unary(path: Path, e: Expr & { readonly kind: "unary" }, guard: Value): Value {
  const at = e.span.start;
  switch (e.op) {
    case "+":
    case "__extension__":
      return path.value(e.arg, guard);
    case "-":
      return negated(path.graph, path.value(e.arg, guard));
    case "~": {
      const value = path.value(e.arg, guard);
      return path.graph.make("not", value.shape, [value]);
    }
    case "!": {
      const not = path.graph.not(truth(path, e.arg, guard));
      return path.graph.resize(not, { bits: 32, signed: true });
    }
    case "*":
      return canonical(e.type).kind === "array" ? path.value(e.arg, guard) : loaded(path, e, guard);
    case "&":
      return addressOf(path, stripped(e.arg), guard, at);
    default:
      throw unsupportedExpression("a complex number", at);
  }
}

function binary(path: Path, e: Expr & { readonly kind: "binary" }, guard: Value): Value {
  const at = e.span.start;
  const int: Shape = { bits: 32, signed: true };
  if (e.op === "&&" || e.op === "||") {
    const left = truth(path, e.left, guard);
    const rest = path.graph.and(guard, e.op === "&&" ? left : path.graph.not(left));
    const [then, none] = [() => truth(path, e.right, rest), () => path.no];
    const isAnd = e.op === "&&";
    const right = isAnd ? path.branch(left, then, none).then : path.branch(left, none, then).otherwise;
    return path.graph.resize(e.op === "&&" ? path.graph.and(left, right) : path.graph.or(left, right), int);
  }
  const a = path.value(e.left, guard);
  const b = path.value(e.right, guard);
  if (e.op === "<<" || e.op === ">>") return shift(path.graph, e.op, a, b);
  const [p, q] = [isPointer(e.left.type), isPointer(e.right.type)];
  if (p !== q && (e.op === "+" || e.op === "-")) {
    const [pointer, by] = p ? [a, b] : [b, a];
    const bytes = sizeOf(elementType(p ? e.left.type : e.right.type) as CType);
    return offsetAddress(path, pointer, e.op === "-" ? negated(path.graph, by) : by, bytes, at);
  }
  if (p && q && e.op === "-") {
    const bytes = sizeOf(elementType(e.left.type) as CType) ?? 1;
    if ((bytes & (bytes - 1)) !== 0) throw unsupportedExpression("a difference of pointers", at);
    const signed: Shape = { bits: path.scope.addressBits, signed: true };
    const difference = path.graph.make("sub", signed, [
      path.graph.resize(a, signed),
      path.graph.resize(b, signed),
    ]);
    const by = path.graph.constant(Math.log2(bytes), signed);
    return path.graph.resize(path.graph.make("shr", signed, [difference, by]), { bits: 64, signed: true });
  }
  const comparison = compared(path.graph, e.op, a, b, at);
  if (comparison) return path.graph.resize(comparison, int);
  return arithmetic(path.graph, e.op, a, b, path.scope.shapeOf(e.type, at), at);
}
