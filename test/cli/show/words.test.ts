import { expect, it } from "vitest";
import { clockTime, counts, oneLine } from "../../../cli/show/words.ts";

const none = { ran: 0, cached: 0, remote: 0, upToDate: 0, failed: 0, skipped: 0 };

it("a build interrupted before any action ended does not claim that there was nothing to do", () => {
  expect(counts(none)).toBe("nothing to do");
  expect(counts(none, "nothing was finished")).toBe("nothing was finished");
  expect(counts({ ...none, ran: 1 }, "nothing was finished")).toBe("1 ran");
});

it("scripts as titles are one line, and no long one", () => {
  expect(oneLine("sh -c make  all")).toBe("sh -c make  all");
  expect(oneLine("sh -c one\n  two\n")).toBe("sh -c one two");
  expect(oneLine(`echo ${"x".repeat(500)}`)).toMatch(/^echo x{75}…x{79}$/);
});

it.each([
  [0, "0:00"],
  [59.6, "1:00"],
  [247, "4:07"],
  [3750, "1:02:30"],
  [-3, "0:00"],
])("%d s are %s on a clock", (value, text) => {
  expect(clockTime(value)).toBe(text);
});
