import { describe, expect, it } from "vitest";
import { PhaseLines, ShareLines } from "../../../cli/ui/phases.ts";
import type { Event } from "../../../core/build/model/event.ts";

const running: Event = {
  type: "running",
  address: "a",
  step: "fabric",
  title: "place and route k with nextpnr-ice40",
  reason: { kind: "never-built" },
  time: 0,
  expected: 40,
};
const phase = (text: string): Event => ({ type: "progress", address: "a", phase: text });

describe("phases in a log", () => {
  it("come every few seconds, however many there are", () => {
    let now = 0;
    const lines = new PhaseLines(() => now);
    expect(lines.of(running)).toBe("");
    const printed: string[] = [];
    for (now = 100; now <= 12_000; now += 100) printed.push(lines.of(phase(`routing: ${12_000 - now} left`)));
    expect(printed.filter((line) => line !== "")).toEqual([
      "runs     5.0 s of about 40 s  place and route k with nextpnr-ice40: routing: 7000 left\n",
      "runs      10 s of about 40 s  place and route k with nextpnr-ice40: routing: 2000 left\n",
    ]);
  });
  it("are none of what is quick, and of what is over", () => {
    const lines = new PhaseLines(() => 60_000);
    expect(lines.of(phase("packing"))).toBe("");
  });
  it("are counted instead where actions have no lines", () => {
    let now = 0;
    const lines = new ShareLines(() => now);
    const printed = [lines.of({ type: "start", total: 20, time: 0 })];
    for (let at = 1; at <= 20; at++) {
      now = 1000 * at;
      printed.push(lines.of({ type: "done", address: `a${at}`, key: "k" as never, how: "ran", seconds: 1 }));
    }
    expect(printed.filter((line) => line !== "")).toEqual(
      [5, 10, 15, 20].map((count) => `arc: ${count} of 20 actions done\n`),
    );
  });
});
