import { describe, expect, it } from "vitest";
import { lines, Rig } from "../rig.ts";

const yaml = `arc: 1
project: p
actions:
  make: { run: [sh, -c, "cat in > a"], inputs: [in], outputs: [a], deterministic: true }
  left: { run: [sort, a], inputs: [a], outputs: [l], stdout: l }
  right: { run: [sh, -c, "sort a > r; test -s r"], inputs: [a], outputs: [r] }
`;

const project = (): Rig => new Rig({ "arc.yaml": yaml, in: "2\n1\n" });

interface TraceEvent {
  readonly ph: string;
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts?: number;
  readonly dur?: number;
  readonly id?: number;
  readonly args?: Readonly<Record<string, unknown>>;
}

function traceOf(rig: Rig): readonly TraceEvent[] {
  return (JSON.parse(rig.read("out.json")) as { traceEvents: readonly TraceEvent[] }).traceEvents;
}

describe("arc build --trace", () => {
  it("writes a bar for each action that ran, in lanes without overlap, with arrows from what it needed", async () => {
    const rig = project();
    expect(await rig.arc(["build", "--trace", "out.json", "-j", "2"])).toMatchObject({ status: 0 });
    const events = traceOf(rig);
    const bars = events.filter(({ ph }) => ph === "X");
    expect(bars.map(({ args }) => args?.address).sort()).toEqual(["left", "make", "right"]);
    const lanes = new Map<number, TraceEvent[]>();
    for (const bar of bars) lanes.set(bar.tid, [...(lanes.get(bar.tid) ?? []), bar]);
    expect(lanes.size).toBeLessThanOrEqual(2);
    for (const lane of lanes.values()) {
      lane.sort((a, b) => (a.ts ?? 0) - (b.ts ?? 0));
      for (const [at, bar] of lane.slice(1).entries()) {
        expect(bar.ts).toBeGreaterThanOrEqual((lane[at]?.ts ?? 0) + (lane[at]?.dur ?? 0));
      }
    }
    const make = bars.find(({ args }) => args?.address === "make");
    const arrows = events.filter(({ ph }) => ph === "s" || ph === "f");
    expect(arrows.filter(({ ph }) => ph === "s").map(({ ts }) => ts)).toEqual(
      [1, 2].map(() => (make?.ts ?? 0) + (make?.dur ?? 0)),
    );
    for (const { id } of arrows) expect(arrows.filter((other) => other.id === id)).toHaveLength(2);
  });

  it("includes skipped actions and failures; a build with nothing to do writes one, too", async () => {
    const rig = project();
    await rig.arc(["build"]);
    await rig.arc(["build", "--trace", "out.json"]);
    expect(traceOf(rig).filter(({ ph }) => ph === "X")).toEqual([]);
    expect(
      traceOf(rig)
        .filter(({ ph }) => ph === "i")
        .map(({ args }) => args?.how),
    ).toEqual(["up-to-date", "up-to-date", "up-to-date"]);
    rig.write("in", "");
    expect(await rig.arc(["build", "--trace=out.json", "-k"])).toMatchObject({ status: 1 });
    const failed = traceOf(rig).find(({ args }) => args?.failed !== undefined);
    expect(failed?.args).toMatchObject({ address: "right", failed: "sh exited with 1" });
  });

  it("refuses a file that cannot be written before anything runs", async () => {
    const rig = project();
    const { status, out, err } = await rig.arc(["build", "--trace", "no/such/folder.json"]);
    expect(status).not.toBe(0);
    expect(out + err).toContain("no/such/folder.json");
    expect(rig.has("a")).toBe(false);
  });
});

describe("arc graph --format", () => {
  it("prints what Mermaid draws, each action once, with what needs what", async () => {
    const { status, out } = await project().arc(["graph", "--format", "mermaid"]);
    expect(status).toBe(0);
    expect(lines(out)).toEqual([
      "flowchart LR",
      '  n0["make"]',
      '  n1["left"]',
      '  n2["right"]',
      "  n0 --> n1",
      "  n0 --> n2",
    ]);
  });

  it("prints Graphviz's language, JSON, and says which formats there are", async () => {
    const rig = project();
    expect((await rig.arc(["graph", "--format", "dot"])).out).toContain('"make" -> "left";');
    const json = JSON.parse((await rig.arc(["graph", "--format", "json"])).out);
    expect(json.map(({ address }: { address: string }) => address)).toEqual(["make", "left", "right"]);
    expect(await rig.arc(["graph", "--format", "mermade"])).toMatchObject({
      status: 2,
      err: expect.stringMatching(/did you mean mermaid\? there are text, dot, mermaid, json/),
    });
  });
});

describe("arc explain", () => {
  it("reports the old and new digests of the changed input, and its producer", async () => {
    const rig = project();
    await rig.arc(["build"]);
    rig.write("in", "3\n1\n");
    const digests = /^ {7}in: [0-9a-f]{64} before, [0-9a-f]{64} after, a file of the project$/m;
    expect((await rig.arc(["explain", "make"])).out).toMatch(digests);
    await rig.arc(["build"]);
    expect((await rig.arc(["explain", "left"])).out).toMatch(
      /^ {7}a: [0-9a-f]{64} before, [0-9a-f]{64} after, made by make$/m,
    );
    const [explained] = JSON.parse((await rig.arc(["explain", "left", "--json"])).out);
    expect(explained.last.why).toMatchObject({
      kind: "input-changed",
      input: "a",
      by: "make",
      before: expect.stringMatching(/^[0-9a-f]{64}$/),
      after: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });
});
