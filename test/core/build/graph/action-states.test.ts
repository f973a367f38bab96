import { describe, expect, it } from "vitest";
import { type ActionState, ActionStates } from "../../../../core/build/graph/action-states.ts";

const walk = (...states: readonly ActionState[]): ActionStates => {
  const all = new ActionStates();
  for (const state of states) all.move(0, state);
  return all;
};

describe("the state of an action", () => {
  it("is unwanted until a build requests the action", () => {
    expect(new ActionStates().of(7)).toBe("unwanted");
  });

  it.each<[string, readonly ActionState[]]>([
    ["runs", ["wanted", "waiting", "decidable", "deciding", "queued", "running", "done"]],
    ["is a hit of the shared cache", ["wanted", "waiting", "decidable", "deciding", "asking", "done"]],
    ["takes what its twin made", ["wanted", "waiting", "decidable", "deciding", "sharing", "decidable"]],
    [
      "finds a header that is not made yet",
      ["wanted", "waiting", "decidable", "deciding", "queued", "running", "waiting"],
    ],
    ["is tried once more", ["wanted", "waiting", "decidable", "deciding", "failed", "decidable"]],
    [
      "is made again when its output is lost",
      ["wanted", "waiting", "decidable", "deciding", "done", "decidable"],
    ],
  ])("takes the steps of an action that %s", (_, states) => {
    expect(walk(...states).of(0)).toBe(states.at(-1));
  });

  it.each<[ActionState, readonly ActionState[], ActionState]>([
    ["running", ["wanted", "waiting", "decidable", "deciding", "queued"], "done"],
    ["decidable", ["wanted", "waiting", "decidable"], "decidable"],
    ["failed", ["wanted", "waiting", "decidable", "deciding", "failed"], "running"],
    ["skipped", ["wanted", "waiting", "skipped"], "running"],
  ])("refuses an impossible transition from %s", (_, states, next) => {
    const all = walk(...states);
    expect(() => all.move(0, next)).toThrow(`is ${states.at(-1)} and cannot be ${next}`);
    expect(all.of(0)).toBe(states.at(-1));
  });

  it("is final if only a loss changes it", () => {
    const all = walk("wanted", "waiting", "decidable", "deciding", "queued", "running");
    expect(all.end(0)).toBeUndefined();
    all.move(0, "done");
    expect([all.end(0), all.isOver(0), all.isOver(1)]).toEqual(["done", true, false]);
  });
});
