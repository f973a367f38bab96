/** Headers of counted loops in all their spellings. */
import type { Tape } from "./tape.ts";
import { expression, subscript, type Value } from "./values.ts";

export interface Header {
  /** The text in the parentheses of `for`. */
  readonly text: string;
  /** The iteration, counted from 0. */
  readonly index: string;
  /** The counter itself. */
  readonly simple: string;
}

/** A loop of `count` iterations; `dynamic`: up to that many, reduced at run time by a value of `leaf`, if given. */
export function header(
  tape: Tape,
  v: string,
  count: number,
  dynamic: boolean,
  leaf: (() => Value) | undefined,
): Header {
  const type = tape.of(["int", "int", "long", "unsigned", "short", "int"]);
  const step = tape.of([1, 1, 1, 2, 3, 5]);
  const down = type !== "unsigned" && tape.once(4);
  const low = type === "unsigned" ? tape.of([0, 0, 1, 4]) : tape.of([0, 0, 1, 4, -3]);
  // The count may be smaller at run time: `count` is the maximum.
  const less = (text: string) => {
    if (!dynamic || leaf === undefined || count === 0) return text;
    const by = subscript(expression(tape, leaf, 1), count + 1);
    return down ? `${text} + (int)(${by}) * ${step}` : `${text} - (int)(${by}) * ${step}`;
  };
  const one = (text: string) => (type === "unsigned" ? `(int)${text}` : text);
  const relation = step === 1 && !dynamic && tape.once(7) ? "!=" : undefined;
  if (down) {
    const inclusive = relation === undefined && tape.once(2);
    const bound = inclusive ? low - (count - 1) * step : low - count * step;
    const slack = relation || count === 0 ? 0 : tape.below(step);
    const limit = less(String(bound + (inclusive ? -slack : slack)));
    return {
      text: `${type} ${v} = ${low}; ${v} ${relation ?? (inclusive ? ">=" : ">")} ${limit}; ${step === 1 ? tape.of([`${v}--`, `--${v}`]) : tape.of([`${v} -= ${step}`, `${v} = ${v} - ${step}`])}`,
      index: step === 1 ? `(${low} - ${v})` : `((${low} - ${v}) / ${step})`,
      simple: v,
    };
  }
  const inclusive = relation === undefined && count > 0 && tape.once(3) && !(type === "unsigned" && dynamic);
  const bound = inclusive ? low + (count - 1) * step : low + count * step;
  const slack = relation || count === 0 ? 0 : tape.below(step);
  const text = less(String(bound + (inclusive ? slack : -slack)));
  const limit =
    type === "unsigned"
      ? `(unsigned)(${text} < 0 ? 0 : ${text})`.replace(/^\(unsigned\)\((\d+) < 0 \? 0 : \1\)$/, "$1")
      : text;
  return {
    text: `${type} ${v} = ${low}; ${v} ${relation ?? (inclusive ? "<=" : "<")} ${limit}; ${step === 1 ? tape.of([`${v}++`, `++${v}`, `${v} += 1`]) : tape.of([`${v} += ${step}`, `${v} = ${v} + ${step}`])}`,
    index: one(
      low === 0
        ? step === 1
          ? v
          : `(${v} / ${step})`
        : step === 1
          ? `(${one(v)} - ${low})`
          : `((${one(v)} - ${low}) / ${step})`,
    ),
    simple: v,
  };
}
