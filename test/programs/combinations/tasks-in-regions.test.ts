/**
 * Tasks in regions that change a variable: where it is declared and what clauses say decides whether the task has a copy
 * of it (OpenMP 5.2, section 5.1.1), which plain C makes by hand.
 */
import type { Row } from "./covering.ts";
import { judged } from "./judged.ts";

const axes = {
  region: [
    "target parallel",
    "target teams num_teams(1)\n#pragma omp parallel",
    "target\n#pragma omp parallel",
    "target",
  ],
  by: ["itself", "single", "masked", "master", "a function"],
  // What `target` is passed a copy of, the threads of a `parallel` in it share.
  variable: ["mapped", "passed", "of the thread", "private", "firstprivate", "of the file", "of the block"],
  sharing: ["", "shared(x)", "firstprivate(x)", "default(shared)", "default(firstprivate)"],
  construct: ["task", "task in task", "task in taskgroup", "taskloop", "parallel master taskloop"],
  type: ["int", "double", "short", "array", "record"],
  change: ["=", "+=", "++", "by address", "read first"],
} as const;

type Combination = Row<typeof axes>;

const ofThread = new Set(["of the thread", "private", "firstprivate", "of the block"]);

const isMeaningful = ({ region, by, variable, construct, sharing }: Combination): boolean =>
  (by === "a function" || (region === "target") === (by === "itself")) &&
  (construct !== "parallel master taskloop" || by === "itself") &&
  (variable !== "passed" || region !== "target parallel") &&
  (by !== "a function" || variable === "of the block" || variable === "of the file") &&
  // What the file declares must be named by clauses then (OpenMP 5.2, section 5.4.1).
  !(variable === "of the file" && sharing === "default(firstprivate)") &&
  // All iterations of a taskloop would change what they share.
  !(construct === "taskloop" && sharing === "" && !ofThread.has(variable)) &&
  !(construct === "taskloop" && /shared/.test(sharing));

function functionOf(c: Combination, name: string): string {
  const { region, by, variable, sharing, construct, type, change } = c;
  // Outside of `parallel` no threads share what is mapped.
  const hasCopy =
    sharing.includes("firstprivate") ||
    (sharing === "" &&
      construct !== "parallel master taskloop" &&
      (ofThread.has(variable) || (region === "target" && (variable === "mapped" || variable === "passed"))));
  const typeName = type === "array" || type === "record" ? `${type}_t` : type;
  const at = (v: string) => (type === "array" ? `${v}[1]` : type === "record" ? `${v}.n` : v);
  const begin = `${at("x")} = 3;`;
  const changed = (v: string) => {
    const of = at(v);
    switch (change) {
      case "=":
        return `${of} = 8;`;
      case "+=":
        return `${of} += 5;`;
      case "++":
        return `${of}++;`;
      case "by address":
        return `bump_${type}(&${v});`;
      default:
        return `out[2] = (long)${of}; ${of} = ${of} * 2;`;
    }
  };
  const work = (v: string) => `{ ${changed(v)} out[1] = (long)${at(v)}; }`;
  const clauses = ` ${sharing === "default(firstprivate)" || by === "itself" ? `${sharing} shared(out)` : sharing}`;
  const loop = (words: string) =>
    `#pragma omp ${words} num_tasks(1)${clauses}\nfor (int k = 0; k < 1; k++) ${work("x")}`;
  const task = {
    task: `#pragma omp task${clauses}\n${work("x")}`,
    "task in task": `#pragma omp task${clauses}\n{\n#pragma omp task${clauses}\n${work("x")}\n#pragma omp taskwait\n}`,
    "task in taskgroup": `#pragma omp taskgroup\n{\n#pragma omp task${clauses}\n${work("x")}\n}`,
    taskloop: loop("taskloop"),
    "parallel master taskloop": loop("parallel master taskloop"),
  }[construct];
  const plain = hasCopy
    ? `{ ${typeName} own; __builtin_memcpy(&own, &x, sizeof own); ${work("own")} }`
    : work("x");
  const ofBlock =
    variable === "of the block"
      ? `${typeName} x; ${begin}`
      : variable === "of the thread" || variable === "private"
        ? begin
        : "";
  const body = `
${ofBlock}
#ifdef _OPENACC
${task}
#pragma omp taskwait
#else
${plain}
#endif
out[0] = (long)${at("x")};`;
  const shared = variable === "mapped" ? ", x" : "";
  const list = { private: " private(x)", firstprivate: " firstprivate(x)", passed: " firstprivate(x)" }[
    variable as string
  ];
  const file = variable === "of the file" ? `static ${typeName} x_${name};\n#define x x_${name}\n` : "";
  const called = by === "a function" ? `static int g_${name}(long *out) { ${body} return 0; }\n` : "";
  const [first, ...rest] = region.split("\n");
  const isInner = rest.length > 0 && variable !== "passed";
  const inner = isInner ? ["", list ?? ""] : [list ?? "", ""];
  return `#ifndef TASKS
#define TASKS
#pragma omp begin declare target
typedef int array_t[3];
typedef struct { char c; int n; } record_t;
static int bump_int(int *p) { *p += 2; return 0; }
static int bump_double(double *p) { *p += 2; return 0; }
static int bump_short(short *p) { *p += 2; return 0; }
static int bump_array(array_t *p) { (*p)[1] += 2; return 0; }
static int bump_record(record_t *p) { p->n += 2; return 0; }
#pragma omp end declare target
#endif
${file ? `#pragma omp begin declare target\n${file}#pragma omp end declare target\n` : ""}${called ? `#pragma omp begin declare target\n${called}#pragma omp end declare target\n` : ""}
static void ${name}(void) {
  long out[4] = {0};
  ${["mapped", "passed", "private", "firstprivate"].includes(variable) ? `${typeName} x; ${begin}` : ""}
#pragma omp ${first} map(tofrom: out${shared})${inner[0]}
${rest.map((line) => `${line}${inner[1]}`).join("\n")}
  {
    ${variable === "of the thread" ? `${typeName} x;` : ""}
${region === "target" ? "" : `#pragma omp ${by === "a function" ? "single" : by}`}
    {
      ${variable === "of the file" ? begin : ""}
      ${called ? `g_${name}(out);` : `${body}`}
    }
  }
  printf("${name} %ld %ld %ld\\n", out[0], out[1], out[2]);
}
${file ? "#undef x\n" : ""}`;
}

judged("tasks in regions", axes, isMeaningful, functionOf, ["host", "oclgrind"]);
