/**
 * Atomics on variables shared by a gang's lanes, over types, shapes and operations: compared with plain C on PoCL, and
 * under Oclgrind, which finds accesses outside the variables.
 */
import { describeAsPlainC } from "./as-plain-c.ts";
import { allRows, pairwise, type Row } from "./covering.ts";

const axes = {
  type: ["signed char", "unsigned short", "int", "real_t"],
  shape: ["", "[3]", "[3][5]"],
  update: ["+= 1", "*= 2", "= k % 5"],
} as const;

function functionOf({ type, shape, update }: Row<typeof axes>, name: string): string {
  const dims = shape === "" ? 0 : shape === "[3]" ? 1 : 2;
  const at = ["", "[k % 3]", "[k % 3][k % 5]"][dims];
  // Each element is written with one value only, so the order does not matter.
  const value = update === "= k % 5" ? `= ${["7", "k % 3", "k % 3 + k % 5"][dims]}` : update;
  const guard = update === "*= 2" ? "if (k < 6) " : "";
  const clear = [
    "",
    "for (int e = 0; e < 3; e++) ",
    "for (int e = 0; e < 3; e++) for (int d = 0; d < 5; d++) ",
  ][dims];
  return `static void ${name}(void) {
  long sums[4];
#pragma acc parallel loop gang copyout(sums)
  for (int x = 0; x < 4; x++) {
    ${type} v${shape};
    ${clear}v${["", "[e]", "[e][d]"][dims]} = 1;
#pragma acc loop vector
    for (int k = 0; k < 60; k++) {
      ${guard}{
#pragma acc atomic
        v${at} ${value};
      }
    }
    long sum = sizeof v;
    ${clear}sum = sum * 3 + (long)v${["", "[e]", "[e][d]"][dims]};
    sums[x] = sum;
  }
  printf("${name} %ld %ld %ld %ld\\n", sums[0], sums[1], sums[2], sums[3]);
}
`.replaceAll(/#pragma acc atomic\n(.*v.* = )/g, "#pragma acc atomic write\n$1");
}

/** Variables of any size: atomics stay inside. */
describeAsPlainC(
  "atomics on what lanes share",
  pairwise<typeof axes>(allRows(axes, () => true)).map((row, k) => functionOf(row, `f${k}`)),
  ["opencl", "oclgrind"],
);
