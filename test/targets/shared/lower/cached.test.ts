/** `cache` on a GPU: a copy in group memory, or a remark that says why there is none. */
import { describe, expect, test } from "vitest";
import { kernelOf, remarksOf } from "../../translate.ts";

const region = (
  cache: string,
  body = "b[i] = w[i % 9] + w[2];",
  clauses = "",
) => `float a[5000], b[5000], w[40];
struct { float x[9]; } s;
void f(int n, float *p) {
#pragma acc parallel loop copy(a, b, w, s) present(p[0:n]) ${clauses}
  for (int i = 1; i < n - 1; i++) {
#pragma acc cache(${cache})
    ${body}
  }
}`;

describe("a section that is the same for all of the region", () => {
  test("is copied by each group, and subscripts beyond it reach memory", () => {
    const { text } = kernelOf(region("w[0:4]"), "cuda");
    expect(text).toContain("__shared__ float w_of_group[4];");
    expect(text).toContain("w_of_group[arc_t] = w[arc_t + 0l];");
    expect(text).toContain("w_of_group[(long)2 - 0l]");
    expect(text).toMatch(/< 4ul \? w_of_group\[.*\] : w\[i % 9\]/);
  });

  test("may be an array of known size, and named twice", () => {
    expect(remarksOf(region("w"), "cuda")).toEqual([]);
    expect(remarksOf(region("w, w[3:5]"), "opencl")).toEqual([]);
  });
});

describe("a section without a copy is reported", () => {
  test.each([
    ["moves with the loop", "a[i - 1:3]", "b[i] = a[i];"],
    ["is changed", "b[0:9]", "b[i] = a[i];"],
    ["is too long", "a[0:5000]", "b[i] = a[i];"],
    ["has a size of the run", "p[0:n]", "b[i] = p[0];"],
    ["does not lie in the array", "w[30:20]", "b[i] = w[i % 9];"],
    ["may be what another pointer changes", "w[0:9]", "p[i] = w[3];"],
    ["has its address taken", "w[0:9]", "float *q = &w[3]; b[i] = *q;"],
    ["is no array of numbers", "s", "b[i] = s.x[3];"],
    ["has two lengths", "w[0:4], w[3:9]", "b[i] = w[i % 9];"],
  ])("that %s", (_, cache, body) => {
    expect(remarksOf(region(cache, body), "cuda")).toEqual([expect.stringMatching(/ not-cached$/)]);
  });

  test("on a processor, and in a region that runs in order", () => {
    expect(remarksOf(region("w[0:4]"), "host")).toEqual([expect.stringMatching(/ not-cached$/)]);
    expect(remarksOf(region("w").replace("parallel loop", "serial loop"), "cuda")).toEqual([
      expect.stringMatching(/ not-cached$/),
    ]);
  });
});
