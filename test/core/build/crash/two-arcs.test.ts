/**
 * Two arcs that build at once are killed at random points or moments, one of them or both: in one project, or in two
 * projects that share a store and have the same or other sources. The next builds, at once too, must do only what was
 * unfinished and leave what a clean build leaves. `sh test/nightly/kills.sh TRIALS SEED [FIRST]` runs many.
 */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  addressesWith,
  leftovers,
  outputs,
  type Point,
  randomly,
  SCENARIOS,
  type Scenario,
  Trials,
  type Way,
  writeSources,
} from "./trials.ts";

const folder = mkdtempSync(join(tmpdir(), "arc-two-arcs-"));
const [count = 10, seed = 1, first = 0] = (process.env.ARC_KILLS ?? "")
  .split(":")
  .filter(Boolean)
  .map(Number);
const trials = new Trials(folder);

beforeAll(() => trials.open());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One of the two arcs. */
interface Arc {
  readonly root: string;
  readonly version: number;
  readonly way: Way;
  readonly after: number;
  /** A point and its pass, milliseconds, or not at all. */
  readonly killedAt: string | number | undefined;
}

const versionOf = (scenario: Scenario): number => SCENARIOS.indexOf(scenario);

/** What a trial is, all of it from its number. */
function planned(trial: number, points: readonly Point[]) {
  const random = randomly(seed * 1_000_003 + trial);
  for (let warm = 0; warm < 4; warm += 1) random();
  const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const scenario = oneOf(SCENARIOS);
  const isOneProject = random() < 0.5;
  const { root, store } = trials.prepare(scenario, "trial");
  const inScenario = points.filter((point) => point.scenario === scenario);
  const killed = oneOf(["first", "both", "both"] as const);
  const arcs = [0, 1].map((number): Arc => {
    const { way, point, passes } = oneOf(inScenario);
    const pass = 1 + Math.floor(random() * passes);
    const moment = Math.floor(random() * 700);
    const isOther = !isOneProject && number === 1;
    const version = isOther ? oneOf([0, 1]) : versionOf(scenario);
    const after = Math.floor(random() * (number === 0 ? 100 : 400));
    const isKilled = number === 0 || killed === "both";
    const killedAt = !isKilled ? undefined : random() < 0.7 ? `${point}:${pass}` : moment;
    return { root: isOther ? `${root}-2` : root, version, way, after, killedAt };
  });
  for (const other of arcs.filter((arc) => arc.root !== root)) {
    if (scenario === "edit") cpSync(root, other.root, { recursive: true, preserveTimestamps: true });
    writeSources(other.root, other.version);
  }
  return { label: `trial ${trial} of seed ${seed}: ${JSON.stringify(arcs)}`, store, arcs, oneOf };
}

test(
  "after kills of one of two arcs or both, the next builds do what was unfinished and leave what clean ones leave",
  async () => {
    const { wanted, points } = await trials.points();
    const killed: [number, number, number] = [0, 0, 0];
    for (let trial = first; trial < first + count; trial += 1) {
      const { label, store, arcs, oneOf } = planned(trial, points);
      const ended = await Promise.all(
        arcs.map(async ({ root, way, after, killedAt }) => {
          await setTimeout(after);
          return trials.start(root, store, way, killedAt);
        }),
      );
      killed[ended.filter(({ signal }) => signal === "SIGKILL").length as 0 | 1 | 2] += 1;
      for (const [at, { signal, code, lines }] of ended.entries())
        if (signal !== "SIGKILL")
          expect([label, at, code, lines.at(-1)]).toEqual([
            label,
            at,
            0,
            expect.stringMatching(/^(ok|up to date)$/),
          ]);
      const roots = [...new Map(arcs.map(({ root, version }) => [root, version]))];
      const next = await Promise.all(roots.map(([root]) => trials.start(root, store, oneOf(trials.ways))));
      for (const [at, [root, version]] of roots.entries()) {
        expect([label, next[at]]).toEqual([label, expect.objectContaining({ code: 0, signal: null })]);
        expect([label, outputs(root)]).toEqual([label, wanted[version]]);
        // What either arc told that it had done of these sources is not done again.
        const done = new Set(
          ended
            .filter((_, arc) => arcs[arc]?.version === version)
            .flatMap((run) => addressesWith(run, "done")),
        );
        const again = addressesWith(next[at] as (typeof next)[number], "ran");
        expect([label, again.filter((address) => done.has(address))]).toEqual([label, []]);
        expect([label, (await trials.start(root, store, oneOf(trials.ways))).lines]).toEqual([
          label,
          ["up to date"],
        ]);
      }
      expect([label, leftovers(store)]).toEqual([label, []]);
    }
    console.log(`kills in a trial: none ${killed[0]}, one ${killed[1]}, two ${killed[2]}`);
    expect(killed[1] + killed[2]).toBeGreaterThan(0);
  },
  20_000 + count * 12_000,
);
