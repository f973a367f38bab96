/**
 * Random stencils and reductions under random legal choices, against the serial loop, with the address
 * sanitizer watching.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Assignment } from "../../../../../schema/document/axis.ts";
import { seedsOf } from "../../../../cases.ts";
import { arria10, type Emitted, type Ready, runAll, stratixV, translate } from "../harness.ts";
import { type Generated, reduction, stencil } from "./random-loops.ts";

const perSeed = 60;
const seeds = seedsOf(4);

/** How often a pass did its work, of the regions in which there was work for it. */
class Tally {
  readonly applied = new Map<string, number>();
  readonly offered = new Map<string, number>();
  count(pass: string, applied: boolean): void {
    this.offered.set(pass, (this.offered.get(pass) ?? 0) + 1);
    if (applied) this.applied.set(pass, (this.applied.get(pass) ?? 0) + 1);
  }
  share(pass: string): number {
    return (this.applied.get(pass) ?? 0) / (this.offered.get(pass) ?? 1);
  }
}

function check(
  arbitrary: (k: number) => fc.Arbitrary<Generated>,
  pass: string,
  seed: number,
  tally: Tally,
): void {
  const ready: (Ready & { choice: Assignment })[] = [];
  for (let k = 0; k < perSeed; k++) {
    const [g] = fc.sample(arbitrary(k), { seed: seed * 1000 + k, numRuns: 1 });
    if (!g) continue;
    const { regions, diagnostics } = translate(g.source, g.choice, k % 2 ? stratixV : arria10);
    const [emitted] = regions;
    if (!emitted) {
      // A refusal must say what it refuses.
      expect(diagnostics[0]?.remedy, g.source).toBeTruthy();
      tally.count(pass, false);
      continue;
    }
    tally.count(
      pass,
      emitted.remarks.some((r: Emitted["remarks"][number]) => r.pass === pass && r.applied),
    );
    ready.push({ source: g.source, emitted, main: g.main, choice: g.choice });
  }
  runAll(ready).forEach(({ serial, kernel }, k) => {
    const one = ready[k] as (typeof ready)[number];
    expect(kernel, `${one.source}\n${JSON.stringify(one.choice)}\n${one.emitted.text}`).toBe(serial);
  });
}

describe("random loops", () => {
  it.each([
    ["windows", stencil, "window"],
    ["shift registers", reduction, "reduction"],
  ] as const)(
    "give the serial result through %s, which apply to at least 60 %% of them",
    (_, arbitrary, pass) => {
      const tally = new Tally();
      for (const seed of seeds) check(arbitrary, pass, seed, tally);
      expect(tally.share(pass)).toBeGreaterThanOrEqual(0.6);
    },
    75_000 * seeds.length,
  );
});
