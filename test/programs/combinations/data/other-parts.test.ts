/**
 * Regions that use a part that is on the device without naming it, while their own clauses map other parts of the same
 * array or structure by another name: afterwards everything is as it was, and can be mapped anew.
 */
import type { Row } from "../covering.ts";
import { judged } from "../judged.ts";

const axes = {
  object: ["pointer", "pointer of a function", "array", "array of a file", "member"],
  /** Where the other part lies, and how much of it. */
  other: ["first", "in front", "behind", "last", "two"],
  motion: ["to", "tofrom", "alloc"],
  mapping: ["enter", "data", "enter twice", "data around enter"],
  use: ["read", "written", "never"],
  region: ["target", "target teams distribute parallel for"],
} as const;

type Case = Row<typeof axes>;

/**
 * A pointer to nothing but the other part leads there, and nowhere else: the region may only say that it might use more.
 * Of two sections through pointers of one value, a function that knows no more of them cannot say which it means.
 */
const isMeaningful = ({ object, other, use }: Case): boolean =>
  (use === "never" || object === "member" || (other !== "first" && other !== "two")) &&
  (object !== "pointer of a function" || other === "first");

const places = {
  first: ["0:2"],
  "in front": ["4:2"],
  behind: ["14:2"],
  last: ["18:2"],
  two: ["0:2", "18:2"],
};
const members = { first: ["n"], "in front": ["k"], behind: ["m"], last: ["t[0:2]"], two: ["n", "m"] };

function functionOf({ object, other, motion, mapping, use, region }: Case, name: string): string {
  const isMember = object === "member";
  const all = object === "array of a file" ? `all_${name}` : "all";
  const own = isMember ? "o.x" : object.startsWith("pointer") ? "a" : all;
  const section = isMember ? "o.x, o.x[8:6]" : `${own}[8:6]`;
  const beside = isMember
    ? members[other].map((member) => `p->${member}`).join(", ")
    : places[other].map((place) => `q[${place}]`).join(", ");
  const access = {
    read: `y_${name}[i] = ${own}[i]`,
    written: `${own}[i] += 3`,
    never: `if (never > i) ${own}[i] = -1`,
  }[use];
  const work = (by: number) => `#pragma omp target
  for (int i = 8; i < 14; i++) ${own}[i] = ${own}[i] * 2 + ${by};
#pragma omp ${region} map(${motion}: ${beside})
  for (int i = 8; i < 14; i++) ${access};
#pragma omp target
  for (int i = 8; i < 14; i++) ${own}[i] -= i;
`;
  const release = isMember ? " map(release: o.x)" : "";
  const back = isMember ? "o.x[8:6]" : section;
  const entered = (inside: string) =>
    `#pragma omp target enter data map(to: ${section})\n${inside}#pragma omp target exit data map(from: ${back})${release}\n`;
  const during = (inside: string) => `#pragma omp target data map(tofrom: ${section})\n  {\n${inside}  }\n`;
  const mapped = (by: number): string =>
    ({
      enter: entered(work(by)),
      data: during(work(by)),
      "enter twice": entered(work(by)) + entered(work(by + 1)),
      "data around enter": during(entered(work(by))),
    })[mapping];
  const declared = isMember
    ? `static int all[20];\n  struct s_${name} o = {1, 2, all, 3, {4, 5}}, *p = &o;`
    : object === "array of a file"
      ? `int *q = ${all};`
      : object === "pointer of a function"
        ? "int all[20], *q = all;"
        : `int all[20], *q = all${object === "pointer" ? ", *a = all" : ""};`;
  const code = `${mapped(1)}  for (int i = 0; i < 20; i++) ${isMember ? "all" : own}[i] += 5;\n${mapped(4)}`;
  const called = object === "pointer of a function";
  return `static int y_${name}[20];\n${isMember ? `struct s_${name} { int n, k; int *x; int m; int t[2]; };\n` : ""}${
    object === "array of a file" ? `static int ${all}[20];\n` : ""
  }${called ? `static int on_${name}(int *a, int *q, int never) {\n${code}  return a != q || never;\n}\n` : ""}static void ${name}(void) {
  ${declared}
  int never = 0;
  for (int i = 0; i < 20; i++) ${all}[i] = i;
${called ? `  on_${name}(all, q, never);\n` : code}  long sum = never;
  for (int i = 0; i < 20; i++) sum = sum * 3 % 100003 + ${all}[i] + 7 * y_${name}[i];
  printf("${name} %ld\\n", sum${isMember ? " + (o.x == all) + o.n + o.k + o.m + o.t[1] + p->t[0]" : ""});
}
`;
}

judged("regions that map other parts", axes, isMeaningful, functionOf, ["host", "oclgrind"]);
