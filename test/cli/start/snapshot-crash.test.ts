/**
 * A build that the native launcher starts from a snapshot of Node's memory is killed at the points that it passes; the
 * next one leaves what was asked for. ARC_CRASHES sets how many times (default: at each point once). The engine alone is
 * killed in test/core/build/crash.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { arcProgram, Rig } from "../rig.ts";

const rig = new Rig();
const witness = path.join(rig.root, "witness");
rig.write(
  "arc.yaml",
  `arc: 1
project: p
actions:
  upper: { run: [sh, -c, "tr '\\\\0' ' ' < /proc/$PPID/cmdline >> '${witness}'; tr a-z A-Z < a > out/a"], inputs: [a], outputs: [out/a] }
  both: { run: [sh, -c, "cat out/a b > out/both"], inputs: [out/a, b], outputs: [out/both] }
`,
);
afterAll(() => rmSync(rig.root, { recursive: true }));
const isHere = existsSync(path.join(arcProgram, "../../dist/arc.snapshot.id"));
const requested = process.env.ARC_CRASHES === undefined ? undefined : Number(process.env.ARC_CRASHES);

let edits = 0;
/** Another text, which reaches both actions. */
function edit(): string {
  edits += 1;
  rig.write("a", `edit ${edits}\n`);
  return `EDIT ${edits}\nb\n`;
}

async function build(env: Readonly<Record<string, string>> = {}): Promise<number | null> {
  // Fast operations must survive a power loss, too, so that those points are reached.
  const { status, err } = await rig.arc(["build"], { env: { ARC_DURABLE_SECONDS: "0", ...env } });
  if (status !== null) expect([status, err]).toEqual([0, expect.stringContaining("arc: done")]);
  return status;
}

describe.skipIf(!isHere)("a build from the snapshot", () => {
  it(
    "leaves after a kill at any point what the next build needs",
    async () => {
      rig.write("b", "b\n");
      edit();
      await build();
      const trace = path.join(rig.root, "trace");
      const starts = (): readonly string[] =>
        readFileSync(witness, "utf8")
          .trim()
          .split(/(?=node )/);
      edit();
      await build({ ARC_FAULT: `trace:${trace}` });
      // Every build after an edit starts from an up-to-date state, whatever the fault.
      expect(starts().at(-1)).toContain("--snapshot-blob");
      const passed = new Map<string, number>();
      for (const point of readFileSync(trace, "utf8").trim().split("\n"))
        passed.set(point, (passed.get(point) ?? 0) + 1);
      const points = [...passed];
      const crashes = requested ?? points.length;
      const hits = new Map<string, number>();
      for (let crash = 0; crash < crashes; crash += 1) {
        const [point, passes] = points[crash % points.length] as (typeof points)[number];
        const pass = 1 + (Math.floor(crash / points.length) % passes);
        const label = `${point}:${pass}`;
        let before = starts().length;
        let wanted = edit();
        let status = await build({ ARC_FAULT: label });
        // Now and then stamps are written anew instead of being added to, but not twice in turn.
        if (status === 0) {
          before = starts().length;
          wanted = edit();
          status = await build({ ARC_FAULT: label });
        }
        expect([label, status]).toEqual([label, null]);
        hits.set(point, (hits.get(point) ?? 0) + 1);
        // The killed one's, if it came so far.
        const own = starts()[before];
        if (own !== undefined)
          expect([label, own]).toEqual([label, expect.stringContaining("--snapshot-blob")]);
        await build();
        expect([label, rig.read("out/both")]).toEqual([label, wanted]);
        expect((await rig.arc(["build"])).err).toBe("arc: done: 2 up to date\n");
      }
      console.log(points.map(([name]) => `${String(hits.get(name) ?? 0).padStart(4)} ${name}`).join("\n"));
      expect(hits.size).toBe(Math.min(crashes, points.length));
      expect([...passed.keys()]).toEqual(
        expect.arrayContaining(["store:after-fsync", "actions:after-fsync", "stamps:before-append"]),
      );
    },
    20_000 + (requested ?? 30) * 5_000,
  );
});
