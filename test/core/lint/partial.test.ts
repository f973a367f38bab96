/** Arrays that regions set in part, and reads beyond it. A run with a mark for each element says which programs are wrong. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { slow } from "../../sampled.ts";
import { around, type Inside, lengths, type Operation, type Partial, shapes } from "./partial/model.ts";
import { textOf } from "./partial/text.ts";
import { readsUnset } from "./partial/truth.ts";
import { lintText } from "./preprocessed.ts";

const margin = fc.constantFrom(0, 1, 2);
const inside: fc.Arbitrary<Inside> = fc.record({ low: margin, high: margin });

/** Offsets that stay inside of the arrays. */
const stencil = (to: "a" | "b"): fc.Arbitrary<Operation> =>
  inside.chain((where) => {
    const by = fc.integer({ min: -Math.min(1, where.low), max: Math.min(1, where.high) });
    return fc.record({
      is: fc.constant("stencil" as const),
      to: fc.constant(to),
      inside: fc.constant(where),
      offsets: fc.array(fc.tuple(by, by), { minLength: 1, maxLength: 3 }),
      byCondition: fc.boolean(),
    });
  });

const border = fc.record({
  is: fc.constant("border" as const),
  side: fc.constantFrom("rows" as const, "columns" as const),
});
const update = fc.record({
  is: fc.constant("update" as const),
  to: fc.constantFrom("device" as const, "host" as const),
  rows: fc.constantFrom(1, 2, "all" as const),
});
const hostRead = fc.record({ is: fc.constant("host-read" as const), inside });

const programs: fc.Arbitrary<Partial> = fc.record({
  shape: fc.constantFrom(...shapes),
  length: fc.constantFrom(...lengths),
  around: fc.constantFrom(...around),
  language: fc.constantFrom("acc" as const, "omp" as const),
  clause: fc.constantFrom("alloc" as const, "from" as const),
  steps: fc
    .tuple(
      fc.array(fc.oneof(border, { weight: 1, arbitrary: update }), { maxLength: 2 }),
      fc.array(fc.oneof(stencil("b"), stencil("b"), stencil("a"), border, update, hostRead), {
        minLength: 1,
        maxLength: 4,
      }),
    )
    .map(([first, more]) => [...first, ...more]),
  after: fc.option(inside, { nil: undefined }),
});

const sample = fc.sample(programs, { seed: 19, numRuns: slow ? 2000 : 120 });

describe("arrays that regions set in part", () => {
  const judged = sample.map((program) => {
    const text = textOf(program);
    const proved = lintText(text).filter((f) => f.certainty === "proved" && f.code === "read-before-copy");
    return { text, wrong: readsUnset(program), found: proved.map((f) => f.loc.line) };
  });

  // What an update brings, and the host reads in front of it in the loop's next turn, is not looked at.
  it("are found to be read beyond it in at least 97 of 100 programs where they are", () => {
    const wrong = judged.filter((one) => one.wrong);
    const missed = wrong.filter(({ found }) => found.length === 0).map(({ text }) => text);
    expect(missed.length / wrong.length, missed.join("\n")).toBeLessThan(0.03);
    expect(wrong.length).toBeGreaterThan(sample.length / 5);
  });

  it("are not found to be where they are not", () => {
    const alarms = judged.filter(({ wrong, found }) => !wrong && found.length > 0);
    expect(alarms.map(({ text, found }) => `${found}\n${text}`)).toEqual([]);
    expect(judged.filter(({ wrong }) => !wrong).length).toBeGreaterThan(sample.length / 5);
  });
});
