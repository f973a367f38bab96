/**
 * Arrays in regions whose size is computed at run time, over all pairs of dimensions, type, level, clause, extents
 * and use: the launch allocates them if the kernel language has none. Clang compiles the same programs for CUDA.
 */
import { execFileSync } from "node:child_process";
import { afterAll, describe, expect, it } from "vitest";
import { Build } from "../../../targets/fuzz/build.ts";
import { sourceOf } from "../../../targets/fuzz/source.ts";
import { allRows, pairwise } from "../covering.ts";
import { judged } from "../judged.ts";
import { axes, functionOf, isMeaningful } from "./variable-arrays.ts";

judged("arrays of variable size", axes, isMeaningful, functionOf);

const clang = ["clang", "clang-19", "clang-16", "clang-15", "clang-14"].find((name) => {
  try {
    execFileSync(name, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
});

describe.skipIf(!clang)("arrays of variable size for CUDA", () => {
  const rows = pairwise<typeof axes>(allRows(axes, isMeaningful));
  const build = new Build([{ file: "a.c", text: sourceOf(rows.map((row, k) => functionOf(row, `f${k}`))) }]);
  afterAll(() => build.remove());

  it("are pointers into memory that kernels are given", { timeout: 300_000 }, () => {
    expect(() => build.cuda(clang as string)).not.toThrow();
  });
});
