/** A program around each directive with one clause. The directive stands alone in its line. */

/** What `omp.h` declares of the names that clauses use. */
const library = `typedef enum omp_allocator_handle_t { omp_default_mem_alloc = 1, omp_allocators = 18446744073709551615UL } omp_allocator_handle_t;
typedef struct omp_depend_t { void *p[2]; } omp_depend_t;
typedef enum omp_event_handle_t { omp_events = 18446744073709551615UL } omp_event_handle_t;
typedef enum omp_interop_t { omp_interop_none = 0 } omp_interop_t;
`;

const declarations = `int kept;
#pragma omp threadprivate(kept)
double g_near(double *p);
#pragma omp declare variant(g_near) match(construct={dispatch})
double g(double *p) { return p[1]; }
double g_near(double *p) { return p[0]; }
`;

const head = (name: string) => `void ${name}(int n, double *x, double *restrict y) {
  static double a[100], b[100], m[10][10];
  int i = 0, j = 0, k = 0, s = 0;
  double t = 1;
  omp_event_handle_t event;
  omp_depend_t later;
  omp_interop_t object = omp_interop_none;
`;

/** The argument with which a clause says something; those without take none. */
const argument: Readonly<Record<string, string>> = {
  absent: "(single)",
  affinity: "(a[0:4])",
  align: "(64)",
  aligned: "(x: 64)",
  allocate: "(omp_default_mem_alloc: t) private(t)",
  allocator: "(omp_default_mem_alloc)",
  apply: "(reverse)",
  at: "(execution)",
  bind: "(parallel)",
  capture: "",
  collapse: "(2)",
  compare: "",
  contains: "(single)",
  copyin: "(kept)",
  copyprivate: "(own)",
  counts: "(2, omp_fill)",
  default: "(firstprivate)",
  defaultmap: "(to: aggregate)",
  depend: "(inout: a[0])",
  depth: "(1)",
  detach: "(event)",
  device: "(0)",
  device_type: "(nohost)",
  dist_schedule: "(static, 4)",
  exclusive: "(s)",
  fail: "(relaxed)",
  filter: "(1)",
  final: "(n > 3)",
  firstprivate: "(t)",
  from: "(b)",
  grainsize: "(4)",
  graph_id: "(1)",
  graph_reset: "(1)",
  has_device_addr: "(a)",
  hint: "(0)",
  holds: "(n > 0)",
  if: "(n > 3)",
  in_reduction: "(+: s)",
  inclusive: "(s)",
  induction: "(step(2), +: k)",
  init: "(targetsync: object)",
  interop: "(object)",
  is_device_ptr: "(x)",
  lastprivate: "(t)",
  linear: "(k: 2)",
  looprange: "(1, 2)",
  map: "(to: b)",
  memscope: "(device)",
  message: '("few")',
  nocontext: "(n > 3)",
  nontemporal: "(a)",
  novariants: "(n > 3)",
  num_tasks: "(4)",
  num_teams: "(4)",
  num_threads: "(4)",
  order: "(concurrent)",
  partial: "(2)",
  permutation: "(2, 1)",
  priority: "(1)",
  private: "(t)",
  proc_bind: "(close)",
  reduction: "(+: s)",
  safelen: "(8)",
  safesync: "(1)",
  schedule: "(static, 4)",
  severity: "(warning)",
  shared: "(t)",
  simdlen: "(8)",
  sizes: "(4)",
  task_reduction: "(+: s)",
  thread_limit: "(32)",
  threadset: "(omp_pool)",
  to: "(b)",
  transparent: "(2)",
  update: "",
  use: "(object)",
  use_device_addr: "(a)",
  use_device_ptr: "(x)",
  uses_allocators: "(omp_default_mem_alloc)",
};

/** Where one directive means another thing by the clause. */
const particular: Readonly<Record<string, string>> = {
  "depobj update": "(in)",
  "depobj init": "(inout(a[0]): later)",
  "depobj depend": "(inout: a[0])",
  "depobj destroy": "",
  "interop destroy": "(object)",
  "interop depend": "(inout: a[0]) use(object)",
  "interop device": "(0) use(object)",
  "interop nowait": " use(object)",
  "dispatch interop": "(object)",
  "atomic fail": "(relaxed) compare",
  "atomic weak": " compare",
  "masked taskloop reduction": "(+: s)",
  "loop bind": "(thread)",
  "taskgroup allocate": "(omp_default_mem_alloc: s) task_reduction(+: s)",
  "target data allocate": "(omp_default_mem_alloc: t)",
  "error severity": "(warning) at(execution)",
  "error message": '("few") at(execution) severity(warning)',
  "error at": "(execution) severity(warning)",
};

export const spelled = (directive: string, clause: string): string =>
  clause === "" ? "" : `${clause}${particular[`${directive} ${clause}`] ?? argument[clause] ?? ""}`;

const nest = `for (i = 0; i < 10; i++)
    for (j = 0; j < 10; j++) { t = i + j; s += i; m[i][j] = t + x[i] + k; }`;
const block = "{ t += 1; a[n & 1] = t + s + b[0]; x[0] = k; }";
const sections = "{ a[0] = t + s;\n#pragma omp section\n{ t = 3; s += 2; } }";

/** What the directive stands before. */
function behind(directive: string, clause: string): string {
  const last = directive.split(" ").at(-1) ?? "";
  switch (directive) {
    case "atomic":
      return (
        {
          read: "t = a[0];",
          write: "a[0] = t;",
          capture: "t = a[0]++;",
          compare: "if (k == 3) { k = 5; }",
          fail: "if (k == 3) { k = 5; }",
          weak: "if (k == 3) { k = 5; }",
        }[clause] ?? "a[0] += 1;"
      );
    case "fuse":
      return "{ for (int p = 0; p < 8; p++) a[p] = p; for (int q = 0; q < 8; q++) b[q] = q; }";
    case "reverse":
    case "split":
    case "stripe":
    case "tile":
    case "unroll":
      return "for (int p = 0; p < 8; p++) a[p] = p + t;";
    case "interchange":
      return "for (int p = 0; p < 8; p++) for (int q = 0; q < 8; q++) m[p][q] = p + t;";
    case "dispatch":
      return "t = g(x);";
    case "section":
      return "{ t = 3; s += 2; }";
    case "allocate":
      return ";";
  }
  if (
    /^(target (update|enter|exit)|interop|error|nothing|taskwait|taskyield|flush|barrier|cancel|depobj|scan)/.test(
      directive,
    )
  )
    return ";";
  if (last === "sections") return sections;
  return /^(for|simd|distribute|loop|taskloop)$/.test(last) ? nest : block;
}

/** Between the name and the clauses. */
const operand: Readonly<Record<string, string>> = {
  critical: "(locked)",
  allocate: "(h)",
  depobj: "(later)",
};

/** What a directive needs, where the clause does not say it. */
const needed: Readonly<Record<string, string>> = {
  "target update": "to(a)",
  "target enter data": "map(to: a)",
  "target exit data": "map(from: a)",
  "target data": "map(tofrom: a)",
  tile: "sizes(2)",
  split: "counts(3, omp_fill)",
  stripe: "sizes(2)",
  depobj: "depend(in: b[0])",
  interop: "init(targetsync: object)",
  scan: "inclusive(s)",
  error: "at(execution) severity(warning)",
  ordered: "",
};
const satisfied: Readonly<Record<string, RegExp>> = {
  "target update": /^(to|from)$/,
  "target enter data": /^map$/,
  "target exit data": /^map$/,
  "target data": /^(map|use_device_addr|use_device_ptr)$/,
  tile: /^sizes$/,
  split: /^counts$/,
  stripe: /^sizes$/,
  depobj: /./,
  interop: /./,
  scan: /./,
  error: /./,
};

export function directiveText(directive: string, clause: string): string {
  const more =
    needed[directive] && !(clause !== "" && satisfied[directive]?.test(clause)) ? needed[directive] : "";
  const own =
    directive === "target exit data" && clause === "map" ? "map(from: b)" : spelled(directive, clause);
  const object = directive === "depobj" && clause === "init" ? "" : operand[directive];
  return ["#pragma omp", directive + (object ?? ""), own, more].filter(Boolean).join(" ");
}

/** Statements around a directive of a region, and around one of host code. */
function around(directive: string, clause: string, place: "region" | "host"): readonly [string, string] {
  const of = (outer: string): readonly [string, string] => [
    `#pragma omp ${outer}\n{ int own = 1; (void)own;`,
    "}",
  ];
  const inTarget = (inner: string) =>
    place === "region" ? of(`target ${inner}`.trim()) : inner ? of(inner) : (["{", "}"] as const);
  const [first = ""] = directive.split(" ");
  if (first === "target" || first === "interop") return ["{", "}"];
  if (clause === "in_reduction")
    return place === "region" ? of("target map(tofrom: s)") : of("taskgroup task_reduction(+: s)");
  if (first === "teams") return place === "region" ? ["#pragma omp target", ""] : ["{", "}"];
  if (first === "distribute") return inTarget("teams");
  if (first === "section") return [`${inTarget("parallel")[0]}\n#pragma omp sections\n{ { s++; }`, "} }"];
  if (first === "scan") {
    const loop = `#pragma omp ${place === "region" ? "target " : ""}parallel for reduction(inscan, +: s)`;
    return [`${loop}\nfor (i = 0; i < 100; i++) { s += i;`, "a[i] = s; }"];
  }
  if (first === "cancel" || first === "cancellation")
    return [`${inTarget("parallel")[0]}\n#pragma omp for\nfor (i = 0; i < 100; i++) { a[i] = s;`, "} }"];
  if (first === "ordered")
    return [
      clause === "simd"
        ? `${inTarget("")[0]}\n#pragma omp simd\nfor (i = 0; i < 100; i++) {`
        : `${inTarget("parallel")[0]}\n#pragma omp for ordered\nfor (i = 0; i < 100; i++) {`,
      "} }",
    ];
  if (first === "allocate") return [`${inTarget("")[0]} double h[8];`, "h[0] = 1; a[0] = h[0]; }"];
  if (/^(for|single|sections|scope|masked|master|barrier|critical|task|taskloop|taskgroup)$/.test(first))
    return inTarget("parallel");
  return inTarget("");
}

export const prelude = library + declarations;

/** A function, and the line of its directive in it, from 0. */
export function functionOf(
  directive: string,
  clause: string,
  place: "region" | "host",
  name: string,
): { readonly text: string; readonly line: number } {
  const [before, after] = around(directive, clause, place);
  const start = `${head(name)}${before}\n`;
  const text = `${start}${directiveText(directive, clause)}\n${behind(directive, clause)}\n${after}\n  x[1] = t + s + k;\n}\n`;
  return { text, line: start.split("\n").length - 1 };
}

/** The functions of several clauses in one program, and the line of each one's directive there. */
export function programOf(
  directive: string,
  clauses: readonly string[],
  place: "region" | "host",
  before = prelude,
): { readonly text: string; readonly lines: readonly number[] } {
  const functions = clauses.map((clause, k) => functionOf(directive, clause, place, `f${k}`));
  const lines: number[] = [];
  let first = before.split("\n").length;
  for (const { text, line } of functions) {
    lines.push(first + line);
    first += text.split("\n").length - 1;
  }
  return { text: before + functions.map(({ text }) => text).join(""), lines };
}
