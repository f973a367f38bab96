/** Whatever is thrown, people are told something. */
import { expect, test } from "vitest";
import { describeError } from "../../../core/build/model/error.ts";

class Surprise extends Error {}

function thrower(): never {
  throw new Surprise();
}

test("an error without a message is described by its class and where it is from", () => {
  let caught: unknown;
  try {
    thrower();
  } catch (error) {
    caught = error;
  }
  expect(describeError(caught)).toBe("Surprise without a message in thrower: an error in arc itself");
  expect(describeError(new Error(""))).toMatch(/^Error without a message/);
  expect(describeError("")).not.toBe("");
  expect(describeError(new Surprise("told"))).toBe("told");
});
