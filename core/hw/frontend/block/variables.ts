/** Reads and sets lvalues, wherever they are stored. */

import { firstOf } from "../../../checked/access.ts";
import { isPointer } from "../../../lang/index.ts";
import type { Expr, Loc } from "../../../lang/tree/ast.ts";
import type { Graph } from "../../dfg/graph.ts";
import { NotStraight } from "../../dfg/region.ts";
import { BIT, interpret, type Shape, type Value, type Variable } from "../../dfg/value.ts";
import { unsupportedExpression } from "../scope/refusals.ts";
import type { Line } from "../scope/scope.ts";
import { cast, isReal } from "./conversions.ts";
import { tapOf, writtenPlace } from "./delaylines.ts";
import { type Lvalue, lvalueOf, settledLvalue } from "./lvalues.ts";
import { read, write } from "./memory.ts";
import { bitsOf, extracted, inserted, ofBits, truncatedTo } from "./parts.ts";
import type { Path } from "./path.ts";
import { addWrite, fetched } from "./rams.ts";

export function loaded(path: Path, e: Expr, guard: Value): Value {
  return loadedFrom(path, lvalueOf(path, e, guard), e, guard);
}

/** The value of lvalue `e`, which is stored at this place. */
export function loadedFrom(path: Path, lvalue: Lvalue, e: Expr, guard: Value): Value {
  const shape = path.scope.shapeOf(e.type, e.span.start);
  switch (lvalue.kind) {
    case "register":
      return inFormat(path, path.get(lvalue.variable), shape, e.span.start);
    case "line":
      return tapOf(path, lvalue.line, constantPlace(lvalue, e.span.start), e.span.start);
    case "elements":
      return elementAt(path, lvalue, e.span.start, guard);
    case "table":
      return entryOf(path, lvalue, shape);
    case "ram":
      return fetched(path.graph, lvalue.ram, lvalue.at, e.span.start);
    case "part": {
      const { of } = lvalue;
      if (isPointer(e.type) || isPointer(of.type)) path.scope.wholeAddresses();
      const fullValue = lvalue.word ? loadedFrom(path, lvalue.word, of, guard) : path.value(of, guard);
      const word = bitsOf(path, fullValue, of.type, of.span.start);
      const stored = path.scope.memoryShapeOf(e.type, e.span.start);
      const bits = extracted(path.graph, word, lvalue, stored.signed);
      return inFormat(path, ofBits(path.graph, bits, stored), shape, e.span.start);
    }
    case "memory": {
      if (isPointer(e.type)) path.scope.wholeAddresses();
      if (isNever(guard)) return path.graph.constant(0, shape);
      const stored = path.scope.memoryShapeOf(e.type, e.span.start);
      const value = read(path, lvalue, { ...stored, bits: lvalue.memory.bytes * 8 }, guard);
      return shape.bits === 1 ? path.graph.resize(value, shape) : inFormat(path, value, shape, e.span.start);
    }
  }
}

/** Converts a number to the format of a shape: arguments and memory have C's formats. */
function inFormat(path: Path, value: Value, shape: Shape, at: Loc): Value {
  return isReal(value.shape) && isReal(shape) ? cast(path.graph, value, shape, at) : value;
}

function constantPlace({ line, at }: { readonly line: Line; readonly at: Value }, loc: Loc): bigint {
  if (at.op !== "const")
    throw new NotStraight(`a place of the delay line '${line.name}' is not constant`, loc);
  return interpret(at.constant, at.shape);
}

function elementAt(
  path: Path,
  { elements, at }: { elements: readonly Variable[]; at: Value },
  loc: Loc,
  guard: Value,
): Value {
  if (at.op === "const") {
    const variable = existing(elements, at, loc, guard);
    return variable ? path.get(variable) : path.graph.constant(0, firstOf(elements).shape);
  }
  const values = elements.map((variable) => path.get(variable));
  return selected(path.graph, values, at);
}

/** Selects a value by number: a tree of multiplexers with one level per bit. */
export function selected(graph: Graph, values: readonly Value[], number: Value): Value {
  const [only] = values;
  if (values.length === 1 && only) return only;
  const half = 2 ** Math.ceil(Math.log2(values.length) - 1);
  const shift = graph.constant(Math.log2(half), { bits: 32, signed: false });
  const bit = graph.resize(graph.make("shr", number.shape, [number, shift]), BIT);
  return graph.mux(
    bit,
    selected(graph, values.slice(half), number),
    selected(graph, values.slice(0, half), number),
  );
}

/** The element at a constant place. A copy of an unrolled loop may name one outside, where a test keeps it from running. */
function existing(elements: readonly Variable[], at: Value, loc: Loc, guard: Value): Variable | undefined {
  const variable = elements[Number(interpret(at.constant as bigint, at.shape))];
  if (!variable && guard.op === "const" && guard.constant !== 0n)
    throw unsupportedExpression("an element outside of its array", loc);
  return variable;
}

function entryOf(
  { graph }: Path,
  { words, at }: { words: readonly bigint[]; at: Value },
  shape: Shape,
): Value {
  const bits = Math.max(1, Math.ceil(Math.log2(words.length)));
  return graph.table(graph.resize(at, { bits, signed: false }), words, shape);
}

/** Whether control never comes here. */
const isNever = (guard: Value): boolean => guard.op === "const" && guard.constant === 0n;

/** One bit: whether the number is k. */
export function isAt(path: Path, at: Value, k: number): Value {
  return path.graph.make("eq", BIT, [at, path.graph.constant(k, at.shape)]);
}

/** Assigns, and returns the new value of the lvalue: a bit-field may hold only a part. */
export function assign(path: Path, left: Expr, value: Value, guard: Value): Value {
  const lvalue = settledLvalue(path, left, guard);
  assignTo(path, lvalue, left, value, guard);
  return storedIn(path, lvalue, value);
}

/** What an lvalue at this place holds after it was set to a value. */
export function storedIn(path: Path, lvalue: Lvalue, value: Value): Value {
  return lvalue.kind === "part" ? truncatedTo(path.graph, lvalue, value) : value;
}

/** Assigns to lvalue `left`, which is stored at this place. */
export function assignTo(path: Path, lvalue: Lvalue, left: Expr, value: Value, guard: Value): void {
  switch (lvalue.kind) {
    case "register":
      assignRegister(
        path,
        lvalue.variable,
        inFormat(path, value, lvalue.variable.shape, left.span.start),
        path.yes,
      );
      return;
    case "elements": {
      const { elements, at } = lvalue;
      if (at.op === "const") {
        const variable = existing(elements, at, left.span.start, guard);
        if (variable) assignRegister(path, variable, value, path.yes);
      } else
        elements.forEach((variable, k) => {
          assignRegister(path, variable, value, isAt(path, at, k));
        });
      return;
    }
    case "line": {
      const register = writtenPlace(
        path,
        lvalue.line,
        constantPlace(lvalue, left.span.start),
        left.span.start,
      );
      assignRegister(path, register, value, path.yes);
      return;
    }
    case "table":
      throw unsupportedExpression("a change of a constant", left.span.start);
    case "ram": {
      if (isNever(guard)) return;
      const { ram, at } = lvalue;
      addWrite(path.graph, { ram, index: at, data: value, guard, loc: left.span.start });
      return;
    }
    case "part": {
      if (isNever(guard)) return;
      const { of } = lvalue;
      if (isPointer(left.type) || isPointer(of.type)) path.scope.wholeAddresses();
      const at = of.span.start;
      const to = lvalue.word ?? settledLvalue(path, of, guard);
      const word = bitsOf(path, loadedFrom(path, to, of, guard), of.type, at);
      const changed = inserted(path.graph, word, lvalue, bitsOf(path, value, left.type, left.span.start));
      assignTo(path, to, of, ofBits(path.graph, changed, path.scope.memoryShapeOf(of.type, at)), guard);
      return;
    }
    case "memory": {
      if (isNever(guard)) return;
      if (isPointer(left.type)) path.scope.wholeAddresses();
      const bits: Shape = { bits: lvalue.memory.bytes * 8, signed: value.shape.signed };
      const at = left.span.start;
      const data = isReal(value.shape)
        ? inFormat(path, value, path.scope.memoryShapeOf(left.type, at), at)
        : path.graph.resize(value, bits);
      write(path, { address: lvalue.address, data, guard, memory: lvalue.memory }, at);
    }
  }
}

/** Assigns on this path: if control has left, or `when` does not hold, the variable keeps its value. */
export function assignRegister(path: Path, variable: Variable, value: Value, when: Value): void {
  const guard = path.ignoringExits ? when : path.effective(when);
  if (isNever(guard)) return;
  const plain = path.isForgotten(variable) || guard.op === "const";
  path.set(variable, plain ? value : path.graph.mux(guard, value, path.get(variable)));
}
