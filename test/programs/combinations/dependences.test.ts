/** `depend` on target constructs and tasks: single elements, sections and iterators, on one side or on both. */
import type { Row } from "./covering.ts";
import { judged } from "./judged.ts";

const axes = {
  made: ["element", "section", "two elements", "iterator", "member"],
  used: ["elements", "section", "iterator", "iterator of a step", "two clauses"],
  by: ["target", "target with a loop", "task", "taskwait"],
  kind: ["out", "inout"],
  mapped: ["by each", "around"],
  host: ["in order", "threads"],
} as const;

type Combination = Row<typeof axes>;

const N = 6;

const isMeaningful = ({ made, used, by }: Combination): boolean =>
  // Tasks and waits that are arc's own, without -fopenmp, refuse iterators by name.
  !((by === "task" || by === "taskwait") && !["elements", "section"].includes(used)) &&
  // Sections with different starts or lengths are different list items, which may not overlap.
  (made === "section") === (used === "section") &&
  !(made === "member" && used !== "elements");

function functionOf({ made, used, by, kind, mapped, host }: Combination, name: string): string {
  const item = {
    element: "a[k]",
    section: "a[k:1]",
    "two elements": "a[k], t[k]",
    iterator: "iterator(i = k:k + 1), DEP: a[i]",
    member: "s[k].v",
  }[made];
  const out = item.includes("DEP") ? item.replace("DEP", kind) : `${kind}: ${item}`;
  const all = (f: (k: number) => string) => Array.from({ length: N }, (_, k) => f(k)).join(", ");
  const on = made === "member" ? (k: number) => `s[${k}].v` : (k: number) => `a[${k}]`;
  const needs = {
    elements: `depend(in: ${all(on)})`,
    section: `depend(in: ${all((k) => `a[${k}:1]`)})`,
    iterator: "depend(iterator(i = 0:n), in: a[i])",
    "iterator of a step": "depend(iterator(i = 0:n:2, j = 0:2), in: a[i + j])",
    "two clauses": "depend(iterator(i = 0:n / 2), in: a[i]) depend(iterator(int i = n / 2:n), in: a[i])",
  }[used];
  const map = mapped === "around" ? "" : " map(tofrom: a[k:1])";
  const read = mapped === "around" ? "" : " map(to: a)";
  const sum = "int v = 0; for (int i = 0; i < n; i++) v += a[i] * (i + 1); r = v;";
  const reader = {
    target: `#pragma omp target nowait ${needs}${read} map(from: r)\n    { ${sum} }\n`,
    "target with a loop": `#pragma omp target teams distribute parallel for nowait ${needs}${read} map(tofrom: r) reduction(+ : r)\n    for (int i = 0; i < n; i++) r += a[i] * (i + 1);\n`,
    task: `#pragma omp task shared(a, r) firstprivate(n) ${needs}\n    { ${mapped === "around" ? "\n#pragma omp target update from(a)\n" : ""} ${sum} }\n`,
    taskwait: `#pragma omp taskwait ${needs}\n${mapped === "around" ? "#pragma omp target update from(a)\n" : ""}    { ${sum} }\n`,
  }[by];
  const code = `  {
    for (int k = 0; k < n; k++) {
#pragma omp target nowait depend(${out})${map} firstprivate(k)
      a[k] = k * 5 + 1;
#pragma omp target nowait depend(${out})${map} firstprivate(k)
      a[k] += 2;
    }
${reader}#pragma omp taskwait
  }
`;
  return `static void ${name}(void) {
  int n = ${N}, r = 0, a[${N}] = {0}, t[${N}] = {0};
  struct { int u, v; } s[${N}] = {{0}};
  (void)t, (void)s;
${mapped === "around" ? "#pragma omp target data map(tofrom: a)\n" : ""}  {
${host === "threads" ? "#pragma omp parallel\n#pragma omp single\n" : ""}${code}  }
  printf("${name} %d", r);
  for (int k = 0; k < n; k++) printf(" %d", a[k]);
  printf("\\n");
}
`;
}

judged("dependences", axes, isMeaningful, functionOf, ["host", "opencl"]);
