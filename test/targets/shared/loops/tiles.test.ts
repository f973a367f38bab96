/** `tile` on a processor is the order of iterations, on a GPU the shape of groups. */
import { describe, expect, test } from "vitest";
import { kernelOf } from "../../translate.ts";

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

  test("tiles too small, too narrow, too large or left open leave the shape to the compiler", () => {
    for (const tile of ["2, 3", "64, 4", "64, 64", "*, 32", "8, *"])
      expect(group(tile)).toBe("group 64 ; 4 ; 1");
  });

  test("num_gangs outweighs a tile", () => {
    expect(group("8, 32", "cuda", "num_gangs(3)")).toBe("group 256 ; 1 ; 1");
  });

  test("OpenCL devices keep their own shape: rows as short as a tile's make PoCL slower", () => {
    expect(group("16, 16", "opencl")).toBe("group 64 ; 2 ; 1");
  });
});
