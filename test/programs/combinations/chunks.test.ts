/**
 * Loops whose schedule gives chunks of iterations to one thread, in which they need each other's results, or see which
 * thread that is: over the construct, the clause, the form of the loop, and what iterations hand on.
 */
import type { Row } from "./covering.ts";
import { judged } from "./judged.ts";

const axes = {
  construct: [
    "target parallel for",
    "target teams distribute parallel for",
    "for in parallel",
    "for in teams",
    "distribute",
    "distribute in teams",
  ],
  kind: ["static", "dynamic"],
  /** Without: one block for each thread. */
  size: ["2", "7", "64", "900", ""],
  loop: [
    "up",
    "down",
    "to the last",
    "by three",
    "long",
    "declared before",
    "of known length",
    "down from 332",
  ],
  handed: [
    "element",
    "element by a pointer",
    "by a call",
    "private",
    "of the thread",
    "in a row",
    "the thread's number",
    "its number by a call",
  ],
  threads: ["", "5"],
} as const;

type Combination = Row<typeof axes>;

const ofTeams = (construct: string): boolean => construct.startsWith("distribute");

const showsThreads = (handed: string): boolean => handed.includes("number");

const isMeaningful = ({ construct, kind, size, loop, handed, threads }: Combination): boolean =>
  !(showsThreads(handed) && (kind === "dynamic" || construct.includes("distribute"))) &&
  !(
    size === "" &&
    !(
      showsThreads(handed) &&
      construct === "target parallel for" &&
      threads !== "" &&
      /of known|332/.test(loop)
    )
  ) &&
  !(ofTeams(construct) && (kind === "dynamic" || threads !== "")) &&
  !(handed === "of the thread" && !/ in /.test(construct));

/** The iteration's number, counted from 0, and the loop that counts 333 of them. */
const loops: Readonly<Record<Combination["loop"], readonly [number: string, loop: string]>> = {
  up: ["i", "for (int i = 0; i < n; i++)"],
  down: ["(n - 1 - i)", "for (int i = n - 1; i >= 0; i--)"],
  "to the last": ["(i - 5)", "for (int i = 5; i <= n + 4; ++i)"],
  "by three": ["(i / 3)", "for (int i = 0; i < 3 * n; i += 3)"],
  long: ["i", "for (long i = 0; i < n; i++)"],
  "of known length": ["i", "for (int i = 0; i < 333; i++)"],
  "down from 332": ["(332 - i)", "for (int i = 332; i >= 0; i--)"],
  "declared before": ["v", "for (v = 0; v < n; v++)"],
};

function stepOf({ handed, size }: Combination, k: string): string {
  const first = `${k} % ${size} == 0`;
  const threads = "omp_get_num_threads()";
  const owner = size === "" ? `${k} / ((333 + ${threads} - 1) / ${threads})` : `${k} / ${size} % ${threads}`;
  switch (handed) {
    case "element":
      return `if (!(${first})) a[${k}] = (a[${k}] * 3 + a[${k} - 1]) % 10007;`;
    case "element by a pointer":
      return `int *p = &a[${k}]; if (!(${first})) *p += p[-1];`;
    case "by a call":
      return `if (!(${first})) join(a, ${k});`;
    case "the thread's number":
      return `a[${k}] = omp_get_thread_num() == ${owner} ? 1 : 1000 + omp_get_thread_num();`;
    case "its number by a call":
      return `a[${k}] = mine() - ${owner};`;
    case "in a row":
      return `for (int j = 0; j < 3; j++) if (!(${first})) rows[${k}][j] += rows[${k} - 1][j]; a[${k}] = rows[${k}][2];`;
    default:
      return `if (${first}) own = 1; own = (own * 3 + a[${k}]) % 1009; a[${k}] = own;`;
  }
}

function region(c: Combination): string {
  const { construct, kind, size, handed, threads } = c;
  const [number, loop] = loops[c.loop];
  const sized = size === "" ? "" : `, ${size}`;
  const schedule = ` ${ofTeams(construct) ? "dist_schedule" : "schedule"}(${kind}${sized})`;
  const many = threads === "" ? "" : ` num_threads(${threads})`;
  const map = " map(tofrom: a, rows)";
  const privates = handed === "private" ? " private(own)" : "";
  const own = handed === "of the thread" ? "int own = 0;" : "";
  const whole = `${loop} { ${stepOf(c, number)} }`;
  switch (construct) {
    case "for in parallel":
      return `#pragma omp target parallel${many}${map}\n{ ${own}\n#pragma omp for${schedule}${privates}\n${whole} }`;
    case "for in teams":
      return `#pragma omp target teams num_teams(1)${map}\n#pragma omp parallel${many}\n{ ${own}\n#pragma omp for${schedule}${privates}\n${whole} }`;
    case "distribute":
      return `#pragma omp target teams distribute${schedule}${map}${privates}\n${whole}`;
    case "distribute in teams":
      return `#pragma omp target teams${map}\n{ ${own}\n#pragma omp distribute${schedule}${privates}\n${whole} }`;
    default:
      return `#pragma omp ${construct}${construct.includes("teams") ? " num_teams(2)" : ""}${many}${schedule}${map}${privates}\n${whole}`;
  }
}

function functionOf(c: Combination, name: string): string {
  return `#ifndef CHUNKS
#define CHUNKS
static int a[333], rows[333][3];
#ifdef _OPENACC
// The host's copy of mine() links without them.
int omp_get_thread_num(void) __attribute__((weak)), omp_get_num_threads(void) __attribute__((weak));
#else
static int omp_get_thread_num(void) { return 0; }
static int omp_get_num_threads(void) { return 1; }
#endif
#pragma omp declare target
static int mine(void) { return omp_get_thread_num(); }
static int join(int *of, int k) { return of[k] = (of[k] + 2 * of[k - 1]) % 10007; }
#pragma omp end declare target
#endif
static int g_${name}(int n) {
  int own = 0, v;
  for (int k = 0; k < 333; k++) a[k] = k * 7 % 13, rows[k][0] = k % 3, rows[k][1] = k % 5, rows[k][2] = k % 7;
${region(c)}
  unsigned h = 0;
  for (int k = 0; k < 333; k++) h = h * 31 + a[k];
  printf("${name} %u\\n", h);
  return 0;
}
static void ${name}(void) { g_${name}(333); }
`;
}

judged("chunks of iterations", axes, isMeaningful, functionOf);
