/** What is learned from estimates alone, and from what could not be built. */
import { expect, it } from "vitest";
import { estimatesOf } from "../../../cli/explore/estimates.ts";
import { Failures } from "../../../cli/explore/failures.ts";
import { fit, scalesOf } from "../../../cli/explore/gaussian-process.ts";
import { learn } from "../../../cli/explore/learn.ts";
import { randomFrom } from "../../../cli/explore/random.ts";

const steps = [0, 0.25, 0.5, 0.75, 1];
const places = steps.flatMap((a) => steps.flatMap((b) => steps.map((c) => [a, b, c])));
const truth = places.map(([a = 0, b = 0, c = 0]) => 2 * a - b + a * c);
const random = randomFrom(1);
const errors = places.map(() => 0.8 * random() - 0.4);
const distance = (values: readonly number[]): number =>
  Math.sqrt(values.reduce((sum, value, i) => sum + (value - (truth[i] as number)) ** 2, 0) / values.length);

it("errors of estimates that their neighbours do not share are halved", () => {
  const predicted = truth.map((value, i) => Math.exp(value + (errors[i] as number)));
  const found = estimatesOf(places, predicted) ?? [];
  const before = distance(predicted.map(Math.log));
  expect(distance(found.map(({ value }) => value))).toBeLessThan(0.6 * before);
  expect(distance(found.map(({ value, own }) => value - own))).toBeLessThan(0.4 * before);
});

it("a few estimates are believed, and none are made up where one is missing", () => {
  const few = [1, 2, 4].map((value) => value);
  expect(estimatesOf([[0], [0.5], [1]], few)?.map(({ value }) => Math.exp(value))).toEqual(
    few.map((value) => expect.closeTo(value) as number),
  );
  expect(estimatesOf([[0], [1]], [1, undefined])).toBeUndefined();
});

it("learned scales explain observations better than those they come from", () => {
  const known = places.slice(0, 40).map((point, i) => ({ point, error: truth[i] as number }));
  const prior = scalesOf({ all: 1, axis: 0.1, curve: 0.1, pairs: 0.1, rest: 0.1 }, 3);
  expect(learn(known, prior, { loose: 1, rounds: 4 }).evidence).toBeGreaterThan(
    fit(known, prior).evidence + 10,
  );
});

it("what is alike or larger than what failed is expected to fail, too, and nothing before that", () => {
  const at = (x: number, failed: boolean) => ({ point: [x], sizes: [4 * x - 2], failed });
  const none = new Failures([at(0, false), at(1, false)]);
  expect(none.chanceToBuild(at(0.5, false))).toBe(1);
  const some = new Failures([at(0, false), at(0.25, false), at(0.75, true)]);
  const chances = [0, 0.5, 0.75, 1].map((x) => some.chanceToBuild(at(x, false)));
  expect(chances[0]).toBeGreaterThan(0.9);
  expect(chances[2]).toBeLessThan(0.2);
  expect(chances[3]).toBeLessThan(0.25);
});
