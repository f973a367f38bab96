/** Few long iterations keep more compute units busy if fewer items of each group work. */
import { describe, expect, it } from "vitest";
import { kernelOf } from "../../../translate.ts";

const long = "for (int j = 1; j < 500; j++) a[i][j] -= a[i][j - 1];";
const region = (body = long, directive = "acc parallel loop", n = "n") => `
float a[9000][500]; float sum;
void f(int n) {
#pragma ${directive}
  for (int i = 0; i < ${n}; i++) { ${body} }
}`;

describe("iterations with a loop inside", () => {
  it.each(["cuda", "opencl"] as const)("are spread over more groups if they are few: %s", (kind) => {
    const { text, manifest } = kernelOf(region(), kind);
    expect(text).toMatch(/long arc_width = arc_groups \* 64l >= arc_trips \? 64l : 256l;/);
    expect(manifest).toMatch(/256 ceildiv cu \/ .* 64 ceildiv \?/);
    expect(manifest).toContain("group 256 ; 1 ; 1");
  });

  it.each([
    ["short iterations", region("a[i][0] += 1;")],
    ["sizes that the user names", region(long, "acc parallel loop vector_length(128)")],
    ["a number of gangs that the user names", region(long, "acc parallel loop num_gangs(9)")],
    [
      "a partial result for each group",
      region(`${long} sum += a[i][3];`, "acc parallel loop reduction(+: sum)"),
    ],
  ])("are not for %s", (_, source) => {
    expect(kernelOf(source, "cuda").text).not.toContain("arc_width");
  });
});
