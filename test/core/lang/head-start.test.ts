/** Units whose beginning was parsed ahead, compared with the same units parsed at once. */
import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Parsed, parse, startParse } from "../../../core/lang/index.ts";
import { cases } from "../../cases.ts";

const options = { file: "main.c" };

/** All that reading came to, but for what ids are: only their order means anything. */
function shapeOf({ unit, diagnostics, source }: Parsed): string {
  const { tokens, macrosAt } = source;
  const versions = tokens.map((_, at) => macrosAt(at).version);
  const all = { unit, diagnostics, tokens, versions };
  const text = inspect(all, { depth: Number.POSITIVE_INFINITY, maxArrayLength: null, maxStringLength: null });
  const ids = [...new Set([...text.matchAll(/\bid: (\d+)/g)].map(([, id]) => Number(id)))].sort(
    (a, b) => a - b,
  );
  return text.replace(
    /\b(id|lastId): (\d+)/g,
    (_, name, id) => `${name}: ${ids.filter((other) => other <= Number(id)).length}`,
  );
}

/** What a header or a source may consist of; much of it changes what another piece declared, or makes no sense. */
const pieces = [
  "struct s;",
  "struct s { int a; char b; };",
  "struct s { int a;",
  "struct s v;",
  "};",
  "enum e;",
  "enum e { A, B = 4 };",
  "enum e w;",
  "typedef struct s t;",
  "typedef int t;",
  "extern t y;",
  "int f(t x);",
  "int f(int x) { return x + 1; }",
  "static inline int g(void) { int t = 1; return f(t); }",
  "int g(void) { return M + sizeof(struct s) + A; }",
  "int k(a) int a; { return a; }",
  "#define M 1",
  "#define M (M2 + 1)",
  "#undef M",
  '#pragma push_macro("M")',
  '#pragma pop_macro("M")',
  "#pragma pack(push, 1)",
  "#pragma pack(pop)",
  "#pragma acc routine seq",
  '_Pragma("acc routine seq")',
  "_Pragma",
  '("acc routine seq")',
  "void h(float *p) {\n#pragma acc parallel loop copy(p[0:M])\n  for (int i = 0; i < 8; i++) p[i] = M;\n}",
  "extern int",
  "int z = 3;",
  "*",
  ";",
  "}",
  "/* open",
  "shut */",
  '"open',
  "int c\\",
  "int \u00e4 = 1;",
  '# 7 "other.h" 1 3',
  '# 9 "main.c" 2',
  "",
];
const text = (most: number) =>
  fc.array(fc.constantFrom(...pieces), { maxLength: most }).map((lines) => lines.join("\n"));
/** Enough tokens after the head's end, so that something is parsed ahead. */
const padding = '\nint pad1(int, int);\nint pad2(int, int);\nint pad3(int, int);\n# 2 "main.c" 2\n';

describe("a head start", () => {
  it("comes to what reading at once comes to, whatever follows", () => {
    let used = 0;
    fc.assert(
      fc.property(text(7), text(7), fc.boolean(), (first, rest, padded) => {
        const head = `# 1 "main.c"\n${first}${padded ? padding : "\n"}`;
        const start = startParse(head, options);
        // Somebody else's unit in between.
        parse("struct s { int other; } v; int f(void);", options);
        if (start === undefined) return;
        used += 1;
        expect(shapeOf(start.finish(head + rest))).toBe(shapeOf(parse(head + rest, options)));
      }),
      cases(600),
    );
    expect(used).toBeGreaterThan(50);
  });

  it("declares entities that are completed, redeclared or redefined after it", () => {
    const head = `struct s; enum e { A }; int f(struct s *);\n#define M A\nstatic int unused(void) { return A; }${padding}`;
    const rest =
      "struct s { int a; };\n#undef M\n#define M 2\nint f(struct s *p) { return p->a + 2; }\nint u = sizeof(struct s);\n";
    const parsed = startParse(head, options)?.finish(head + rest);
    expect(parsed?.diagnostics).toEqual([]);
    expect(shapeOf(parsed as Parsed)).toBe(shapeOf(parse(head + rest, options)));
  });

  it.each([
    ["in the middle of a line", "int a;"],
    ["where a line goes on", `${padding}int a;\\\n`],
    ["in a declaration", "struct s {\nint a; int b; int c; int d; int e; int f; int g; int h;\n"],
    ["after a mistake", `int a = ;${padding}`],
  ])("is refused %s", (_, head) => {
    expect(startParse(head, options)).toBeUndefined();
  });
});
