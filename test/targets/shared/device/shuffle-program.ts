/**
 * Programs whose threads hand values to each other in every way, each beside the serial loop that says what `shuffle` means:
 * one region for a type, with a row of results for each shuffle.
 */

export const ways = ["sync", "up", "down", "xor"] as const;
type Way = (typeof ways)[number];

const types = [
  "int",
  "unsigned",
  "signed char",
  "unsigned char",
  "short",
  "unsigned short",
  "long",
  "unsigned long",
  "long long",
  "unsigned long long",
  "float",
  "double",
] as const;
type Type = (typeof types)[number];

interface Shuffled {
  readonly way: Way;
  readonly mask: string;
  /** In terms of `t`, the thread's number. */
  readonly lane: string;
  readonly op: string;
}

/** Constants and variables. The last ones are no lane of a warp, for some threads or for all. */
const lanes = ["1", "17", "t % 5", "t / 3 - 6", "33"];
const masks = ["0xffffffff", "0x7ffe0ff7", "~0u >> t % 4"];
const ofNumbers = ["", "+=", "-=", "*=", "/="];
const ofIntegers = [...ofNumbers, "^=", "|=", "&=", "%="];

export interface Size {
  readonly threads: number;
  readonly types: readonly Type[];
  /** Distances to take, of those that there are. */
  readonly lanes: readonly string[];
}

export const everything: Size = { threads: 80, types, lanes };

/** Every way with every distance; masks and operators in turn, differently for each type. */
function shuffles(type: Type, { lanes }: Size): readonly Shuffled[] {
  const first = types.indexOf(type);
  const ops = type === "float" || type === "double" ? ofNumbers : ofIntegers;
  return ways.flatMap((way, w) =>
    lanes.map((lane, k): Shuffled => {
      const at = first + w + k;
      return {
        way,
        lane,
        mask: masks[(first + 2 * w + k) % masks.length] ?? "",
        op: ops[at % ops.length] ?? "",
      };
    }),
  );
}

/** The thread whose value another one gets: its own where there is no such lane. */
const definition = `enum { by_sync, by_up, by_down, by_xor };
static int from(int way, unsigned mask, long lane, int t, int threads) {
  long own = t % 32, at = way == by_sync ? lane : way == by_up ? own - lane : way == by_down ? own + lane : own ^ lane;
  if (lane < 0 || lane > 31 || at < 0 || at > 31 || t - own + at >= threads || !(mask >> at & 1)) return t;
  return (int)(t - own + at);
}`;

const nameOf = (type: Type): string => type.replaceAll(" ", "_");

/** `clause`: of which construct. */
function region(type: Type, size: Size, clause: "teams" | "parallel"): string {
  const list = shuffles(type, size);
  const { threads } = size;
  const name = nameOf(type);
  const said = (on: string) => (on === clause ? " shuffle(v)" : "");
  return `static ${type} in_${name}[${threads}], out_${name}[${list.length}][${threads}];
void of_${name}(void) {
  ${type} v = 0;
#pragma omp target teams num_teams(1) map(to: in_${name}) map(tofrom: out_${name})${said("teams")}
  {
#pragma omp parallel num_threads(${threads})${said("parallel")}
    {
      int t = omp_get_thread_num();
      v = in_${name}[t];
${list
  .map(({ way, mask, lane, op }, k) => {
    const target = `out_${name}[${k}][t]${op && ` ${op}`}`;
    return `#pragma omp shuffle ${way}(${mask}, ${lane}, ${target}, v)`;
  })
  .join("\n")}
    }
  }
}`;
}

/** What is right, and what is not: `WAY(MASK, LANE, OP) of TYPE`. */
function check(type: Type, size: Size): string {
  const name = nameOf(type);
  const list = shuffles(type, size);
  const { threads } = size;
  const each = list.map(({ way, mask, lane, op }, k) => {
    const title = `${way}(${mask}, ${lane}, ${op || "="}) of ${type}`.replaceAll("%", "%%");
    return `  for (int t = 0; t < ${threads}; t++) {
    ${type} right = begin_${name}(t);
    unsigned mask = ${mask};
    if (mask >> t % 32 & 1) right ${op || "="} in_${name}[from(by_${way}, mask, ${lane}, t, ${threads})];
    if (right != out_${name}[${k}][t]) wrong++, printf("${title}, thread %d\\n", t);
  }`;
  });
  return `static ${type} begin_${name}(int t) { return (${type})(3 + t % 7); }
static void begin_all_${name}(void) {
  for (int t = 0; t < ${threads}; t++) {
    in_${name}[t] = (${type})(1 + t * 5 % 23);
    for (int k = 0; k < ${list.length}; k++) out_${name}[k][t] = begin_${name}(t);
  }
}
static void check_${name}(void) {
${each.join("\n")}
}`;
}

/** Branches and loops of all threads around shuffles, some of which leave threads out. PoCL 3.1 loses changes in such branches. */
const branches = (
  threads: number,
): string => `static int in_branches[${threads}], out_branches[1][${threads}];
void of_branches(void) {
  int v = 0, w = 0, n = 0;
#pragma omp target teams num_teams(1) map(to: in_branches) map(from: out_branches)
#pragma omp parallel num_threads(${threads}) shuffle(v, w)
  {
    int t = omp_get_thread_num(), x = in_branches[t], last = 0, own[4];
    for (int k = 0; k < 4; k++) own[k] = k;
    v += in_branches[${threads} - 1 - t];
    w += t + 9;
    for (int k = n; k < 3; k++) {
      last = x ^ in_branches[(t * 3 + 5) % ${threads}];
      if (n == 0) {
#pragma omp shuffle up(-1, (t + 1) % 32, v +=, w)
#pragma omp shuffle up(~(4u << n), v & 31, own[t % 4], w)
      } else {
#pragma omp shuffle xor(-1, 1, v, w)
      }
    }
    out_branches[0][t] = v * 31 + last + own[t % 4] * 100;
  }
}`;

const checkOfBranches = (threads: number): string => `static void begin_all_branches(void) {
  for (int t = 0; t < ${threads}; t++) in_branches[t] = (t * 37 + 11) % 97;
}
static void check_branches(void) {
  for (int t = 0; t < ${threads}; t++) {
    int v = in_branches[${threads} - 1 - t], own = t % 4;
    for (int k = 0; k < 3; k++) {
      v += from(by_up, -1, (t + 1) % 32, t, ${threads}) + 9;
      if (t % 32 != 2) own = from(by_up, ~4u, v & 31, t, ${threads}) + 9;
    }
    int last = in_branches[t] ^ in_branches[(t * 3 + 5) % ${threads}];
    if (out_branches[0][t] != v * 31 + last + own * 100) wrong++, printf("branches, thread %d\\n", t);
  }
}`;

interface Program {
  /** The regions, one after the other. */
  readonly device: string;
  /** Behind them; `run(TYPE)` does what a region says. */
  readonly host: (run: (name: string) => string) => string;
  readonly names: readonly string[];
}

export function program(size: Size): Program {
  const clauses = ["parallel", "teams"] as const;
  const { types: some, threads } = size;
  const names = [...some.map(nameOf), "branches"];
  const results = (some.flatMap((type) => shuffles(type, size)).length + 1) * threads;
  return {
    device: [
      "int omp_get_thread_num(void);",
      ...some.map((type, k) => region(type, size, clauses[k % 2] ?? "teams")),
      branches(threads),
    ].join("\n"),
    host: (run) =>
      [
        "static int wrong;",
        definition,
        ...some.map((type) => check(type, size)),
        checkOfBranches(threads),
        "int main(void) {",
        ...names.map((name) => `  begin_all_${name}();\n  ${run(name)}\n  check_${name}();`),
        `  printf("%d of ${results} wrong\\n", wrong);`,
        "  return wrong != 0;",
        "}",
      ].join("\n"),
    names,
  };
}
