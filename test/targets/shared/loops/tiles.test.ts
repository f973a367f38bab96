/** `tile` on a processor is the order of iterations, on a GPU the shape of groups. */
import { describe, expect, test } from "vitest";
import { kernelOf, remarksOf } from "../../translate.ts";

const region = (tile: string, kind: "host" | "cuda" | "opencl", loops = "i < n", clauses = "") =>
  kernelOf(
    `float a[1000][1000];
void f(int n, int m) {
#pragma acc parallel loop tile(${tile}) ${clauses} present(a)
  for (int i = 0; ${loops}; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = 1;
}`,
    kind,
  );

describe("on a processor", () => {
  test("threads share the tiles, and walk through the elements of each", () => {
    const { text, manifest } = region("16, 8", "host");
    expect(manifest).toContain("grid 1 t0 16 ceildiv 0 max t1 8 ceildiv 0 max * max cu min ;");
    expect(text).toContain("for (int i = (int)arc_i_first; i < arc_i_end; i++)");
    expect(text).toContain("arc_i_first = arc_i_tile * 16l;");
  });

  test("a size that is left open is chosen", () => {
    expect(region("*, 8", "host").manifest).toContain("t0 32 ceildiv");
  });

  test("tiles of one element are the loops themselves", () => {
    expect(region("1, 1", "host").text).not.toContain("tile");
  });
});

describe("on a GPU", () => {
  const group = (tile: string, kind: "cuda" | "opencl" = "cuda", clauses = "") =>
    /group .*/.exec(region(tile, kind, "i < n", clauses).manifest)?.[0];

  test("the tile is the group's shape, innermost loop first", () => {
    expect(group("8, 32")).toBe("group 32 ; 8 ; 1");
    expect(group("16, 16")).toBe("group 16 ; 16 ; 1");
  });

  test("groups take tiles that have not one element for each item, which share them", () => {
    for (const tile of ["64, 4", "64, 64", "*, 32", "8, *"]) expect(group(tile)).toBe("group 256 ; 1 ; 1");
    const { text, manifest } = region("64, 64", "cuda");
    expect(manifest).toContain("grid 1 t0 64 ceildiv 0 max t1 64 ceildiv 0 max * max");
    expect(text).toContain("arc_i_first = arc_i_tile * 64l;");
  });

  test("no more lanes than a tile has elements, rounded to full warps", () => {
    expect(group("2, 3")).toBe("group 32 ; 1 ; 1");
    expect(group("20, 5")).toBe("group 128 ; 1 ; 1");
  });

  test("sizes that the program names outweigh a tile's shape, and groups take tiles", () => {
    expect(group("8, 32", "cuda", "num_gangs(3)")).toBe("group 256 ; 1 ; 1");
    expect(group("8, 32", "cuda", "vector_length(64)")).toBe("group 64 ; 1 ; 1");
  });

  test("OpenCL devices have the same tiles", () => {
    expect(group("16, 16", "opencl")).toBe("group 16 ; 16 ; 1");
    expect(group("64, 64", "opencl")).toBe("group 256 ; 1 ; 1");
  });

  test("a tile without effect is reported, with the reason", () => {
    const remarks = (source: string) => remarksOf(source, "cuda");
    const loop = (before: string, body: string) => `float a[1000][1000];
void f(int n) {
${before}
  for (int i = 1; i < n; i++)
    for (int j = 0; j < n; j++)
      ${body}
}`;
    expect(remarks(loop("#pragma acc serial loop tile(8, 8) present(a)", "a[i][j] = 1;"))).toEqual([
      "3:13 not-tiled",
    ]);
    const auto = "#pragma acc kernels loop auto tile(8, 8) present(a)";
    expect(remarks(loop(auto, "a[i][j] = a[i - 1][j];"))).toContain("3:13 not-tiled");
    expect(remarks(loop("#pragma acc parallel loop tile(2, 3) present(a)", "a[i][j] = 1;"))).toContain(
      "3:13 tile-small",
    );
  });
});
