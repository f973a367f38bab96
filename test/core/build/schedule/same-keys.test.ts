/** Which actions wait for another with their key; ../same-keys.test.ts builds such actions. */
import { expect, test } from "vitest";
import { ActionStates } from "../../../../core/build/graph/action-states.ts";
import { digestBytes } from "../../../../core/build/key/digest.ts";
import type { Reason } from "../../../../core/build/model/event.ts";
import { mayShare, SameKeys } from "../../../../core/build/schedule/same-keys.ts";

const [a, b] = [toRun("a", { kind: "never-built" }), toRun("b", { kind: "never-built" })];

function toRun(key: string, reason: Reason) {
  return { base: digestBytes(key), verdict: { kind: "run", reason } } as const;
}

/** Keys of a build whose actions are being decided. */
function started() {
  const states = new ActionStates();
  for (let index = 0; index < 6; index += 1)
    for (const next of ["wanted", "waiting", "decidable", "deciding"] as const) states.move(index, next);
  const again: number[] = [];
  return { states, again, keys: new SameKeys(states, (index) => again.push(index)) };
}

/** Work that ends when told to. */
function work() {
  let [end, fail] = [() => {}, (_: Error) => {}];
  const done = new Promise<void>((resolve, reject) => {
    [end, fail] = [resolve, reject];
  });
  return { done, end: () => end(), fail: (error: Error) => fail(error) };
}

test("an action with the key of one under way waits for its end, and is decided again", async () => {
  const { keys, states, again } = started();
  expect(keys.wait(1, a)).toBe(false);
  const { done, end } = work();
  const alone = keys.alone(a, done);
  expect(keys.wait(2, a)).toBe(true);
  expect(keys.wait(3, b)).toBe(false);
  expect([1, 2, 3].map((index) => states.of(index))).toEqual(["deciding", "sharing", "deciding"]);
  expect(again).toEqual([]);
  end();
  await alone;
  expect(again).toEqual([2]);
  expect(keys.wait(4, a)).toBe(false);
});

test("who waits for a key is not forgotten when more work for it begins, nor when the work fails", async () => {
  const { keys, again } = started();
  const [first, second] = [work(), work()];
  const alone = keys.alone(a, first.done);
  keys.wait(2, a);
  const more = keys.alone(a, second.done);
  keys.wait(3, a);
  first.fail(new Error("no"));
  await expect(alone).rejects.toThrow("no");
  expect(again).toEqual([2, 3]);
  second.end();
  await more;
  expect(again).toEqual([2, 3]);
});

test("what must run whatever others made waits for nobody, and nobody for it", async () => {
  for (const kind of ["forced", "not-cacheable"] as const) {
    const { keys, again } = started();
    const own = toRun("a", { kind });
    expect(mayShare(own)).toBe(false);
    const { done, end } = work();
    const alone = keys.alone(own, done);
    expect(keys.wait(1, a)).toBe(false);
    const other = keys.alone(a, done);
    expect(keys.wait(2, own)).toBe(false);
    end();
    await Promise.all([alone, other]);
    expect(again).toEqual([]);
  }
});

test("only a key that the shared cache was asked for in vain is missed", () => {
  const { keys } = started();
  keys.noteMiss(a.base);
  expect([a, b].map(({ base }) => keys.wasMissed(base))).toEqual([true, false]);
});
