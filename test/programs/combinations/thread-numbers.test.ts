/**
 * Regions that ask which team and thread runs them, and how many there are, with sizes that are constants, variables and
 * ranges, smaller and larger than the loops: the numbers keep within what the program asks for, no two threads have the
 * same number at once, and what threads and teams keep by their numbers is complete.
 */
import type { Row } from "./covering.ts";
import { judged } from "./judged.ts";

const axes = {
  construct: [
    "target parallel for",
    "target teams distribute parallel for",
    "target teams distribute",
    "distribute in teams",
    "for in parallel",
    "for in teams",
    "distribute with for",
    "parallel in teams",
  ],
  teams: ["1", "6", "teams", "2:6"],
  threads: ["none", "1", "7", "threads", "limit 7", "limit threads", "70"],
  trips: ["1", "5", "900", "n"],
  kept: ["by number", "in a row", "by a pointer", "by a call", "in an array", "in a sum", "as largest"],
} as const;

type Combination = Row<typeof axes>;

const ofOneTeam = new Set(["target parallel for", "for in parallel"]);
const ofOneThread = new Set(["target teams distribute", "distribute in teams"]);
const blocks = new Set(["for in parallel", "for in teams", "parallel in teams"]);

const isMeaningful = ({ construct, teams, threads, kept }: Combination): boolean =>
  !(ofOneTeam.has(construct) && teams !== "1") &&
  !(ofOneThread.has(construct) && threads !== "none") &&
  // A number of threads that share a loop or meet is a constant.
  !(blocks.has(construct) && (threads.endsWith("threads") || threads === "none")) &&
  !(
    kept === "in an array" && !["distribute in teams", "for in parallel", "for in teams"].includes(construct)
  ) &&
  !(construct === "parallel in teams" && !["in a sum", "as largest"].includes(kept));

function clausesOf({ construct, teams, threads }: Combination): readonly [string, string] {
  const league = ofOneTeam.has(construct) ? "" : ` num_teams(${teams})`;
  const [word, size] = threads.startsWith("limit")
    ? ["thread_limit", threads.slice(6)]
    : ["num_threads", threads];
  return [league, threads === "none" ? "" : ` ${word}(${size})`];
}

/** What an iteration does with the variables of its team or thread. */
function step({ kept }: Combination, me: string): string {
  switch (kept) {
    case "by number":
      return `kept[${me}][a[i]] += i % 7;`;
    case "in a row":
      return `int row = ${me}; kept[row][a[i]] += i % 7;`;
    case "by a pointer":
      return `int *row = kept[${me}]; row[a[i]] = row[a[i]] + i % 7;`;
    case "by a call":
      return `add(kept[${me}], a[i], i % 7);`;
    case "in an array":
      return "own[a[i]] += i % 7;";
    case "in a sum":
      return "sum += i % 7 * (a[i] + 1);";
    default:
      return "if (i * 13 % 101 > most) most = i * 13 % 101;";
  }
}

function region(c: Combination): string {
  const [league, size] = clausesOf(c);
  const team = "omp_get_team_num()";
  const thread = "omp_get_thread_num()";
  const both = `${team} * 1024 + ${thread}`;
  const map = " map(to: a) map(tofrom: kept, counts, marks)";
  const result =
    c.kept === "in a sum" ? " reduction(+: sum)" : c.kept === "as largest" ? " reduction(max: most)" : "";
  const count = `counts[i] = omp_get_num_teams() * 10000 + omp_get_num_threads(); marks[i] = ${both};`;
  const loop = (me: string) => `for (int i = 0; i < ${c.trips}; i++) { ${count} ${step(c, me)} }`;
  const hand = (me: string) => `for (int k = 0; k < 4; k++) kept[${me}][k] += own[k];`;
  const isOwn = c.kept === "in an array";
  const early = c.kept === "in a row" || c.kept === "by a pointer";
  // The row of a team or thread found in front of the loop.
  const found = (me: string) => (c.kept === "in a row" ? `int row = ${me};` : `int *row = kept[${me}];`);
  const rest = c.kept === "in a row" ? "kept[row][a[i]] += i % 7;" : "row[a[i]] = row[a[i]] + i % 7;";
  const inside = (me: string) =>
    early ? `for (int i = 0; i < ${c.trips}; i++) { ${count} ${rest} }` : loop(me);
  const before = (me: string) => (isOwn ? "int own[4] = {0};" : early ? found(me) : "");
  switch (c.construct) {
    case "target parallel for":
    case "target teams distribute parallel for":
    case "target teams distribute":
      return `#pragma omp ${c.construct}${league}${size}${map}${result}
  ${loop(ofOneThread.has(c.construct) ? team : both)}`;
    case "distribute in teams":
      return `#pragma omp target teams${league}${map}${result}
  { ${before(team)}
#pragma omp distribute
  ${inside(team)}
  ${isOwn ? hand(team) : ""} }`;
    case "for in parallel":
      return `#pragma omp target parallel${size}${map}${result}
  { ${before(both)}
#pragma omp for
  ${inside(both)}
  ${isOwn ? hand(both) : ""} }`;
    case "for in teams":
      return `#pragma omp target teams${league}${size.includes("limit") ? size : ""}${map}${result}
#pragma omp parallel${size.includes("limit") ? "" : size}${result}
  { ${before(both)}
#pragma omp for
  for (int i = 0; i < ${c.trips}; i++) if (i % omp_get_num_teams() == omp_get_team_num()) { ${count} ${early ? rest : step(c, both)} }
  ${isOwn ? hand(both) : ""} }`;
    case "distribute with for":
      return `#pragma omp target teams distribute${league}${size.includes("limit") ? size : ""}${map}${result}
  for (int t = 0; t < 3; t++) {
#pragma omp parallel for${size.includes("limit") ? "" : size}${result}
  for (int i = t; i < ${c.trips}; i += 3) { ${count} ${step(c, both)} }
  }`;
    default:
      return `#pragma omp target teams${league}${size.includes("limit") ? size : ""}${map}${result}
  {
#pragma omp parallel${size.includes("limit") ? "" : size}${result}
  for (int i = ${both.replace("1024", "omp_get_num_threads()")}; i < ${c.trips}; i += omp_get_num_teams() * omp_get_num_threads()) {
    ${count} ${step(c, both)} }
  }`;
  }
}

/** A loop of one team runs with as many threads as the program computes. */
const isExact = ({ construct, threads }: Combination): boolean =>
  ["target parallel for", "distribute with for"].includes(construct) && threads === "threads";

function functionOf(c: Combination, name: string): string {
  const most =
    c.threads === "none"
      ? "1024"
      : /70?$/.test(c.threads)
        ? c.threads.endsWith("70")
          ? "70"
          : "7"
        : c.threads === "1"
          ? "1"
          : "threads";
  const league = ofOneTeam.has(c.construct) ? "1" : c.teams === "2:6" ? "6" : c.teams;
  return `#ifndef KEPT
#define KEPT
static int kept[6 * 1024][4], a[900], counts[900], marks[900];
#ifdef _OPENACC
#define EXACT(own, asked) ((own) == (asked))
int omp_get_team_num(void), omp_get_num_teams(void), omp_get_thread_num(void), omp_get_num_threads(void);
#else
#define EXACT(own, asked) 1
static int omp_get_team_num(void) { return 0; }
static int omp_get_num_teams(void) { return 1; }
static int omp_get_thread_num(void) { return 0; }
static int omp_get_num_threads(void) { return 1; }
#endif
#pragma omp declare target
static int add(int *row, int k, int value) { return row[k] = row[k] + value; }
#pragma omp end declare target
#endif
static int g_${name}(int teams, int threads, int n) {
  int sum = 0, most = -1, total = 0, bad = 0;
  for (int k = 0; k < 6 * 1024 * 4; k++) kept[k / 4][k % 4] = 0;
  for (int i = 0; i < 900; i++) { a[i] = i / 3 % 4; counts[i] = 10001; marks[i] = 0; }
${region(c)}
  for (int k = 0; k < 6 * 1024 * 4; k++) total += kept[k / 4][k % 4] * (k % 4 + 1);
  for (int i = 0; i < ${c.trips}; i++) {
    int t = counts[i] / 10000, own = counts[i] % 10000;
    bad += t < 1 || t > ${league} || own < 1 || own > ${most}${isExact(c) ? " || !EXACT(own, threads)" : ""} || marks[i] / 1024 >= t || marks[i] % 1024 >= own;
  }
  printf("${name} %d %d %d %d\\n", total, sum, most, bad);
  return 0;
}
static void ${name}(void) { g_${name}(5, 9, 333); }
`;
}

judged("numbers of teams and threads", axes, isMeaningful, functionOf);
