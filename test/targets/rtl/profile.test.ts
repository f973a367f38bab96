/** The operator table for passes, compared with the scheduler's results. */
import { expect, it } from "vitest";
import { factsOf } from "../../../targets/rtl/facts.ts";
import { designed } from "./simulation.ts";

it.each([30, 50, 56, 80, 90, 92])(
  "a float sum has as many partial results as its adder takes cycles at %i MHz: an iteration starts in each",
  (clock) => {
    const { design } = designed(
      `float total(const float *restrict a) {
  float sum = 0;
#pragma acc parallel loop reduction(+:sum) copyin(a[0:4096])
  for (int i = 0; i < 4096; i++) sum += a[i];
  return sum;
}`,
      {},
      "separate",
      clock,
    );
    expect(factsOf(design).loops[0]?.ii).toBe(1);
  },
);
