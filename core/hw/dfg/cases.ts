/** The paths through one iteration: the outcomes of its choices, and what is known on each path. */
import { firstOf } from "../../checked/access.ts";
import { plus, scaled } from "../linear/form.ts";
import { type AffineForm, affineForm, constantForm } from "./affine.ts";
import type { Ranges } from "./ranges.ts";
import type { Value } from "./value.ts";

/** Beyond this, choices are not split further. */
const MOST_CASES = 64;

export class Case {
  private readonly facts = new Map<Value, boolean>();
  /** What follows from the facts: bits of an iteration share their operands. */
  private readonly decided = new Map<Value, boolean | Value>();
  /** Linear forms known to be 0. */
  private readonly zeros: AffineForm[] = [];
  private readonly ranges: Ranges;

  constructor(ranges: Ranges, before?: Case) {
    this.ranges = ranges;
    for (const [bit, holds] of before?.facts ?? []) this.facts.set(bit, holds);
    this.zeros.push(...(before?.zeros ?? []));
  }

  /** Whether a bit holds, or the choice that must be made first. */
  decide(bit: Value): boolean | Value {
    if (bit.op === "const") return bit.constant !== 0n;
    if (isNot(bit)) {
      const inner = this.decide(firstOf(bit.args));
      return typeof inner === "boolean" ? !inner : inner;
    }
    const known = this.facts.get(bit) ?? this.decided.get(bit);
    if (known !== undefined) return known;
    const outcome = this.outcome(bit);
    this.decided.set(bit, outcome);
    return outcome;
  }

  private outcome(bit: Value): boolean | Value {
    const [a, b] = bit.args;
    if ((bit.op === "and" || bit.op === "or") && bit.shape.bits === 1 && a && b) {
      const decisive = bit.op === "or";
      const [x, y] = [this.decide(a), this.decide(b)];
      if (x === decisive || y === decisive) return decisive;
      if (typeof x !== "boolean") return x;
      return y;
    }
    return bit;
  }

  /** The same case with one more choice made; undefined if that is impossible. */
  assume(bit: Value, holds: boolean): Case | undefined {
    const extended = new Case(this.ranges, this);
    extended.facts.set(bit, holds);
    const [a, b] = bit.args;
    if (!a || !b || (bit.op !== "lt" && bit.op !== "eq")) return extended;
    const [x, y] = [this.ranges.of(a), this.ranges.of(b)];
    const difference = plus(affineForm(a), affineForm(b), -1n);
    if (bit.op === "eq") {
      if (holds) extended.zeros.push(difference);
      return extended;
    }
    if (holds && x.min >= y.max) return undefined;
    if (!holds && x.max < y.min) return undefined;
    // At the limits of both ranges only one possibility remains.
    if (!holds && x.max === y.min) extended.zeros.push(difference);
    if (holds && x.min === y.max - 1n) extended.zeros.push(plus(difference, constantForm(1n), 1n));
    return extended;
  }

  /** A value as a linear form on this path, or the choice that must be made first. */
  form(value: Value): AffineForm | Value {
    let sum = constantForm(0n);
    const { constant, terms } = affineForm(value);
    sum = plus(sum, constantForm(constant), 1n);
    for (const [term, factor] of terms) {
      const part = this.term(term);
      if (isValue(part)) return part;
      sum = plus(sum, scaled(part, factor), 1n);
    }
    return sum;
  }

  private term(term: Value): AffineForm | Value {
    if (term.op !== "mux") return { constant: 0n, terms: new Map([[term, 1n]]) };
    const [test, then, otherwise] = term.args;
    const outcome = this.decide(test);
    if (typeof outcome !== "boolean") return outcome;
    return this.form(outcome ? then : otherwise);
  }

  /** Whether a linear form is 0 on this path. */
  isZero(form: AffineForm): boolean {
    return this.constantOf(form) === 0n;
  }

  /** The constant that a linear form equals on this path, if it does. */
  constantOf(form: AffineForm): bigint | undefined {
    if (form.terms.size === 0) return form.constant;
    for (const zero of this.zeros) {
      const [term, factor] = [...zero.terms][0] ?? [];
      const coefficient = term && form.terms.get(term);
      if (coefficient === undefined || factor === undefined || coefficient % factor !== 0n) continue;
      const rest = plus(form, scaled(zero, coefficient / factor), -1n);
      if (rest.terms.size === 0) return rest.constant;
    }
    return undefined;
  }
}

/**
 * All paths with the answer of `ask`, which returns the choice that must be made first if it has no answer yet.
 * Undefined if there are too many.
 */
export function casesOf<T extends object>(
  ranges: Ranges,
  ask: (path: Case) => T | { readonly first: Value },
): readonly { readonly path: Case; readonly answer: T }[] | undefined {
  const answers: { path: Case; answer: T }[] = [];
  const worklist: Case[] = [new Case(ranges)];
  for (let path = worklist.pop(); path; path = worklist.pop()) {
    const answer = ask(path);
    if (!("first" in answer)) {
      answers.push({ path, answer });
      continue;
    }
    if (answers.length + worklist.length > MOST_CASES) return undefined;
    for (const holds of [true, false]) {
      const next = path.assume(answer.first, holds);
      if (next) worklist.push(next);
    }
  }
  return answers;
}

export const isNot = (bit: Value): boolean =>
  bit.op === "xor" && bit.shape.bits === 1 && bit.args[1]?.op === "const" && bit.args[1].constant === 1n;

export const isValue = (x: AffineForm | Value): x is Value => "op" in x;
