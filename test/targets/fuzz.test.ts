/**
 * Random OpenACC programs behave as the same C without directives, on the host target with its own memory
 * and on PoCL; `ARC_FUZZ_KINDS=host` only on some targets.
 */
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { seedsOf } from "../cases.ts";
import type { Kind } from "./fuzz/build.ts";
import { differences } from "./fuzz/compare.ts";
import { makeFunction } from "./fuzz/program.ts";
import { sourceOf } from "./fuzz/source.ts";
import { longTapes, Tape, tapes } from "./fuzz/tape.ts";
import { Workshop } from "./runtime/harness.ts";

const shop = new Workshop("gcc", ["-w"]);
afterAll(() => shop.remove());

type Ran = Exclude<Kind, "cuda">;
const kinds = (process.env.ARC_FUZZ_KINDS ?? "host,opencl").split(",") as Ran[];
const perBatch = 12;

const functionOf = (tape: readonly number[], name: string) => makeFunction(new Tape(tape), name);
const differs = (tape: readonly number[], on: readonly Ran[]) =>
  differences([functionOf(tape, "f0")], on, shop.archive())[0];

/** The simplest program that still differs. */
function shrink(tape: number[], on: readonly Ran[]): string {
  const { counterexample } = fc.check(
    fc.property(tapes, (t) => differs(t, on) === undefined),
    { examples: [[tape]], numRuns: 1, endOnFailure: false, interruptAfterTimeLimit: 60_000 },
  );
  const simplest = counterexample?.[0] ?? tape;
  return `${differs(simplest, on)?.what}\n${sourceOf([functionOf(simplest, "f0")])}`;
}

test.each(seedsOf(2))(
  "random programs of seed %i compute what they compute as plain C",
  { timeout: 600_000 },
  (seed) => {
    const drawn = fc.sample(longTapes, { seed, numRuns: perBatch });
    const found = differences(
      drawn.map((tape, k) => functionOf(tape, `f${k}`)),
      kinds,
      shop.archive(),
    );
    const reports = found.slice(0, 3).map((d) => {
      const on = kinds.filter((k) => d.what.startsWith(k));
      return shrink(drawn[Number(d.function?.slice(1))] as number[], on.length ? on : kinds);
    });
    expect(reports).toEqual([]);
  },
);
