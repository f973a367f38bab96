/** Iterations of a chunk run in order in OpenMP, which OpenACC cannot say: loops that may depend on it are refused. */
import { expect, it } from "vitest";
import { refusals, statement } from "./translating.ts";

const line = "#pragma omp target teams distribute parallel for map(tofrom: a)";

it("a loop that may need the order of its chunks is refused", () => {
  expect(
    refusals(
      `${line} schedule(static, 8)\nfor (i = 0; i < 100; i++) if (i % 8) a[i] += a[i - 1];`,
      "openacc",
    )[0],
  ).toMatch(/^1:\d+ OpenACC has no chunks of iterations that run in order/);
});

it.each([
  "schedule(static, 8)\nfor (i = 0; i < 100; i++) a[i] += 2;",
  "schedule(static)\nfor (i = 0; i < 100; i++) if (i % 8) a[i] += a[i - 1];",
])("any other loses its schedule: %s", (rest) => {
  expect(statement(`${line} ${rest}`, "openacc")).not.toContain("schedule");
});
