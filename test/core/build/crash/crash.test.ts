/**
 * arc is killed at every named point, with and without its native part; the next build must do only what was unfinished
 * and leave what a clean build leaves. ARC_CRASHES sets how many times (default 60). Two arcs: two-arcs.test.ts.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  addressesWith,
  leftovers,
  outputs,
  type Point,
  randomly,
  SCENARIOS,
  Trials,
  type Way,
} from "./trials.ts";

const folder = mkdtempSync(join(tmpdir(), "arc-crash-"));
const crashes = Number(process.env.ARC_CRASHES ?? 60);
const seed = Number(process.env.ARC_SEED ?? 1);
const trials = new Trials(folder);

beforeAll(() => trials.open());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(
  "after a kill at any point the next build does what was unfinished and leaves what a clean one leaves",
  async () => {
    const random = randomly(seed);
    const anyWay = (): Way => trials.ways[Math.floor(random() * trials.ways.length)] as Way;
    const { wanted, points } = await trials.points();
    const hits = new Map<string, number>();
    for (let crash = 0; crash < crashes; crash += 1) {
      // Every point gets its turn; where it is passed often, any of the passes may be it.
      const { scenario, way, point, passes } = points[crash % points.length] as Point;
      const pass = 1 + Math.floor(random() * passes);
      const label = `${scenario} ${point}:${pass}`;
      let { root, store } = trials.prepare(scenario, "crash");
      let killed = await trials.start(root, store, way, `${point}:${pass}`);
      if (killed.signal === null) {
        // What ends close together is written together, so a build may pass a point less often; once it does in any.
        ({ root, store } = trials.prepare(scenario, "crash"));
        killed = await trials.start(root, store, way, `${point}:1`);
      }
      expect([label, killed.signal]).toEqual([label, "SIGKILL"]);
      hits.set(point, (hits.get(point) ?? 0) + 1);
      const after = await trials.start(root, store, anyWay());
      expect([label, after.code, after.lines.at(-1)]).toEqual([
        label,
        0,
        expect.stringMatching(/^(ok|up to date)$/),
      ]);
      expect([label, outputs(root)]).toEqual([label, wanted[SCENARIOS.indexOf(scenario)]]);
      const done = new Set(addressesWith(killed, "done"));
      expect([label, addressesWith(after, "ran").filter((address) => done.has(address))]).toEqual([
        label,
        [],
      ]);
      expect([label, (await trials.start(root, store, anyWay())).lines]).toEqual([label, ["up to date"]]);
      expect([label, leftovers(store)]).toEqual([label, []]);
    }
    const names = [...new Set(points.map(({ point }) => point))].sort();
    console.log(names.map((name) => `${String(hits.get(name) ?? 0).padStart(4)} ${name}`).join("\n"));
    if (crashes >= 2 * points.length) expect(names.filter((name) => !hits.has(name))).toEqual([]);
  },
  // Each crash takes three starts of node.
  10_000 + crashes * 6_000,
);
