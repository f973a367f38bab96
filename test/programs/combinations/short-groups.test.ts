/**
 * Groups as large as loops of constant length that their items share: over lengths, what the loop does, and loops beside
 * it, compared with plain C.
 */
import { describe, expect, it } from "vitest";
import { kernelOf } from "../../targets/translate.ts";
import { describeAsPlainC } from "./as-plain-c.ts";
import { allRows, pairwise, type Row } from "./covering.ts";

const axes = {
  length: ["1", "31", "64", "65", "200", "300"],
  inner: ["vector", "vector collapse(2)", "worker", "vector reduction(+:s)", "worker around vector"],
  beside: ["nothing", "a shorter loop", "a longer loop", "a variable length", "an array of the gang"],
} as const;

function functionOf({ length, inner, beside }: Row<typeof axes>, name: string): string {
  const loop = {
    vector: `#pragma acc loop vector\n    for (int j = 0; j < ${length}; j++) a[i][j] += i + j;`,
    "vector collapse(2)": `#pragma acc loop vector collapse(2)\n    for (int j = 0; j < ${length}; j++) for (int k = 0; k < 2; k++) a[i][j * 2 + k] += i + j + k;`,
    worker: `#pragma acc loop worker\n    for (int j = 0; j < ${length}; j++) { int t = a[i][j]; for (int k = 0; k < 3; k++) t = t * 3 % 11; a[i][j] = t; }`,
    "vector reduction(+:s)": `#pragma acc loop vector reduction(+:s)\n    for (int j = 0; j < ${length}; j++) s += a[i][j];`,
    "worker around vector": `#pragma acc loop worker\n    for (int j = 0; j < ${length}; j++) {\n#pragma acc loop vector\n      for (int k = 0; k < 2; k++) a[i][j * 2 + k] += i - j + k;\n    }`,
  }[inner];
  const other = {
    nothing: "",
    "a shorter loop": "#pragma acc loop vector\n    for (int j = 0; j < 7; j++) a[i][j] *= 2;",
    "a longer loop": "#pragma acc loop vector\n    for (int j = 255; j >= 0; j--) a[i][j] += 3;",
    "a variable length": "#pragma acc loop vector\n    for (int j = 0; j < n; j++) a[i][j] -= j % 5;",
    "an array of the gang":
      "int of[40];\n#pragma acc loop vector\n    for (int j = 0; j < 40; j++) of[j] = a[i][j] + s;\n#pragma acc loop vector\n    for (int j = 0; j < 40; j++) a[i][j] = of[39 - j];",
  }[beside];
  return `static void ${name}(void) {
  static int a[9][600], r[9];
  int n = 77;
  for (int i = 0; i < 9; i++) for (int j = 0; j < 600; j++) a[i][j] = (i * 7 + j * 3) % 23;
#pragma acc parallel loop gang copy(a, r)
  for (int i = 0; i < 9; i++) {
    int s = i;
    ${loop}
    ${other}
    r[i] = s;
  }
  long all = 0;
  for (int i = 0; i < 9; i++) for (int j = 0; j < 600; j++) all += (long)a[i][j] * (i % 13 + j + 1);
  for (int i = 0; i < 9; i++) all += r[i] * (i + 3);
  printf("${name} %ld\\n", all);
}
`;
}

describeAsPlainC(
  "groups of short loops",
  pairwise<typeof axes>(allRows(axes, () => true)).map((row, k) => functionOf(row, `f${k}`)),
);

describe("loops of constant length that items share", () => {
  const region = (gang: string, loops: string): string => `
float a[900][500];
void f(int n) {
#pragma acc parallel loop gang ${gang}
  for (int i = 0; i < 900; i++) {
${loops}
  }
}`;
  const over = (length: string, clause = "vector") =>
    `#pragma acc loop ${clause}\nfor (int j = 0; j < ${length}; j++) a[i][j] += 1;`;

  it.each([
    ["64 iterations", region("", over("64")), 64],
    ["65 iterations", region("", over("65")), 96],
    ["one iteration", region("", over("1")), 32],
    ["the longer of two loops", region("", `${over("20")}\n${over("100")}`), 128],
    ["300 iterations, in two rounds", region("", over("300")), 160],
    ["a length that only the launch knows", region("", over("n")), 256],
    ["a length that the user names", region("vector_length(128)", over("64")), 128],
  ])("give groups their size: %s", (_, source, items) => {
    expect(kernelOf(source, "cuda").manifest).toContain(`group ${items} ; 1 ; 1`);
    expect(kernelOf(source, "opencl").manifest).toContain(`group ${items} ; 1 ; 1`);
  });
});
