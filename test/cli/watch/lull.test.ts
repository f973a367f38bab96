/** When a watch may prepare for the next save during a build. */
import { expect, it } from "vitest";
import { Lull } from "../../../cli/watch/lull.ts";
import { digestBytes } from "../../../core/build/key/digest.ts";
import type { Event } from "../../../core/build/model/event.ts";

const ready = (address: string): Event => ({ type: "ready", address });
const done = (address: string): Event => ({
  type: "done",
  address,
  key: digestBytes(address),
  how: "ran",
  seconds: 0,
});
const failed = (address: string): Event => ({
  type: "failed",
  address,
  title: "",
  message: "",
  log: "",
  cached: false,
  seconds: 0,
});

/** After each event, whether it began a lull and whether there is one. */
function course(events: readonly Event[]): readonly (readonly [begins: boolean, isOn: boolean])[] {
  const lull = new Lull();
  return events.map((event) => [lull.heard(event), lull.isOn] as const);
}

it("begins when the last translation that is ready is done, and ends when another source has its turn", () => {
  expect(
    course([
      ready("a.c#preprocess"),
      ready("cpu:default/a.c#translate"),
      done("a.c#preprocess"),
      done("cpu:default/a.c#translate"),
      ready("a.c#compile"),
      ready("b.c#preprocess"),
      failed("b.c#preprocess"),
      done("a.c#compile"),
    ]),
  ).toEqual([
    [false, false],
    [false, false],
    [false, false],
    [true, true],
    [false, true],
    [false, false],
    [true, true],
    [false, true],
  ]);
});

it("does not begin in a build without translations", () => {
  expect(course([ready("data"), done("data"), ready("cpu:default#link")]).flat()).not.toContain(true);
});
