/**
 * Pointers that a team sets to its own variables in front of code that its threads share: over what they point to, how
 * they are declared and set, who changes the variable through them, and which construct the threads are of.
 */
import type { Row } from "../covering.ts";
import { judged } from "../judged.ts";

const axes = {
  object: [
    "scalar",
    ...["array", "computed array", "rows", "computed rows", "structure", "member array"],
    ...["part of array", "part of computed array", "part of rows", "part of computed rows"],
    ...["part of structure", "part of member array"],
  ],
  // Where threads are numbered they stay together, whatever the team's code is: it meets every object.
  code: [
    "declared, block",
    "assigned, block",
    "from another, block",
    "in a branch, block",
    "declared, parallel for",
    "in a branch, for in parallel",
    "declared, two loops",
  ],
  changed: ["by the team", "by threads", "behind threads"],
} as const;

type Combination = Row<typeof axes>;

/** A variable `o`, a type of pointer to it or to a part of it, its address, and an element `K` through the pointer. */
interface Form {
  readonly declared: string;
  readonly pointer: (name: string) => string;
  readonly address: string;
  readonly element: (k: string) => string;
  readonly direct: (k: string) => string;
}

const elements = (declared: string, address: string, direct: (k: string) => string): Form => ({
  declared,
  pointer: (name) => `int *${name}`,
  address,
  element: (k) => `p[${k}]`,
  direct,
});

const structure = "struct { int x, y[8]; } o;";

const forms: Readonly<Record<string, { readonly whole: Form; readonly part: Form }>> = {
  array: {
    whole: {
      declared: "int o[8];",
      pointer: (name) => `int (*${name})[8]`,
      address: "&o",
      element: (k) => `(*p)[${k}]`,
      direct: (k) => `o[${k}]`,
    },
    part: elements("int o[10];", "&o[2]", (k) => `o[2 + ${k}]`),
  },
  "computed array": {
    whole: {
      declared: "int o[n];",
      pointer: (name) => `int (*${name})[n]`,
      address: "&o",
      element: (k) => `(*p)[${k}]`,
      direct: (k) => `o[${k}]`,
    },
    part: elements("int o[n + m];", "o + m", (k) => `o[m + ${k}]`),
  },
  rows: {
    whole: {
      declared: "int o[4][2];",
      pointer: (name) => `int (*${name})[4][2]`,
      address: "&o",
      element: (k) => `(*p)[(${k}) / 2][(${k}) % 2]`,
      direct: (k) => `o[(${k}) / 2][(${k}) % 2]`,
    },
    part: elements("int o[3][8];", "o[1]", (k) => `o[1][${k}]`),
  },
  "computed rows": {
    whole: {
      declared: "int o[n / m][m];",
      pointer: (name) => `int (*${name})[n / m][m]`,
      address: "&o",
      element: (k) => `(*p)[(${k}) / m][(${k}) % m]`,
      direct: (k) => `o[(${k}) / m][(${k}) % m]`,
    },
    part: elements("int o[m][n];", "&o[m - 1][0]", (k) => `o[m - 1][${k}]`),
  },
  structure: {
    whole: {
      declared: "struct NAME_s o;",
      pointer: (name) => `struct NAME_s *${name}`,
      address: "&o",
      element: (k) => `p->y[${k}]`,
      direct: (k) => `o.y[${k}]`,
    },
    part: elements(structure, "o.y", (k) => `o.y[${k}]`),
  },
  "member array": {
    whole: {
      declared: structure,
      pointer: (name) => `int (*${name})[8]`,
      address: "&o.y",
      element: (k) => `(*p)[${k}]`,
      direct: (k) => `o.y[${k}]`,
    },
    part: elements("struct { int x, y[4][4]; } o;", "&o.y[2][0]", (k) => `o.y[2 + (${k}) / 4][(${k}) % 4]`),
  },
};

const scalar: Form = {
  declared: "int o;",
  pointer: (name) => `int *${name}`,
  address: "&o",
  element: (k) => `*(p + 0 * (${k}))`,
  direct: () => "o",
};

function formOf({ object }: Combination): Form {
  const [, part, name = ""] = /^(part of )?(.*)/.exec(object) ?? [];
  return forms[name]?.[part ? "part" : "whole"] ?? scalar;
}

const isMeaningful = ({ object, code, changed }: Combination): boolean =>
  // Threads would change one element together.
  !(object === "scalar" && changed === "by threads") &&
  // A declared pointer is copied to one of its type.
  !(code.startsWith("from another") && object === "scalar");

function setting({ code }: Combination, { pointer, address }: Form): string {
  switch (code.split(",")[0]) {
    case "declared":
      return `${pointer("p")} = ${address};`;
    case "assigned":
      return `${pointer("p")}; p = ${address};`;
    case "from another":
      return `${pointer("q")} = ${address}; ${pointer("p")} = q;`;
    default:
      return `${pointer("p")} = 0; if (n > m) p = ${address};`;
  }
}

function sharedCode({ changed, code }: Combination, { element, direct }: Form): string {
  const step =
    changed === "by threads" ? (i: string) => `${element(i)} += 3;` : (i: string) => `r[8 * T + ${i}] += 1;`;
  const loop = (i: string) =>
    `{ ${step(i)} r[8 * T + ${i}] += ${element(i)} * 10 + ${direct(`7 - ${i}`)} * READ; }`;
  // Another thread may be changing that element.
  const body = (i: string) => loop(i).replace("READ", changed === "by threads" ? "0" : "1");
  switch (code.split(", ")[1]) {
    case "parallel for":
      return `#pragma omp parallel for num_threads(4)\nfor (int i = 0; i < 8; i++) ${body("i")}`;
    case "for in parallel":
      return `#pragma omp parallel num_threads(4)\n{\n#pragma omp for\nfor (int i = 0; i < 8; i++) ${body("i")}\n}`;
    case "block":
      return `#pragma omp parallel num_threads(4)\nfor (int i = omp_get_thread_num(); i < 8; i += omp_get_num_threads()) ${body("i")}`;
    default:
      return `#pragma omp parallel num_threads(4)\n{\n#pragma omp for\nfor (int i = 0; i < 8; i++) ${body("i")}\n#pragma omp for\nfor (int i = 0; i < 8; i++) r[8 * T + i] += ${element("i")};\n}`;
  }
}

function functionOf(c: Combination, name: string): string {
  const form = formOf(c);
  const { element, direct } = form;
  const text = `#ifndef THREADS
#define THREADS
#ifdef _OPENACC
int omp_get_team_num(void), omp_get_thread_num(void), omp_get_num_threads(void);
#else
static int omp_get_team_num(void) { return 0; }
static int omp_get_thread_num(void) { return 0; }
static int omp_get_num_threads(void) { return 1; }
#endif
#endif
struct NAME_s { int x, y[8]; };
static int g_NAME(int n, int m) {
  int r[8] = {0}, T = 0;
#pragma omp target teams num_teams(1) map(tofrom: r) firstprivate(T)
  {
    ${form.declared}
    ${setting(c, form)}
    for (int k = 0; k < 8; k++) ${direct("k")} = k + 1;
    ${c.changed === "by the team" ? `for (int k = 0; k < 8; k++) ${element("k")} += 2;` : ""}
${sharedCode(c, form)}
    ${c.changed === "behind threads" ? `for (int k = 0; k < 8; k++) ${element("k")} += 5;\n#pragma omp parallel for num_threads(2)\nfor (int i = 0; i < 8; i++) r[i] += ${direct("i")};` : ""}
  }
  long h = 0;
  for (int k = 0; k < 8; k++) h = (h * 31 + r[k]) % 1000003;
  printf("NAME %ld\\n", h);
  return 0;
}
static void NAME(void) { g_NAME(8, 2); }
`;
  return text.replaceAll("NAME", name);
}

judged("addresses of a team's variables", axes, isMeaningful, functionOf);
