/**
 * Few long iterations, which go to a part of each group's items, over their number, the loop's form, and what is inside:
 * compared with plain C under Oclgrind, and as CUDA's text with fibers for threads; with `ARC_SLOW_TESTS=1` on PoCL too.
 */
import { describeAsPlainC } from "./as-plain-c.ts";
import { allRows, pairwise, type Row } from "./covering.ts";

const axes = {
  directive: [
    "acc parallel loop",
    "acc kernels loop independent",
    "omp target teams distribute parallel for",
  ],
  trips: ["0", "1", "63", "64", "65", "300", "1200"],
  loop: ["up", "down", "in steps"],
  inside: ["a loop that carries", "two loops", "a while loop", "a jump"],
  bound: ["constant", "variable"],
} as const;

function functionOf({ directive, trips, loop, inside, bound }: Row<typeof axes>, name: string): string {
  const n = bound === "constant" ? trips : "n";
  const header = {
    up: `for (int i = 0; i < ${n}; i++)`,
    down: `for (int i = ${n} - 1; i >= 0; i--)`,
    "in steps": `for (int i = 0; i < ${n}; i += 3)`,
  }[loop];
  const a = `a_${name}`;
  const body = {
    "a loop that carries": `for (int j = 1; j < 9; j++) ${a}[i][j] += ${a}[i][j - 1] * 3 % 101;`,
    "two loops": `for (int j = 1; j < 9; j++) ${a}[i][j] += ${a}[i][j - 1] % 7; for (int j = 7; j >= 0; j--) ${a}[i][j] -= ${a}[i][j + 1] % 5;`,
    "a while loop": `int j = 0; while (j < 8 && ${a}[i][j] % 11 != 3) { ${a}[i][j + 1] += ${a}[i][j] % 13; j++; }`,
    "a jump": `for (int j = 1; j < 9; j++) { if (${a}[i][j] % 5 == i % 5) break; ${a}[i][j] += ${a}[i][j - 1] % 3; }`,
  }[inside];
  return `int ${a}[1200][9];
void run_${name}(int n) {
#pragma ${directive}
  ${header} { ${body} }
}
static void ${name}(void) {
  for (int i = 0; i < 1200; i++)
    for (int j = 0; j < 9; j++) ${a}[i][j] = (i * 7 + j * 3) % 23;
  run_${name}(${trips});
  long all = 0;
  for (int i = 0; i < 1200; i++)
    for (int j = 0; j < 9; j++) all += (long)${a}[i][j] * (i % 13 + j + 1);
  printf("${name} %ld\\n", all);
}
`;
}

describeAsPlainC(
  "few long iterations",
  pairwise<typeof axes>(allRows(axes, () => true)).map((row, k) => functionOf(row, `f${k}`)),
);
