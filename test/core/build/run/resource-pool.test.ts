import { expect, test, vi } from "vitest";
import { digestBytes } from "../../../../core/build/key/digest.ts";
import type { Action, Resources } from "../../../../core/build/model/action.ts";
import { Schedule } from "../../../../core/build/run/resource-pool.ts";
import { lowerBound, makespan, SHAPES, simulatedGraph } from "../../../bench/engine/simulate.ts";
import { Workshop } from "../workshop.ts";

function schedule(
  capacity: { cpu?: number; memory?: number; tokens?: Record<string, number> } = {},
): Schedule {
  return new Schedule({ cpu: 4, memory: 100, tokens: {}, ...capacity });
}

/** Takes as long as something fits. */
function takeAll(from: Schedule): string[] {
  const started: string[] = [];
  for (let next = from.take(); next !== undefined; next = from.take()) started.push(next);
  return started;
}

test("the most urgent action starts first, and equals in the order of the graph", () => {
  const queue = schedule({ cpu: 100 });
  for (const [at, priority] of [3, 9, 1, 9, 4, 7, 2].entries()) queue.add(`a${at}`, {}, priority, at);
  expect(takeAll(queue)).toEqual(["a1", "a3", "a5", "a4", "a0", "a6", "a2"]);
});

test("never more CPUs, memory and tokens are in use than exist", () => {
  const queue = schedule({ tokens: { vivado: 2 } });
  const wants: Resources[] = [
    { cpu: 2, tokens: { vivado: 1 } },
    { cpu: 1, memory: 60 },
    { cpu: 1, memory: 60 },
    { cpu: 0, tokens: { vivado: 2 } },
    { cpu: 1, tokens: { vivado: 1 } },
  ];
  for (const [at, resources] of wants.entries()) queue.add(`a${at}`, resources, 10 - at, at);
  expect(takeAll(queue)).toEqual(["a0", "a1", "a4"]);
  queue.release("a1");
  expect(takeAll(queue)).toEqual(["a2"]);
  queue.release("a0");
  queue.release("a4");
  expect(takeAll(queue)).toEqual(["a3"]);
});

test("what only waits for a processor may be taken ahead, one for each, and has the place of the next that ends", () => {
  const queue = schedule({ cpu: 2 });
  for (let at = 0; at < 7; at += 1) queue.add(`a${at}`, {}, 1, at, true);
  expect(takeAll(queue)).toEqual(["a0", "a1"]);
  expect([queue.takeAhead(), queue.takeAhead(), queue.takeAhead()]).toEqual(["a2", "a3", undefined]);
  queue.release("a1");
  // a2 runs in its place.
  expect([queue.take(), queue.takeAhead(), queue.takeAhead()]).toEqual([undefined, "a4", undefined]);
  // Ends before the end of the action whose place a3 takes was reported.
  queue.release("a3");
  expect([queue.take(), queue.takeAhead(), queue.takeAhead()]).toEqual([undefined, "a5", undefined]);
  for (const address of ["a0", "a2"]) queue.release(address);
  // a4 and a5 have the places.
  expect([queue.take(), queue.running]).toEqual([undefined, 2]);
  for (const address of ["a4", "a5"]) queue.release(address);
  expect([...takeAll(queue), queue.running]).toEqual(["a6", 1]);
});

test("what asks for more than a processor, or may not wait, is not taken ahead", () => {
  const queue = schedule({ cpu: 2, tokens: { vivado: 1 } });
  for (const address of ["a", "b"]) queue.add(address, {}, 9, 0, true);
  expect(takeAll(queue)).toEqual(["a", "b"]);
  queue.add("licensed", { tokens: { vivado: 1 } }, 8, 1, true);
  expect(queue.takeAhead()).toBeUndefined();
  const other = schedule({ cpu: 1 });
  other.add("a", {}, 9, 0);
  other.add("b", {}, 8, 1);
  expect([other.take(), other.takeAhead()]).toEqual(["a", undefined]);
});

test("a token without a declared number exists once", () => {
  const queue = schedule();
  queue.add("a", { tokens: { board: 1 } }, 1, 0);
  queue.add("b", { tokens: { board: 1 } }, 1, 1);
  expect(takeAll(queue)).toEqual(["a"]);
  queue.release("a");
  expect(takeAll(queue)).toEqual(["b"]);
});

test("an action that requests more CPUs or memory than exist runs alone", () => {
  const queue = schedule();
  queue.add("huge", { cpu: 64, memory: 1e12 }, 2, 0);
  queue.add("small", {}, 1, 1);
  expect(takeAll(queue)).toEqual(["huge"]);
  queue.release("huge");
  expect(takeAll(queue)).toEqual(["small"]);
});

test("tokens that do not exist are an error, not a wait for ever", () => {
  expect(() => schedule({ tokens: { vivado: 1 } }).add("a", { tokens: { vivado: 2 } }, 1, 0)).toThrow(
    "a needs 2 of vivado, but there is 1",
  );
});

test("a large urgent action is not passed over for ever by small ones", () => {
  const queue = schedule();
  for (let at = 0; at < 200; at += 1) queue.add(`small${at}`, { cpu: 1 }, 1, at);
  expect(takeAll(queue)).toHaveLength(4);
  queue.add("large", { cpu: 4 }, 100, 1000);
  const running = ["small0", "small1", "small2", "small3"];
  let passedOver = 0;
  for (;;) {
    queue.release(running.shift() as string);
    const started = takeAll(queue);
    running.push(...started);
    if (started.includes("large")) break;
    passedOver += started.length;
  }
  expect(passedOver).toBeLessThan(40);
});

test("with synthesis-like durations builds are close to the shortest possible, and not worse than first come, first served", () => {
  const ratios: number[] = [];
  let worse = 0;
  for (const shape of SHAPES) {
    for (let seed = 1; seed <= 40; seed += 1) {
      const simulated = simulatedGraph(shape, seed);
      const ours = makespan(simulated, "critical-path");
      const theirs = makespan(simulated, "fifo");
      ratios.push(ours / lowerBound(simulated));
      if (ours > theirs * 1.000001) worse += 1;
      expect([shape, seed, ours / theirs]).toEqual([
        shape,
        seed,
        expect.toSatisfy((ratio: number) => ratio <= 1.05),
      ]);
    }
  }
  ratios.sort((a, b) => a - b);
  expect(ratios[ratios.length >> 1]).toBeLessThanOrEqual(1.05);
  expect(worse / ratios.length).toBeLessThan(0.01);
});

test("what took longest last time starts first, and a slow chain before single slow actions", async () => {
  let clock = 0;
  const hrtime = vi.spyOn(process, "hrtime").mockImplementation((() => [clock, 0]) as () => [number, number]);
  const shop = new Workshop({ jobs: 1 });
  shop.step({
    name: "waits",
    digest: digestBytes("waits"),
    run: async ({ action, writeOutput }) => {
      clock += (action.options as { readonly seconds: number }).seconds;
      await writeOutput("o", String(clock));
      return { ok: true };
    },
  });
  const waits = (address: string, seconds: number, inputs: Action["inputs"] = []): Action => ({
    address,
    step: "waits",
    options: { seconds },
    inputs,
    outputs: [{ name: "o", kind: "file", place: `out/${address}` }],
  });
  const actions = [
    waits("short", 0),
    waits("long", 40),
    waits("head", 60),
    waits("tail", 10, [{ name: "h", from: { action: "head", output: "o" } }]),
  ];
  try {
    await shop.build(actions);
    expect((await shop.build(actions, { force: true })).ran).toEqual(["head", "long", "tail", "short"]);
  } finally {
    hrtime.mockRestore();
  }
});
