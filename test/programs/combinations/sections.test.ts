/**
 * Sections of arrays that all lanes of a group read in an inner loop: over numbers of lanes, lengths, code around the loop,
 * forms of arrays and pointers, compared with plain C. All values are small integers, so that every order of a sum gives the
 * same result.
 */
import { expect, it } from "vitest";
import { sourceOf } from "../../targets/fuzz/source.ts";
import { remarksOf } from "../../targets/translate.ts";
import { describeAsPlainC } from "./as-plain-c.ts";
import { allRows, pairwise, type Row } from "./covering.ts";

const axes = {
  lanes: ["32", "64", "128"],
  length: ["32", "50", "97"],
  from: ["0", "3"],
  type: ["float", "int", "double", "short"],
  around: ["nothing", "loop", "continue", "nest", "while", "condition", "two loops"],
  array: ["rows", "flat", "records", "indexed"],
  pointers: ["arrays", "restrict", "plain", "overlapping"],
} as const;

type Case = Row<typeof axes>;

const CELLS = 4;

function functionOf({ lanes, length, from, type, around, array, pointers }: Case, name: string): string {
  const pitch = 100;
  const element = (c: string) =>
    ({
      rows: `q[${c}][j]`,
      flat: `q[(${c}) * ${pitch} + j]`,
      records: `q[(${c}) * ${pitch} + j].v`,
      indexed: `q[at[${c}]][j]`,
    })[array];
  const inner = (c: string, j = "j") =>
    `for (int j = ${from}; j < ${from} + ${length}; j++) { T d = own - ${element(c)}; s += d * (j % 3) + ${element(c)}; }`.replaceAll(
      "j",
      j,
    );
  const loop = {
    nothing: inner("b"),
    loop: `for (int c = 0; c < n; c++) { ${inner("c")} }`,
    continue: `for (int c = -1; c <= n; c++) { if (c < 0 || c >= n || c == b) continue; int e = c; ${inner("e")} s += e; }`,
    nest: `for (int c = 0; c < 2; c++) for (int e = 0; e < 2; e++) { int k = c * 2 + e; if (k > n) continue; ${inner("k")} }`,
    while: `int c = n; while (c > 0) { c--; ${inner("c")} if (c == b) break; }`,
    condition: `if (b % 2) { s += 5; ${inner("b")} } else s -= own;`,
    "two loops": `for (int c = 0; c < n; c++) { ${inner("c")} ${inner("n - 1 - c", "k")} }`,
  }[around];
  const of = array === "rows" || array === "indexed" ? `[${pitch}]` : "";
  const record = array === "records";
  const q = record ? "struct r" : "T";
  const [size, cells] = of ? [`[${2 * CELLS}][${pitch}]`, CELLS] : [`[${2 * CELLS * pitch}]`, CELLS * pitch];
  const r = pointers === "restrict" ? "restrict " : "";
  const isArrays = pointers === "arrays";
  const declared = isArrays
    ? ""
    : `${q} (*${r}q)${of} = (void *)all; T (*${r}f)[${lanes}] = (void *)${pointers === "overlapping" ? `&all${of ? `[${CELLS}]` : `[${CELLS * pitch}]`}` : "out"};`;
  // Only the elements in front are used, so the arrays overlap and still do not meet.
  const extent = pointers === "overlapping" ? 2 * cells : cells;
  const data = isArrays ? "present(q, f, at)" : `present(q[0:${extent}], f[0:${CELLS}], at)`;
  const outer = isArrays
    ? `static ${q} q${size}; static T f[${CELLS}][${lanes}];`
    : `static ${q} all${size}; static T out[${CELLS}][${lanes}];`;
  const [source, result] = isArrays ? ["q", "f"] : ["all", "out"];
  return `static void ${name}(void) {
  typedef ${type} T;
  struct r { int k; T v; };
  ${outer}
  static int at[${CELLS}] = {2, 0, 3, 1};
  int n = 3;
  for (int i = 0; i < ${CELLS * pitch}; i++) ${of ? `((T *)${source})[i]` : `${source}[i]${record ? ".v" : ""}`} = i * 7 % 11;
#pragma acc data copyin(at) copy(${source}, ${result})
  {
    ${declared}
#pragma acc parallel loop gang ${data}
    for (int b = 0; b < ${CELLS}; b++) {
#pragma acc loop vector
      for (int i = 0; i < ${lanes}; i++) {
        T own = i % 5, s = 1;
        ${loop}
        f[b][i] = s;
      }
    }
  }
  double h = 0;
  ${pointers === "overlapping" ? `T (*f)[${lanes}] = (void *)&all${of ? `[${CELLS}]` : `[${CELLS * pitch}]`};` : isArrays ? "" : `T (*f)[${lanes}] = out;`}
  for (int b = 0; b < ${CELLS}; b++) for (int i = 0; i < ${lanes}; i++) h = h * 3 + f[b][i], h -= (long)(h / 99991) * 99991.0;
  printf("${name} %.0f\\n", h);
}
`;
}

const isMeaningful = ({ array, pointers, lanes }: Case): boolean =>
  // The results of all lanes fit behind the elements.
  pointers !== "overlapping" || (array !== "records" && lanes !== "128");

const rows = pairwise<typeof axes>(allRows(axes, isMeaningful));
const functions = rows.map((row, k) => functionOf(row, `f${k}`));

describeAsPlainC("sections that all lanes read", functions);

it("are in the memory of groups, all of them", () => {
  const remarks = remarksOf(sourceOf(functions), "cuda").filter((r) => r.endsWith("staged-by-groups"));
  expect(remarks).toHaveLength(functions.length);
});
