/** OpenACC's queues: how work is put on them, and how the host and other queues wait for it. */
import type { Row } from "./covering.ts";
import { judged } from "./judged.ts";

const axes = {
  first: ["parallel loop", "kernels loop", "serial loop", "enter data and region", "update and region"],
  async: [
    "async",
    "async(1)",
    "async(q)",
    "async(q + n % 2)",
    "async(acc_async_noval)",
    "async(acc_async_sync)",
  ],
  joined: [
    "wait clause",
    "wait directive",
    "wait of a queue",
    "wait on a queue",
    "acc_wait",
    "acc_wait_async",
    "acc_async_test",
  ],
  second: ["the same queue", "another queue", "no queue"],
  end: ["wait", "acc_wait_all", "wait async", "acc_wait_all_async", "synchronous update"],
} as const;

type Combination = Row<typeof axes>;

const isMeaningful = ({ async, joined }: Combination): boolean =>
  // Some forms need the queue's number.
  !(async === "async" && joined !== "wait directive");

const N = 2000;

/** The serial program has no routines. */
const routines = `#ifndef ROUTINES
#define ROUTINES
enum { acc_async_sync = -2, acc_async_noval = -1 };
#ifdef _OPENACC
void acc_wait(int);
void acc_wait_async(int, int);
void acc_wait_all(void);
void acc_wait_all_async(int);
int acc_async_test(int);
#else
static int acc_wait(int q) { return 0; }
static int acc_wait_async(int p, int q) { return 0; }
static int acc_wait_all(void) { return 0; }
static int acc_wait_all_async(int q) { return 0; }
static int acc_async_test(int q) { return 1; }
#endif
#endif
`;

function functionOf({ first, async, joined, second, end }: Combination, name: string): string {
  const queue = /\((.*)\)/.exec(async)?.[1] ?? "acc_async_noval";
  const region = (on: string, code: string, construct = "parallel loop") =>
    `#pragma acc ${construct} present(a, b) ${on}\n    for (int i = 0; i < ${N}; i++) ${code}\n`;
  const construct = first.includes("loop") ? first : "parallel loop";
  const begin = {
    "enter data and region": `#pragma acc enter data copyin(c) ${async}\n`,
    "update and region": `    for (int i = 0; i < ${N}; i++) a[i] = 2 * i;\n#pragma acc update device(a) ${async}\n`,
  }[first as string];
  const join = {
    "wait clause": "",
    "wait directive": "#pragma acc wait\n",
    "wait of a queue": `#pragma acc wait(${queue})\n`,
    "wait on a queue": `#pragma acc wait(${queue}) async(4)\n`,
    acc_wait: `    acc_wait(${queue});\n`,
    acc_wait_async: `    acc_wait_async(${queue}, 4);\n`,
    acc_async_test: `    while (!acc_async_test(${queue})) ;\n`,
  }[joined];
  // Queue 4 waits for the first one.
  const onFour = joined === "wait on a queue" || joined === "acc_wait_async";
  const own = { "the same queue": async, "another queue": "async(3)", "no queue": "" }[second];
  const on = onFour ? "async(4)" : own;
  const clause = joined === "wait clause" ? `wait(${queue}) ` : "";
  const ends = {
    wait: "#pragma acc wait\n#pragma acc update self(a, b)\n",
    acc_wait_all: "    acc_wait_all();\n#pragma acc update self(a, b)\n",
    "wait async": "#pragma acc wait async(7)\n#pragma acc update self(a, b) async(7)\n#pragma acc wait(7)\n",
    acc_wait_all_async:
      "    acc_wait_all_async(7);\n#pragma acc update self(a, b) async(7)\n    acc_wait(7);\n",
    "synchronous update": "#pragma acc update self(a, b) wait\n",
  }[end];
  return `${routines}static void ${name}(void) {
  static int a[${N}], b[${N}], c[4] = {1, 2, 3, 4};
  int n = 3, q = 1;
  (void)n, (void)q;
  for (int i = 0; i < ${N}; i++) a[i] = i, b[i] = 0;
#pragma acc data copyin(a, b)
  {
${begin ?? ""}${region(async, "a[i] = a[i] * 3 + 1;", construct)}${join}${region(clause + on, "b[i] = a[i] - 5;")}${region(on, "a[i] += b[i] % 7;")}${ends}  }
${first.startsWith("enter") ? "#pragma acc exit data delete(c)\n" : ""}  long s = 0;
  for (int i = 0; i < ${N}; i++) s += (long)(i % 11 + 1) * a[i] + b[i];
  printf("${name} %ld %d %d\\n", s, a[7], b[${N} - 1]);
}
`;
}

judged("queues", axes, isMeaningful, functionOf, ["host", "opencl"]);
