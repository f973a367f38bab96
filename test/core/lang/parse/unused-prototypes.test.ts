/** Prototypes of system headers that nothing mentions are left out, and nothing else is. */
import { expect, test } from "vitest";
import { parse } from "../../../../core/lang/index.ts";

const header = (text: string): string => `# 1 "/usr/include/h.h" 1 3\n${text}\n# 2 "a.c" 2\n`;

/** Names that a unit declares, of a header and a source. */
function declared(text: string, source: string): readonly string[] {
  const { unit, diagnostics } = parse(`# 1 "a.c"\n${header(text)}${source}\n`, {
    file: "a.c",
    usedPrototypes: true,
  });
  expect(diagnostics).toEqual([]);
  return unit.externals.flatMap((e) =>
    e.kind === "decl" ? e.decls.map(({ sym }) => sym.name) : e.kind === "function" ? [e.sym.name] : [],
  );
}

test.each([
  ["a prototype that nothing mentions", "extern int f (int, char [4]);", "int x;", ["x"]],
  [
    "with attributes and __extension__",
    "__extension__ extern long g (int __x) __attribute__ ((__const__));",
    "",
    [],
  ],
  [
    "that a call mentions",
    "extern int f (int);\nextern int g (int);",
    "int x(void) { return g(1); }",
    ["g", "x"],
  ],
  [
    "that a directive mentions",
    "extern int f (int);",
    "#pragma omp declare variant(f) match(user={condition(1)})\nint x(int);",
    ["f", "x"],
  ],
  [
    "that an inline function of a header mentions",
    "extern int f (int);\nstatic int y (int a) { return f (a); }",
    "",
    ["f", "y"],
  ],
  ["a prototype of the source's own", "", "extern int f(int);", ["f"]],
  [
    "no prototype alone",
    "extern int f (int), v;\nextern int w;\nextern int t[3];\nextern int i (int);",
    "",
    ["f", "v", "w", "t"],
  ],
  ["a function that returns a pointer to one", "extern void (*s (int))(int);", "", ["s"]],
  ["a definition", "extern int d (int a) { return a; }\nextern int e (void);", "", ["d"]],
  [
    "types and macros of any kind",
    "typedef int T;\nstruct S { T a; } v;\nenum { A, B };",
    "T x = B;",
    ["T", "v", "x"],
  ],
])("%s", (_, text, source, names) => {
  expect(declared(text, source)).toEqual(names);
});

test("each unit that reads a header has what it mentions itself", () => {
  const text =
    "extern int p1 (int);\ntypedef int t1;\nextern int p2 (t1);\nstatic int y1 (int a) { return p2 (a); }";
  expect(declared(text, "int x(void) { return p1(1); }")).toEqual(["p1", "t1", "p2", "y1", "x"]);
  expect(declared(text, "")).toEqual(["t1", "p2", "y1"]);
  expect(declared(text, "int z(void) { return p1(1); }")).toEqual(["p1", "t1", "p2", "y1", "z"]);
});
