/** Locations in memory: a base and the steps to the part that is accessed. */
import { type CType, canonical, type Expr, elementType, type Symbol, sizeOf } from "../../lang/index.ts";
import type { Base } from "../analysis/alias.ts";
import {
  add,
  constant,
  constantValue,
  type Polynomial,
  type Range,
  subtract,
  type Variable,
} from "../analysis/loops/polynomial.ts";
import type { LoopHeader } from "../model/ir.ts";

/** From a base to the part of it that is accessed, outermost first. */
export type Step =
  /** `at` undefined: the element is unknown. */
  | { readonly is: "index"; readonly at: Polynomial | undefined }
  /** `apart`: other fields of the record occupy other bytes. */
  | { readonly is: "field"; readonly name: string; readonly apart: boolean };

export interface MemoryLocation {
  readonly base: Base;
  readonly steps: readonly Step[];
}

/** Name of a variable in polynomials. */
export const idOf = (sym: Symbol): Variable => `${sym.name}#${sym.id}`;

export function rangeOf(
  relation: LoopHeader["relation"],
  lower: Polynomial | undefined,
  bound: Polynomial | undefined,
  step: bigint | undefined,
): Range {
  const one = constant(1);
  const up = relation === "<" || relation === "<=" || (relation === "!=" && step === 1n);
  const down = relation === ">" || relation === ">=" || (relation === "!=" && step === -1n);
  const last =
    bound && (relation === "<=" || relation === ">=" ? bound : up ? subtract(bound, one) : add(bound, one));
  const [low, high] = up ? [lower, last] : down ? [last, lower] : [undefined, undefined];
  return { ...(low && { low }), ...(high && { high }) };
}

/** `location` moved by `by` elements. */
export function moved(location: MemoryLocation, by: Polynomial | undefined): MemoryLocation {
  const last = location.steps.at(-1);
  if (last?.is === "index")
    return {
      ...location,
      steps: [...location.steps.slice(0, -1), { is: "index", at: last.at && by && add(last.at, by) }],
    };
  if (by && constantValue(by) === 0n) return location;
  return { base: location.base, steps: [{ is: "index", at: undefined }] };
}

/** The target of a pointer that was cast to elements of another size. */
export function reread(
  location: MemoryLocation,
  from: CType | undefined,
  to: CType | undefined,
): MemoryLocation {
  const last = location.steps.at(-1);
  const sizes = [from, to].map((t) => t && t.kind !== "void" && sizeOf(t));
  if (sizes[0] && sizes[0] === sizes[1]) return location;
  if (last?.is === "index" && last.at && constantValue(last.at) === 0n) return location;
  return { base: location.base, steps: [{ is: "index", at: undefined }] };
}

export function fieldStep(e: Expr & { readonly kind: "member" }): Step {
  const record = canonical(e.arrow ? (elementType(e.base.type) ?? e.base.type) : e.base.type);
  const field = record.kind === "record" ? record.decl.fields?.find((f) => f.name === e.name) : undefined;
  const apart =
    record.kind === "record" && !record.decl.union && field !== undefined && field.bits === undefined;
  return { is: "field", name: e.name, apart };
}

/** A counted loop's variable. */
export interface Counter {
  readonly id: Variable;
  readonly range: Range;
  /** Its first value and step, if known. */
  readonly lower?: Polynomial;
  readonly step?: bigint;
}
