import { expect, test } from "vitest";
import type { Resources } from "../../../core/build/action.ts";
import { Schedule } from "../../../core/build/schedule.ts";
import { lowerBound, makespan, SHAPES, simulatedGraph } from "../../bench/engine/simulate.ts";
import { shell, Workshop } from "./workshop.ts";

function schedule(
  capacity: { cpu?: number; memory?: number; tokens?: Record<string, number> } = {},
): Schedule {
  return new Schedule({ cpu: 4, memory: 100, tokens: {}, ...capacity });
}

/** Takes as long as something fits. */
function takeAll(from: Schedule): string[] {
  const taken: string[] = [];
  for (let next = from.take(); next !== undefined; next = from.take()) taken.push(next);
  return taken;
}

test("the most urgent action starts first, and equals in the order of the graph", () => {
  const queue = schedule({ cpu: 100 });
  for (const [at, priority] of [3, 9, 1, 9, 4, 7, 2].entries()) queue.add(`a${at}`, {}, priority, at);
  expect(takeAll(queue)).toEqual(["a1", "a3", "a5", "a4", "a0", "a6", "a2"]);
});

test("no more CPUs, memory and tokens are given out than there are", () => {
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

test("a token that nobody counted exists once", () => {
  const queue = schedule();
  queue.add("a", { tokens: { board: 1 } }, 1, 0);
  queue.add("b", { tokens: { board: 1 } }, 1, 1);
  expect(takeAll(queue)).toEqual(["a"]);
  queue.release("a");
  expect(takeAll(queue)).toEqual(["b"]);
});

test("an action that asks for more CPUs or memory than there are runs alone", () => {
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
    const taken = takeAll(queue);
    running.push(...taken);
    if (taken.includes("large")) break;
    passedOver += taken.length;
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
  const shop = new Workshop({ jobs: 1 });
  const wait = (seconds: number): string => `sleep ${seconds}; echo $RANDOM > o`;
  const output = (name: string) => ({
    outputs: [{ name: "o", kind: "file" as const, place: `out/${name}` }],
  });
  const actions = [
    shell("short", wait(0), {}, [], output("short")),
    shell("long", wait(0.4), {}, [], output("long")),
    shell("head", wait(0.6), {}, [], output("head")),
    shell("tail", `cat h; ${wait(0.1)}`, { h: ["head", "o"] }, [], output("tail")),
  ];
  await shop.build(actions);
  expect((await shop.build(actions, { force: true })).ran).toEqual(["head", "long", "tail", "short"]);
});
