/** Programs from patterns: where arrays are declared, their type, how loops and subscripts are written. */
import type { Form, Pattern } from "./pattern.ts";

const places = ["local", "file", "static", "heap", "parameter"] as const;
const types = ["int", "double", "float", "long"] as const;
const bounds = ["constant", "variable"] as const;
const loops = ["less", "most", "unequal", "down", "outside"] as const;
const subscripts = ["plain", "sum", "pointer"] as const;
const directives = ["combined", "static", "dynamic", "inside", "threads"] as const;

interface Choice {
  readonly place: (typeof places)[number];
  readonly type: (typeof types)[number];
  readonly bound: (typeof bounds)[number];
  readonly loop: (typeof loops)[number];
  readonly subscript: (typeof subscripts)[number];
  readonly directive: (typeof directives)[number];
}

/** The choices of a pattern's k-th form. Each multiplier visits all values of a list in another order. */
export function choice(pattern: number, k: number): Choice {
  const of = <V>(list: readonly V[], by: number): V => list[by % list.length] as V;
  return {
    place: of(places, pattern + k),
    type: of(types, pattern + 3 * k),
    bound: of(bounds, Math.floor(pattern / 5) + k),
    loop: of(loops, Math.floor(pattern / 2) + 2 * k),
    subscript: of(subscripts, Math.floor(pattern / 3) + 2 * k),
    directive: of(directives, Math.floor(pattern / 4) + 3 * k),
  };
}

const trips = 60;

function formOf(chosen: Choice, racy: boolean): Form {
  const n = chosen.bound === "constant" ? String(trips) : "n";
  return {
    r: (fault, mended) => (racy ? fault : mended),
    T: chosen.type,
    n,
    loop(v, lower, bound) {
      switch (chosen.loop) {
        case "most":
          return `for (int ${v} = ${lower}; ${v} <= ${bound} - 1; ${v} += 1)`;
        case "unequal":
          return `for (int ${v} = ${lower}; ${v} != ${bound}; ++${v})`;
        case "down":
          return `for (int ${v} = ${bound} - 1; ${v} >= ${lower}; ${v}--)`;
        case "outside":
          return `for (${v} = ${lower}; ${v} < ${bound}; ${v}++)`;
        default:
          return `for (int ${v} = ${lower}; ${v} < ${bound}; ${v}++)`;
      }
    },
    at(array, index) {
      if (chosen.subscript === "sum") return `${array}[(${index}) + 0]`;
      return chosen.subscript === "pointer" ? `*(${array} + (${index}))` : `${array}[${index}]`;
    },
    pfor(clauses = "") {
      const own = clauses === "" ? "" : ` ${clauses}`;
      switch (chosen.directive) {
        case "static":
          return `#pragma omp parallel for schedule(static, 1)${own}`;
        case "dynamic":
          return `#pragma omp parallel for schedule(dynamic)${own}`;
        case "inside":
          return /default|shared/.test(own)
            ? `#pragma omp parallel${own}\n#pragma omp for`
            : `#pragma omp parallel\n#pragma omp for${own}`;
        case "threads":
          return `#pragma omp parallel for num_threads(4)${own}`;
        default:
          return `#pragma omp parallel for${own}`;
      }
    },
  };
}

interface Arrayed {
  readonly name: string;
  readonly type: string;
  readonly times: string;
}

const arraysOf = ({ arrays }: Pattern, type: string): readonly Arrayed[] =>
  arrays
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => {
      const [name = "", ...more] = word.split(":");
      const own = more.find((m) => /^[a-z]/.test(m));
      return { name, type: own ?? type, times: more.find((m) => /^\d/.test(m)) ?? "1" };
    });

/** Counters that a loop of form `outside` needs declared; they are private to the region that is shared out. */
const outsides = ["i"];

/** The text of a program; its first lines are for the compiler that runs it. */
export function programOf(pattern: Pattern, chosen: Choice, racy: boolean): string {
  const form = formOf(chosen, racy);
  const arrays = arraysOf(pattern, chosen.type);
  const size = (a: Arrayed) => `${a.times} * ${trips} + 16`;
  const own = { local: "", static: "static " }[chosen.place as "local" | "static"];
  const declared = arrays.map((a) =>
    chosen.place === "heap"
      ? `  ${a.type} *${a.name} = malloc((${size(a)}) * sizeof(${a.type}));\n`
      : own === undefined
        ? ""
        : `  ${own}${a.type} ${a.name}[${size(a)}];\n`,
  );
  const onFile = ["file", "parameter"].includes(chosen.place);
  const isParameter = chosen.place === "parameter";
  const global = (a: Arrayed) => `static ${a.type} ${isParameter ? "own_" : ""}${a.name}[${size(a)}];\n`;
  const parameters = isParameter ? arrays.map((a) => `, ${a.type} *${a.name}`).join("") : "";
  const values = isParameter ? arrays.map((a) => `, own_${a.name}`).join("") : "";
  const filled = arrays.map((a) => `  for (int k = 0; k < ${size(a)}; k++) ${a.name}[k] = k % 7;\n`);
  const shown = arrays.map((a) => `  printf("%g\\n", (double)${a.name}[3]);\n`);
  const counters = chosen.loop === "outside" ? `  int ${outsides.join(", ")};\n` : "";
  const body = pattern.body(form).replace(/^\n/, "");
  return [
    prelude,
    ...(onFile ? arrays.map(global) : []),
    pattern.before(form),
    `void work(int n${parameters}) {\n`,
    ...declared,
    ...filled,
    counters,
    body,
    "\n",
    ...shown,
    "}\n",
    `int main(int argc, char **argv) {\n  work(argc > 1 ? atoi(argv[1]) : ${trips}${values});\n  return 0;\n}\n`,
  ].join("");
}

/** What the programs use of C's and OpenMP's headers. */
export const prelude = `#include "prelude.h"\n`;
export const headers =
  "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <math.h>\n#include <omp.h>\n";
const declarations = `int printf(const char *, ...);
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
int atoi(const char *);
int abs(int);
double fabs(double);
double sqrt(double);
int omp_get_thread_num(void);
int omp_get_num_threads(void);
typedef struct { int x; } omp_lock_t;
void omp_init_lock(omp_lock_t *);
void omp_destroy_lock(omp_lock_t *);
void omp_set_lock(omp_lock_t *);
void omp_unset_lock(omp_lock_t *);
typedef struct { int x[4]; } omp_nest_lock_t;
void omp_init_nest_lock(omp_nest_lock_t *);
void omp_destroy_nest_lock(omp_nest_lock_t *);
void omp_set_nest_lock(omp_nest_lock_t *);
void omp_unset_nest_lock(omp_nest_lock_t *);
`.replace(/\n(?=.)/g, " ");

/** The same program for the analysis, without a preprocessor. */
export const plain = (program: string): string => program.replace(prelude, declarations);
