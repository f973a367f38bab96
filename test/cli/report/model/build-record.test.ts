import { expect, it } from "vitest";
import { criticalPath, type RecordedAction } from "../../../../cli/report/model/build-record.ts";

const action = (
  address: string,
  start: number,
  seconds: number,
  needs: readonly string[] = [],
): RecordedAction => ({
  address,
  title: address,
  step: "s",
  start,
  seconds,
  lane: 0,
  why: "",
  needs,
});

it("the longest chain is the one of needs, not of time", () => {
  const actions = [
    action("a", 0, 1),
    action("lonely", 0, 5),
    action("b", 1, 3, ["a", "not run"]),
    action("c", 4, 2, ["b", "lonely"]),
  ];
  expect(criticalPath(actions).map(({ address }) => address)).toEqual(["lonely", "c"]);
  expect(criticalPath(actions.slice(0, 1)).map(({ address }) => address)).toEqual(["a"]);
  expect(criticalPath([])).toEqual([]);
});
