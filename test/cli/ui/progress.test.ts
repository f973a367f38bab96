import { describe, expect, it } from "vitest";
import { advance, noProgress, secondsLeft } from "../../../cli/ui/progress.ts";
import type { Event } from "../../../core/build/model/event.ts";

const running = (address: string, time = 0, expected?: number, behind?: number): Event => ({
  type: "running",
  address,
  step: "s",
  title: `title of ${address}`,
  reason: { kind: "never-built" },
  time,
  ...(expected === undefined ? {} : { expected }),
  ...(behind === undefined ? {} : { behind }),
});
const done = (address: string, how: "ran" | "cached" | "up-to-date" = "ran"): Event => ({
  type: "done",
  address,
  key: "" as never,
  how,
  seconds: 1,
});
const fold = (...events: readonly Event[]) => events.reduce(advance, noProgress);

describe("progress", () => {
  it("lists what runs, in the order in which it started", () => {
    const progress = fold(
      { type: "start", total: 3, time: 0 },
      running("a"),
      running("b"),
      running("c"),
      done("b"),
    );
    expect(progress.running.map((one) => one.address)).toEqual(["a", "c"]);
    expect(progress).toMatchObject({ total: 3, finished: 1 });
  });

  it("counts a cached action as finished though it never ran", () => {
    expect(fold(done("a", "cached"), done("b", "up-to-date"))).toMatchObject({ finished: 2, cached: 1 });
  });

  it("grows with the graph", () => {
    const grown: Event = { type: "expanded", address: "a", actions: [], total: 9 };
    expect(fold({ type: "start", total: 3, time: 0 }, grown).total).toBe(9);
  });

  it("shows the last phase of an action, and keeps its fraction", () => {
    const half: Event = { type: "progress", address: "a", phase: "place", fraction: 0.5 };
    const route: Event = { type: "progress", address: "a", phase: "route" };
    expect(fold(running("a"), half, route).running[0]).toMatchObject({ phase: "route", fraction: 0.5 });
  });

  it("runs nothing once the build ended", () => {
    const counts = { ran: 0, cached: 0, remote: 0, upToDate: 0, failed: 0, skipped: 0 };
    const end: Event = { type: "end", ok: false, interrupted: true, seconds: 1, counts };
    expect(fold(running("a"), end)).toMatchObject({ running: [], ended: true });
  });
});

describe("the time left", () => {
  it("is that of the action which has longest to go", () => {
    expect(secondsLeft(fold(running("a", 0, 10), running("b", 1000, 30)), 5000)).toBe(26);
  });
  it("is unknown for actions that never ran before, and for those that are overdue", () => {
    expect(secondsLeft(fold(running("a"), running("b", 0, 2)), 5000)).toBeUndefined();
  });
  it("counts what waits for an action, also when it is overdue itself", () => {
    expect(secondsLeft(fold(running("a", 0, 10, 40), running("b", 0, 30, 1)), 5000)).toBe(45);
    expect(secondsLeft(fold(running("a", 0, 2, 40)), 5000)).toBe(40);
  });
});
