/**
 * Records of 8, 16, 32 or 64 bits that cannot be split into a variable per member (unions, structs with bit-fields) are
 * words in registers. A member is a part of the word in the layout of x86-64; so is the result of a cast of a
 * variable's address: `*(unsigned *)&x`.
 */

import {
  alignOf,
  canonical,
  elementType,
  evaluateInteger,
  fieldOffset,
  findField,
  isPointer,
  pointerTo,
  sizeOf,
  UCHAR,
  UINT,
  ULONG,
  USHORT,
} from "../../../lang/index.ts";
import type { CType, Expr, Init, Loc } from "../../../lang/tree/ast.ts";
import { cast as castTo, index, intLit, unary } from "../../../lang/tree/build.ts";
import type { Graph } from "../../dfg/graph.ts";
import { isWord } from "../../dfg/shapes.ts";
import type { Shape, Value } from "../../dfg/value.ts";
import { unsupportedExpression, unsupportedStatement } from "../scope/refusals.ts";
import { stripped } from "../scope/syntax.ts";
import { cast, converted } from "./conversions.ts";
import type { Path } from "./path.ts";

/** The bits of a word that an lvalue denotes. */
export interface Part {
  readonly kind: "part";
  /** What contains the word: a local lvalue, a value, or, for bit-fields, memory. */
  readonly of: Expr;
  /** In bits. */
  readonly offset: Value;
  readonly bits: number;
}

/** Undefined for an lvalue that is not a part of a word. */
export function partOf(path: Path, e: Expr, guard: Value): Part | undefined {
  let [at, constant] = [e, 0];
  const terms: { readonly index: Expr; readonly bits: number }[] = [];
  const candidates: { readonly of: Expr; readonly constant: number; readonly terms: number }[] = [];
  for (let step = inner(at); step; step = inner(at)) {
    at = step.of;
    constant += step.constant;
    if (step.index) terms.push({ index: step.index, bits: step.bits });
    if (isWord(at.type) || (step.other && canonical(at.type).kind !== "record"))
      candidates.push({ of: at, constant, terms: terms.length });
  }
  const bits = (e.kind === "member" && e.field?.width) || 8 * (sizeOf(e.type) as number);
  const { graph } = path;
  // In memory only bit-fields are parts, as they have no address.
  if (!isLocal(path, at)) return e.kind === "member" && e.field?.bits ? bitField(path, e, bits) : undefined;
  const word = candidates.at(-1);
  if (!word) return undefined;
  const offset = terms.slice(0, word.terms).reduce(
    (sum, term) => {
      const places = graph.make("mul", OFFSET, [
        graph.resize(path.value(term.index, guard), OFFSET),
        graph.constant(term.bits, OFFSET),
      ]);
      return graph.make("add", OFFSET, [sum, places]);
    },
    graph.constant(word.constant, OFFSET),
  );
  return { kind: "part", of: word.of, offset, bits };
}

/** A bit-field in memory: a part of the smallest aligned number that holds it. */
function bitField(path: Path, e: Expr & { readonly kind: "member" }, bits: number): Part {
  const record = canonical(e.arrow ? (elementType(e.base.type) ?? e.base.type) : e.base.type);
  const start = record.kind === "record" ? fieldOffset(record.decl, e.name) : undefined;
  const align = record.kind === "record" ? alignOf(record) : 1;
  const isUnit = (unit: CType) => {
    const size = 8 * (sizeOf(unit) as number);
    return start !== undefined && size <= 8 * align && (start % size) + bits <= size;
  };
  const unit = UNITS.find(isUnit);
  if (start === undefined || !unit)
    throw unsupportedExpression("a bit-field that no aligned number holds", e.span.start);
  const size = sizeOf(unit) as number;
  const within = Math.floor(start / (8 * size));
  const base = e.arrow ? e.base : unary("&", e.base, e.span);
  const of = index(castTo(pointerTo(unit), base, e.span), intLit(within), e.span);
  return { kind: "part", of, offset: path.graph.constant(start - 8 * size * within, OFFSET), bits };
}

const UNITS = [UCHAR, USHORT, UINT, ULONG];

const OFFSET: Shape = { bits: 32, signed: false };

interface Step {
  readonly of: Expr;
  readonly constant: number;
  readonly index?: Expr;
  /** Size of an element in bits. */
  readonly bits: number;
  /** The variable's type differs from the one read. */
  readonly other?: true;
}

/** What an lvalue is a part of. */
function inner(e: Expr): Step | undefined {
  if (e.kind === "member" && !e.arrow) {
    const record = canonical(e.base.type);
    const constant = record.kind === "record" ? fieldOffset(record.decl, e.name) : undefined;
    return constant === undefined ? undefined : { of: stripped(e.base), constant, bits: 0 };
  }
  if (e.kind === "unary" && e.op === "__extension__") return { of: e.arg, constant: 0, bits: 0 };
  if (e.kind === "unary" && e.op === "*") {
    const of = reinterpreted(e.arg);
    return of && { of, constant: 0, bits: 0, other: true };
  }
  if (e.kind !== "index") return undefined;
  const bits = 8 * (sizeOf(e.type) ?? 0);
  const base = stripped(e.base);
  if (canonical(base.type).kind === "array") return { of: base, constant: 0, index: e.index, bits };
  const of = reinterpreted(e.base);
  return of && { of, constant: 0, index: e.index, bits, other: true };
}

/** The variable whose address is cast to another pointer type. */
function reinterpreted(pointer: Expr): Expr | undefined {
  if (pointer.kind !== "cast" || !isPointer(pointer.to)) return undefined;
  const address = pointer.arg;
  if (address.kind === "cast") return reinterpreted(address);
  if (address.kind !== "unary" || address.op !== "&") return undefined;
  const [of, to] = [stripped(address.arg), elementType(pointer.to)];
  const [recordBytes, partBytes] = [sizeOf(of.type), to && sizeOf(to)];
  return recordBytes !== undefined && partBytes !== undefined && partBytes <= recordBytes ? of : undefined;
}

/** Whether it is in registers or block RAM, or is a value. */
function isLocal(path: Path, root: Expr): boolean {
  switch (root.kind) {
    case "ident":
      return !isPointer(root.type) || path.arrays.has(root.sym);
    case "index": {
      const base = stripped(root.base);
      return base.kind === "ident" && path.arrays.has(base.sym);
    }
    case "compound":
    case "call":
    case "cond":
    case "assign":
    case "comma":
      return true;
    default:
      return false;
  }
}

// ---------------------------------------------------------------- bits

const wordShape = (type: CType): Shape => ({ bits: 8 * (sizeOf(type) as number), signed: false });

/** A value's bits as in memory, without its type. */
export function bitsOf(path: Path, value: Value, type: CType, at: Loc): Value {
  const stored = path.scope.memoryShapeOf(type, at);
  const same = stored.float ? cast(path.graph, value, stored, at) : value;
  return path.graph.resize(path.graph.resize(same, { ...plain(stored), signed: false }), wordShape(type));
}

/** Interprets bits as a value of a type, in the type's own shape in memory. */
export function ofBits(graph: Graph, raw: Value, stored: Shape): Value {
  const truncated = graph.resize(raw, { bits: Math.min(raw.shape.bits, stored.bits), signed: stored.signed });
  return stored.float ? graph.resize(truncated, stored) : graph.resize(truncated, plain(stored));
}

const plain = ({ bits, signed }: Shape): Shape => ({ bits, signed });

/** A value truncated to what a part of a word can hold. */
export function truncatedTo(graph: Graph, { bits }: Part, value: Value): Value {
  return graph.resize(graph.resize(value, { bits, signed: value.shape.signed }), value.shape);
}

export function extracted(graph: Graph, word: Value, { offset, bits }: Part, signed: boolean): Value {
  return graph.resize(graph.make("shr", word.shape, [word, offset]), { bits, signed });
}

export function inserted(graph: Graph, word: Value, { offset, bits }: Part, raw: Value): Value {
  const { shape } = word;
  if (bits === shape.bits) return raw;
  const ones = graph.constant((1n << BigInt(bits)) - 1n, shape);
  const mask = graph.make("shl", shape, [ones, offset]);
  const code = graph.resize(graph.resize(raw, { bits, signed: false }), shape);
  const rest = graph.make("and", shape, [word, graph.make("not", shape, [mask])]);
  return graph.make("or", shape, [rest, graph.make("shl", shape, [code, offset])]);
}

/** The initial value of a word with an initialiser. */
export function initialWord(path: Path, type: CType, init: Init, guard: Value, at: Loc): Value {
  if (init.kind === "expr" && isPointer(type)) path.scope.wholeAddresses();
  if (init.kind === "expr") return bitsOf(path, converted(path, init.expr, type, guard), type, at);
  const canonicalType = canonical(type);
  const shape = wordShape(type);
  const none = path.graph.constant(0, shape);
  const into = (word: Value, offset: number, of: CType, value: Init, width?: number): Value => {
    const part: Part = {
      kind: "part",
      of: { kind: "compound", of: type, init, type, span: { start: at, end: at } },
      offset: path.graph.constant(offset, OFFSET),
      bits: width ?? 8 * (sizeOf(of) as number),
    };
    return inserted(path.graph, word, part, initialWord(path, of, value, guard, at));
  };
  if (canonicalType.kind === "array") {
    const size = 8 * (sizeOf(canonicalType.of) as number);
    return init.items.reduce((word, { designators: [first], init: part }) => {
      const place = first?.kind === "index" ? evaluateInteger(first.index) : undefined;
      if (place === undefined) throw unsupportedStatement("initialiser of this form", at);
      return into(word, Number(place) * size, canonicalType.of, part);
    }, none);
  }
  if (canonicalType.kind !== "record") throw unsupportedStatement("initialiser of this form", at);
  const { decl } = canonicalType;
  return init.items.reduce((word, { designators: [first], init: part }) => {
    const name = first?.kind === "field" ? first.name : "";
    const [field, offset] = [findField(decl, name), fieldOffset(decl, name)];
    if (!field || offset === undefined) throw unsupportedStatement("initialiser of this form", at);
    return into(word, offset, field.type, part, field.width);
  }, none);
}
