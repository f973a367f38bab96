import { describe, expect, test } from "vitest";
import {
  markText,
  type Pragma,
  parse,
  rawExtents,
  rawSpan,
  type Stmt,
  walkStmt,
} from "../../../../core/lang/index.ts";
import { preprocess } from "../toolchain.ts";

/** For each pragma: its text and its statement's text in the user's file, or why they are not clean. */
function located(
  text: string,
  flags: readonly string[] = [],
): { pragma?: string; stmt?: string; clean: boolean }[] {
  const parsed = parse(preprocess(text, flags), { file: "<stdin>" });
  expect(parsed.diagnostics).toEqual([]);
  const found: { pragma?: string; stmt?: string; clean: boolean }[] = [];
  const add = (pragma: Pragma, stmt?: Stmt): void => {
    const raw = rawExtents(text, parsed, pragma, stmt);
    found.push({
      ...(raw.pragma && { pragma: text.slice(raw.pragma.start, raw.pragma.end) }),
      ...(raw.stmt && { stmt: text.slice(raw.stmt.start, raw.stmt.end) }),
      clean: raw.clean,
    });
  };
  for (const external of parsed.unit.externals) {
    if (external.kind === "pragma") add(external);
    if (external.kind !== "function") continue;
    walkStmt(external.body, { stmt: (stmt) => stmt.pragmas?.forEach((pragma) => void add(pragma, stmt)) });
  }
  return found;
}

const inFunction = (text: string): string => `int v[9], n;\nvoid use(int);\nvoid f(void)\n{\n${text}\n}\n`;
const statement = (text: string): string | undefined => {
  const [only] = located(inFunction(`#pragma acc x\n${text}\nn = 0;`));
  expect(only?.clean).toBe(true);
  return only?.stmt;
};

describe("a construct in the user's text", () => {
  test.each([
    "for (int i = 0; i < n; i++)\n  v[i] = i;",
    "for (int i = 0; i < n; i++) { v[i] = i; }",
    "while (n > 3) n--;",
    "do\n  n--;\nwhile (n > 0);",
    "do { n--; } while (n > 0) ;",
    "if (n) use(1); else if (n > 2) { use(2); } else\n  use(3);",
    "if (n) { use(1); }",
    "switch (n) { case 1: n++; default: n--; }",
    "{ int k = 3; { use(k); } }",
    "again: for (;;) break;",
    "n = v[1] + 3;",
    "use(n);",
    ";",
    "for (;;)\n  if (n)\n    while (n) n--;\n  else\n    do n++; while (n < 3);",
    'use(sizeof "a; } { \\" (") ;',
    "use(';' + '}');",
    "for (int i = 0; /* ; { */ i < n; i++) // }\n  v[i] = 0; ",
    "int local = 3;",
    "n = \\\n  3;",
  ])("ends where it ends in C: %j", (text) => {
    expect(statement(text)).toBe(text.trimEnd());
  });

  test("has its pragma's whole logical line, comments and continuations included", () => {
    const [only] = located(
      inFunction("  # pragma acc parallel \\\n     loop /* of */ \\\n     gang\n  use(1);"),
    );
    expect(only).toEqual({
      pragma: "# pragma acc parallel \\\n     loop /* of */ \\\n     gang",
      stmt: "use(1);",
      clean: true,
    });
  });

  test("follows several pragmas, each with its own line", () => {
    const found = located(
      inFunction("#pragma acc data copy(v)\n#pragma acc parallel\n#pragma acc loop\nfor (;;) ;"),
    );
    expect(found.map(({ pragma }) => pragma)).toEqual([
      "#pragma acc data copy(v)",
      "#pragma acc parallel",
      "#pragma acc loop",
    ]);
    for (const one of found) expect(one).toMatchObject({ stmt: "for (;;) ;", clean: true });
  });

  test("may contain pragmas and constructs of its own", () => {
    const text = "#pragma acc data\n{\n#pragma acc loop\nfor (;;) {\n#pragma acc wait\n}\n}";
    expect(located(inFunction(text)).map(({ stmt }) => stmt)).toEqual([
      "{\n#pragma acc loop\nfor (;;) {\n#pragma acc wait\n}\n}",
      "for (;;) {\n#pragma acc wait\n}",
      undefined,
    ]);
  });

  test("is found in _Pragma, alone or with others on its line", () => {
    const found = located(inFunction('_Pragma("acc parallel") _Pragma ( "acc loop" ) for (;;) ; n = 2;'));
    expect(found).toEqual([
      { pragma: '_Pragma("acc parallel")', stmt: "for (;;) ;", clean: true },
      { pragma: '_Pragma ( "acc loop" )', stmt: "for (;;) ;", clean: true },
    ]);
  });

  test("is found in a macro that expands only to pragmas, with its arguments", () => {
    const head = "#define DO(text) _Pragma(#text)\n#define LOOP(c) DO(acc parallel) DO(acc loop c)\n";
    expect(located(head + inFunction("use(1); LOOP(gang(n)\n seq) for (;;) ;"))).toEqual([
      { pragma: "LOOP(gang(n)\n seq)", stmt: "for (;;) ;", clean: true },
      { pragma: "LOOP(gang(n)\n seq)", stmt: "for (;;) ;", clean: true },
    ]);
  });

  test("is not clean when a macro makes its pragma together with code", () => {
    const [only] = located(`#define LOOP _Pragma("acc loop") for\n${inFunction("LOOP (;;) ;")}`);
    expect(only).toMatchObject({ clean: false });
    expect(only).not.toHaveProperty("pragma");
  });

  test("is distinguished from identical ones on its line", () => {
    const text = inFunction('_Pragma("acc loop") for (;;) ; _Pragma("acc loop") while (n) n--;');
    expect(located(text).map(({ stmt }) => stmt)).toEqual(["for (;;) ;", "while (n) n--;"]);
  });

  test("may use macros in its _Pragma", () => {
    const [only] = located(`#define N 4\n${inFunction('_Pragma("acc loop gang(N)")\nfor (;;) ;')}`);
    expect(only).toEqual({ pragma: '_Pragma("acc loop gang(N)")', stmt: "for (;;) ;", clean: true });
  });

  test("may use macros anywhere inside", () => {
    const text = "for (int i = 0; i < SIZE; i++) {\n  SET(v, i,\n    SIZE + 1);\n  use(__LINE__);\n}";
    const [only] = located(
      `#define SIZE 9\n#define SET(a, k, x) do { (a)[k] = (x); } while (0)\n${inFunction(`#pragma acc loop\n${text}`)}`,
    );
    expect(only).toMatchObject({ stmt: text, clean: true });
  });

  test("may begin and end with complete macros", () => {
    const head = "#define FOR(i, n) for (int i = 0; i < (n); i++)\n#define END }\n#define BEGIN {\n";
    const text = "FOR(i, n) BEGIN\n  v[i] = 0;\nEND";
    const [only] = located(head + inFunction(`#pragma acc loop\n${text}\nuse(1);`));
    expect(only).toMatchObject({ stmt: text, clean: true });
  });

  test("is not clean when it ends in the middle of a macro", () => {
    const head = "#define TAIL v[0] = 1; use(2)\n";
    const [only] = located(head + inFunction("#pragma acc loop\nfor (;;) TAIL;"));
    expect(only).toMatchObject({ clean: false });
    expect(only).not.toHaveProperty("stmt");
  });

  test("is not clean when it begins in the middle of a macro", () => {
    const head = "#define START n = 1; for (;;)\n";
    const parsed = parse(preprocess(head + inFunction("START use(2);")), { file: "<stdin>" });
    const [, , definition] = parsed.unit.externals;
    const loop = definition?.kind === "function" ? definition.body.body[1] : undefined;
    expect(loop?.kind).toBe("for");
    expect(rawSpan(head + inFunction("START use(2);"), parsed, loop?.span as never)).toBeUndefined();
  });

  test("keeps the branches of #if that were compiled, and those that were not", () => {
    const text = "for (;;) {\n#ifdef FAST\n  use(1);\n#else\n  use(2); }  {{{ ((\n#endif\n  use(3);\n}";
    const source = inFunction(`#pragma acc loop\n${text}\nn = 1;`);
    expect(located(source, ["-DFAST"])[0]).toMatchObject({ stmt: text, clean: true });
  });

  test("may be in one branch of #if", () => {
    const source = inFunction(
      "#ifdef FAST\n#pragma acc loop\nfor (;;) use(1);\n#else\n#pragma acc loop seq\nfor (;;) use(2);\n#endif\nn = 1;",
    );
    expect(located(source)).toEqual([
      { pragma: "#pragma acc loop seq", stmt: "for (;;) use(2);", clean: true },
    ]);
    expect(located(source, ["-DFAST"])).toEqual([
      { pragma: "#pragma acc loop", stmt: "for (;;) use(1);", clean: true },
    ]);
  });

  test("is proved with the macros in force at its place", () => {
    const source = inFunction(
      "#define K 1\n#pragma acc a\nuse(K);\n#undef K\n#define K 2\n#pragma acc b\nuse(K + K);",
    );
    expect(located(source).map(({ stmt, clean }) => [stmt, clean])).toEqual([
      ["use(K);", true],
      ["use(K + K);", true],
    ]);
  });

  test("is found in files with letters beyond ASCII", () => {
    const [only] = located(
      inFunction('/* größe */ #define x\n#pragma acc loop\nuse(sizeof "é" + 1); // ü').replace(
        "#define x",
        "",
      ),
    );
    expect(only).toMatchObject({ stmt: 'use(sizeof "é" + 1);', clean: true });
  });

  test("is found with carriage returns at the ends of lines", () => {
    const [only] = located(inFunction("#pragma acc loop\nfor (;;)\n  use(1);").replaceAll("\n", "\r\n"));
    expect(only).toEqual({ pragma: "#pragma acc loop", stmt: "for (;;)\r\n  use(1);", clean: true });
  });

  test("at the end of a block has no text", () => {
    const [only] = located(inFunction("use(1);\n#pragma acc wait"));
    expect(only).toEqual({ pragma: "#pragma acc wait", clean: true });
  });

  test("between functions is the pragma alone", () => {
    expect(located("#pragma acc routine seq\nint f(void);\n")).toEqual([
      { pragma: "#pragma acc routine seq", clean: true },
    ]);
  });
});

describe("a directive that is not in the file", () => {
  const mark = markText({ file: "d", line: 1, col: 10 });
  /** Where it is to stand in the file; `#` lines of `read` are those that only the reading has. */
  const placeOf = (file: string, read: string): string => {
    const parsed = parse(`# 1 "a.c"\n${read}`, { file: "a.c" });
    const found: string[] = [];
    for (const e of parsed.unit.externals) {
      if (e.kind !== "function") continue;
      walkStmt(e.body, {
        stmt(s) {
          for (const pragma of s.pragmas ?? []) {
            if (pragma.added !== "directive") continue;
            const { pragma: own, clean } = rawExtents(file, parsed, pragma, s);
            expect(own?.start).toBe(own?.end);
            expect(clean).toBe(true);
            found.push(file.slice(own?.start));
          }
        },
      });
    }
    expect(found).toHaveLength(1);
    return found[0] ?? "";
  };
  const pragma = `#pragma ${mark} acc loop\n`;

  test.each([
    ["a line of its own", "void f(void) {\n  |for (;;) ;\n}\n", 2],
    ["a line with others", "void f(void) { for (;;) ; |for (;;) ; }\n", 1],
    ["a directive of the file", "void f(void) {\n  |#pragma acc data\n  for (;;) ;\n}\n", 2],
    ["a line with characters of several bytes", "void f(void) { /* é */ for (;;) ; |for (;;) ; }\n", 1],
  ])("stands in front of what it was put before: %s", (_, text, line) => {
    const file = text.replace("|", "");
    const [before = "", behind = ""] = text.split("|");
    const margin = before.slice(before.lastIndexOf("\n") + 1);
    const read = margin.trim()
      ? `${before}\n${pragma}# ${line} "a.c"\n${" ".repeat(Buffer.byteLength(margin))}${behind}`
      : `${before.slice(0, before.length - margin.length)}${pragma}# ${line} "a.c"\n${margin}${behind}`;
    expect(placeOf(file, read)).toBe(behind);
  });

  test("stands in front of the macro that makes its statement", () => {
    const file = "#define FOR for (;;)\nvoid f(void) {\n  FOR ;\n}\n";
    const read = `#define FOR for (;;)\nvoid f(void) {\n${pragma}# 3 "a.c"\n  for (;;) ;\n}\n`;
    expect(placeOf(file, read)).toBe("FOR ;\n}\n");
  });
});
