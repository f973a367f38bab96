/**
 * A region gets a structure without what a pointer in it leads to: warned of for every way to hold the structure and to
 * give it to the region, and for none where something besides maps, attaches or sets what the pointer leads to.
 */
import { describe, expect, it } from "vitest";
import { read } from "../reading.ts";

const head = `typedef unsigned long size_t;
void *malloc(size_t); void *calloc(size_t, size_t); void *acc_malloc(size_t); void *acc_copyin(void *, size_t);
void acc_attach(void **); void elsewhere(void *); double *given(void);
struct in { double *x; int n; };
struct out { struct in in; };
static double table[64];
`;

/** How the structure is held: what declares it, what clauses name, and its member. */
const holders = {
  "a variable": ["struct in f;", "f", "f.x"],
  "a static variable": ["static struct in f;", "f", "f.x"],
  "an element": ["struct in f[3];", "f", "f[i % 3].x"],
  "a part of another": ["struct out f;", "f", "f.in.x"],
  "by a pointer to it": ["struct in f, *p = &f;", "p[0:1]", "p->x"],
  "by a pointer set later": ["struct in f, *p; p = &f;", "p[0:1]", "(*p).x"],
  allocated: ["struct in *p = malloc(sizeof *p);", "p[0:1]", "p->x"],
  "an allocated element": ["struct in *p = calloc(4, sizeof(struct in));", "p[0:4]", "p[i % 4].x"],
} as const;

const uses = {
  written: (x: string) => `${x}[i] = i;`,
  read: (x: string) => `s += ${x}[i];`,
  "at its begin": (x: string) => `s += *${x};`,
} as const;

/** Directives that give a region the structure alone. */
const regions = {
  acc: (f: string) => `#pragma acc parallel loop copy(${f}) reduction(+:s)`,
  present: (f: string) => `#pragma acc parallel loop present(${f}) reduction(+:s)`,
  unnamed: () => "#pragma acc kernels loop reduction(+:s)",
  around: (f: string) => `#pragma acc data copyin(${f})\n#pragma acc parallel loop reduction(+:s)`,
  omp: (f: string) => `#pragma omp target teams distribute parallel for map(to: ${f}) reduction(+:s)`,
} as const;

const sources = {
  allocation: (x: string) => `${x} = malloc(64 * sizeof(double));`,
  array: (x: string) => `${x} = table;`,
} as const;

/** What makes the program right, or others responsible: before the region, or behind it. */
const mapped = {
  "a clause of the directive": (x: string, f: string) => `#pragma acc data copyin(${f}, ${x}[0:64])\n{ }`,
  "enter data": (x: string) => `#pragma acc enter data copyin(${x}[0:64])`,
  "an attached pointer": (x: string) => `#pragma acc enter data attach(${x})`,
  "OpenMP's enter data": (x: string) => `#pragma omp target enter data map(to: ${x}[0:64])`,
  acc_attach: (x: string) => `acc_copyin(${x}, 512); acc_attach((void **)&${x});`,
  "memory of the device": (x: string) => `${x} = acc_malloc(512);`,
  "what a function gives": (x: string) => `${x} = given();`,
  "a pointer that moves": (x: string) => `${x}++;`,
  "a function of another file": (_: string, f: string) =>
    `elsewhere(${f.includes("[") ? f.slice(0, f.indexOf("[")) : "&f"});`,
  "a region that sets it": (x: string) => `#pragma acc serial\n{ ${x} = table; }`,
  "a mapper": () => "",
  "one memory": () => "",
  "a region of the host": () => "",
} as const;

type Of<T> = keyof T & string;

function program(
  holder: Of<typeof holders>,
  use: Of<typeof uses>,
  region: Of<typeof regions>,
  source: Of<typeof sources>,
  besides?: Of<typeof mapped>,
): string {
  const [declaration, named, member] = holders[holder];
  const anywhere = member.replace(/i % \d/, "1");
  const off = besides === "a region of the host" ? " if(0)" : "";
  const file =
    besides === "a mapper"
      ? "#pragma omp declare mapper(struct in v) map(v, v.x[0:64])\n"
      : besides === "one memory"
        ? "#pragma omp requires unified_shared_memory\n"
        : "";
  return `${head}${file}double f_(void) {
  double s = 0; ${declaration}
  ${sources[source](anywhere)}
${besides ? mapped[besides](anywhere, named) : ""}
${regions[region](named).replace(/(omp .*|loop .*)$/, `$1${off}`)}
  for (int i = 0; i < 64; i++) { ${uses[use](member)} }
  return s;
}
`;
}

const warnings = (text: string) => read(text).diagnostics.filter(({ code }) => code === "member-left");

const keys = <T extends object>(of: T) => Object.keys(of) as Of<T>[];

describe("what a pointer in a structure leads to", () => {
  it.each(keys(holders))("is missed in a region, held as %s", (holder) => {
    for (const use of keys(uses))
      for (const region of keys(regions))
        for (const source of keys(sources)) {
          const text = program(holder, use, region, source);
          expect(warnings(text), text).toHaveLength(1);
        }
  });

  it.each(keys(mapped))("is not missed where there is %s", (besides) => {
    for (const holder of keys(holders))
      for (const region of keys(regions)) {
        const text = program(holder, "read", region, "allocation", besides);
        expect(warnings(text), text).toEqual([]);
      }
  });

  it("is not missed in structures that come from elsewhere", () => {
    for (const declared of ["struct in *p", "struct in p[3]"]) {
      const text = `${head}void f_(${declared}) { p->x = malloc(8);
#pragma acc serial copyin(p[0:1])
  p->x[0] = 1;
}`;
      expect(warnings(text), text).toEqual([]);
    }
    const shared = `${head}struct in f; void f_(void) { f.x = malloc(8);
#pragma acc serial copyin(f)
  f.x[0] = 1;
}`;
    expect(warnings(shared)).toEqual([]);
  });
});
