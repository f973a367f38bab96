/** Calls: the program's functions are inlined; a few library functions are circuits. */
import { itemAt } from "../../../checked/access.ts";
import { calleeOf } from "../../../ir/analysis/pointer-flow.ts";
import { isPureMath, leavesResult } from "../../../ir/analysis/purity.ts";
import { isDispatcher } from "../../../ir/model/pointed.ts";
import { canonical, evaluateInteger, sizeOf } from "../../../lang/index.ts";
import type { CType, Expr, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import { binary32, floatShape } from "../../dfg/float-format.ts";
import { isWord } from "../../dfg/shapes.ts";
import { BIT, type Value } from "../../dfg/value.ts";
import { isFixed } from "../../operators/fixed/format.ts";
import { fixedFunction, fixedFunctionNames } from "../../operators/fixed/functions.ts";
import {
  callThroughPointer,
  noFixedFunction,
  noMathFunction,
  noOperator,
  otherFunction,
  unsupportedExpression,
} from "../scope/refusals.ts";
import { pointee, stripped } from "../scope/syntax.ts";
import { bitBuiltin } from "./bits.ts";
import { classification } from "./classification.ts";
import { cast, converted, isReal } from "./conversions.ts";
import { type MathFunction, mathFunction, mathFunctionNames } from "./math.ts";
import { negated } from "./operators.ts";
import { bitsOf, ofBits } from "./parts.ts";
import type { Path } from "./path.ts";
import { resultFunctionNames, resultsOf } from "./results.ts";
import { assign } from "./variables.ts";

const single = floatShape(binary32);

/** The value of acc_device_not_host. */
const NOT_HOST = 3;
/** Known to images alone (core/ir/omp/selectors/image-traits.ts). */
const FPGA = 8;

export function callOf(
  path: Path,
  e: Expr & { readonly kind: "call" },
  guard: Value,
  discarded: boolean,
): Value {
  const at = e.span.start;
  const sym = calleeOf(e);
  if (!sym || isDispatcher(sym)) throw callThroughPointer(at);
  const definition = path.scope.kernel.functions.get(sym);
  if (definition) return inlined(path, definition.parameters, definition.body, e, guard, discarded);
  const [x] = e.args;
  const name = sym.name.replace(/^__builtin_/, "");
  if (x && /^l?l?abs$/.test(name)) {
    const value = converted(path, x, e.type, guard);
    const negative = path.graph.make("lt", BIT, [value, path.graph.constant(0, value.shape)]);
    return path.graph.mux(negative, negated(path.graph, value), value);
  }
  // Conversion between a float and its bits, inserted by passes.
  if (x && (name === "arc_float_bits" || name === "arc_bits_float"))
    return name === "arc_float_bits"
      ? path.graph.resize(cast(path.graph, path.value(x, guard), single, at), path.scope.shapeOf(e.type, at))
      : cast(path.graph, path.graph.resize(path.value(x, guard), single), path.scope.shapeOf(e.type, at), at);
  // Values of acc_device_t that dialects distinguish: the running device is not the host.
  if (name === "acc_on_device" && x) {
    const type = path.value(x, guard);
    const [one, other] = [NOT_HOST, FPGA].map((value) =>
      path.graph.make("eq", BIT, [type, path.graph.constant(value, type.shape)], at),
    );
    const same = one && other ? path.graph.make("or", BIT, [one, other], at) : path.no;
    return path.graph.resize(same, path.scope.shapeOf(e.type, at));
  }
  if (name === "memcpy" && copied(path, e, guard)) return path.no;
  const known = mathFunction(name);
  const classified = sym.name === name ? undefined : classification(path, e, name, guard);
  if (classified) return classified;
  if (known) return computed(path, known, e, name, guard);
  const results = leavesResult(sym) ? resultsOf(path, e, name, guard) : undefined;
  if (results) return results;
  if (name === "expect" && x) return path.value(x, guard);
  const bitFunction = sym.name === name ? undefined : bitBuiltin(name);
  if (bitFunction && x) {
    const operand = path.graph.resize(path.value(x, guard), { bits: bitFunction.bits, signed: false });
    return path.graph.resize(bitFunction.value(path.graph, operand), path.scope.shapeOf(e.type, at));
  }
  if (isPureMath(sym)) throw noMathFunction(sym.name, [...mathFunctionNames, ...resultFunctionNames], at);
  throw noOperator(`'${sym.name}'`, at);
}

/** memcpy between two values of the same size: how C accesses the bits of a number. */
function copied(path: Path, e: Expr & { readonly kind: "call" }, guard: Value): boolean {
  const { start } = e.span;
  const [to, from] = e.args.slice(0, 2).map(pointee);
  const size = e.args[2] && evaluateInteger(e.args[2]);
  if (!to || !from || [to, from].some(({ type }) => !isValue(type) || size !== BigInt(sizeOf(type) ?? -1)))
    return false;
  const bits = bitsOf(path, path.value(from, guard), from.type, start);
  assign(path, to, ofBits(path.graph, bits, path.scope.memoryShapeOf(to.type, start)), guard);
  return true;
}

const isValue = (type: CType): boolean =>
  ["int", "float", "enum"].includes(canonical(type).kind) || isWord(type);

/** A call of a function of <math.h>. */
function computed(
  path: Path,
  { value, operands, integer }: MathFunction,
  e: Expr & { readonly kind: "call" },
  name: string,
  guard: Value,
): Value {
  const at = e.span.start;
  const [first] = e.args;
  const givesIntegerResult = integer?.is === "result";
  const to = first && path.scope.shapeOf(givesIntegerResult ? first.type : e.type, at);
  if (!to || !isReal(to) || e.args.length !== operands) throw otherFunction(name, at);
  const of = isFixed(to) ? fixedFunction(name) : value;
  if (!of) throw noFixedFunction(name, fixedFunctionNames, at);
  const shapes = [to, integer?.is === "second" ? { bits: integer.bits, signed: true } : to, to];
  const values = e.args.map((arg, k) => cast(path.graph, path.value(arg, guard), itemAt(shapes, k), at));
  const result = of(path.graph, values as [Value, Value, Value], at);
  return givesIntegerResult ? cast(path.graph, result, path.scope.shapeOf(e.type, at), at) : result;
}

/** The local array that is passed as an argument. */
function arrayOf(path: Path, argument: Expr): Symbol | undefined {
  const bare = stripped(argument);
  if (bare.kind !== "ident") return undefined;
  const known = path.arrays.get(bare.sym);
  if (known || canonical(bare.type).kind !== "array") return known;
  const { kind } = path.scope.of(bare.sym, argument.span.start);
  return kind === "registers" || kind === "ram" || kind === "table" ? bare.sym : undefined;
}

/** Inlines a routine. Routines are not recursive: normalisation has checked that. */
function inlined(
  path: Path,
  parameters: readonly Symbol[],
  body: Stmt,
  e: Expr & { readonly kind: "call" },
  guard: Value,
  discarded: boolean,
): Value {
  const at = e.span.start;
  const arrays = parameters.map((_, k) => arrayOf(path, itemAt(e.args, k)));
  const values = parameters.map((p, k) =>
    arrays[k] ? undefined : converted(path, itemAt(e.args, k), p.type, guard),
  );
  parameters.forEach((p, k) => {
    const array = arrays[k];
    if (array) {
      path.arrays.set(p, array);
      return;
    }
    // Another call may have bound it to an array.
    path.arrays.delete(p);
    path.set(path.scope.register(p, at), values[k] as Value);
  });
  const level = path.enter("function");
  path.statement(body, guard);
  path.leave();
  if (level.result) return cast(path.graph, level.result, path.scope.shapeOf(e.type, at), at);
  if (!discarded && canonical(e.type).kind !== "void")
    throw unsupportedExpression("a call without a result", at);
  return path.no;
}
