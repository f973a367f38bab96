/** Host code is the user's file with the source ranges of constructs replaced, and nothing else. */
import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { hostOf } from "../../translate.ts";

const source = `#include <stdio.h>
#define N 100 // a comment stays
/* and so
   does this */
static float a[N];

int main(void)   {
    int  odd = 3 ;
#pragma acc data copy(a) if(odd)
    {
#pragma acc parallel loop /* here too */ present(a)
      for (int i = 0; i < N; i++)
        a[i] = i; // behind
#pragma acc update self(a[0:odd])
    }
    printf("%d\\n", __LINE__);
    return 0;
}
`;

/** Compiles what the user's compiler would see, warnings being errors. */
function syntax(text: string): void {
  execFileSync(
    "gcc",
    [
      "-std=c11",
      "-Wall",
      "-Wextra",
      "-Werror",
      "-Wno-unknown-pragmas",
      "-fsyntax-only",
      "-Itargets/runtime/include",
      "-x",
      "c",
      "-",
    ],
    { input: text },
  );
}

describe("host code", () => {
  test("keeps includes, macros, comments and spacing", () => {
    const text = hostOf(source);
    for (const kept of [
      "#include <stdio.h>",
      "#define N 100 // a comment stays",
      "/* and so\n   does this */",
      "    int  odd = 3 ;",
      "// behind",
    ])
      expect(text).toContain(kept);
    expect(text).not.toContain("#pragma acc");
  });

  test("has no byte order mark behind the lines that arc puts first", () => {
    const text = hostOf(`\ufeff${source}`);
    expect(text).toBe(hostOf(source));
    syntax(text);
  });

  test("has no OpenMP directive whose loop OpenACC offloads", () => {
    for (const omp of ["parallel for", "simd", "target teams distribute parallel for map(a)", "target"])
      expect(
        hostOf(source.replace("#pragma acc parallel", `#pragma omp ${omp}\n#pragma acc parallel`)),
      ).not.toMatch(/#pragma omp/);
  });

  test("compiles without warnings", () => {
    syntax(hostOf(source));
  });

  test("keeps the user's line numbers", () => {
    const expanded = execFileSync("gcc", ["-E", "-P", "-Itargets/runtime/include", "-x", "c", "-"], {
      input: hostOf(source),
    }).toString();
    expect(expanded).toContain('printf("%d\\n", 16);');
  });

  test("opens a data region before its block and closes it after", () => {
    const text = hostOf(source);
    const order = [
      text.indexOf("arc_data_begin("),
      text.indexOf("arc_launch_present("),
      text.indexOf("arc_update("),
      text.lastIndexOf("arc_data_end("),
    ];
    expect(order).toEqual([...order].sort((x, y) => x - y));
    expect(order[0]).toBeGreaterThan(0);
  });

  test("runs the statement as written if the if clause is false", () => {
    const text = hostOf(
      "float a[9];\nvoid f(int n) {\n#pragma acc parallel loop if(n > 5) copy(a)\n  for (int i = 0; i < 9; i++) a[i] *= 2;\n}\n",
    );
    expect(text).toMatch(/if \(\(n > 5\)\)[\s\S]*else \{\nfor \(int i = 0; i < 9; i\+\+\) a\[i\] \*= 2;/);
    syntax(text);
  });

  test("prints the complete unit if a construct is hidden in a macro", () => {
    const text = hostOf(
      '#define LOOP _Pragma("acc parallel loop") for (int i = 0; i < 9; i++) a[i] = i;\nint a[9];\nvoid f(void) { LOOP }\n',
    );
    expect(text).toContain("arc_launch(");
    expect(text).not.toContain("#define LOOP");
    syntax(text);
  });

  describe.each([
    ["the directive", "#ifdef ON\n#pragma acc parallel loop\n#endif\nfor (int i = 0; i < 9; i++) a[i] = i;"],
    [
      "one of two directives",
      "#ifdef ON\n#pragma acc parallel loop gang\n#else\n#pragma acc parallel loop \\\n  vector\n#endif\nfor (int i = 0; i < 9; i++) a[i] = i;",
    ],
    [
      "the loop's beginning",
      "#pragma acc parallel loop\n#if defined ON \\\n  && ON\nfor (int i = 0; i < 9; i++)\n#else\nfor (int i = 8; i >= 0; i--)\n#endif\na[i] = i;",
    ],
    [
      "the region and a part of it",
      "#if 1\n#pragma acc parallel loop\nfor (int i = 0; i < 9; i++) {\n#ifdef ON\na[i] = i;\n#endif\n}\n#endif",
    ],
    [
      "the directive of a region that may run on the host",
      "#ifdef ON\n#pragma acc parallel loop if(n)\n#endif\nfor (int i = 0; i < 9; i++) a[i] = n;",
    ],
    [
      "a part of a statement that may run on the host",
      "#pragma acc parallel loop if(n)\n#if 1\nfor (int i = 0; i < 9; i++)\n#else\nfor (int i = 8; i >= 0; i--)\n#endif\na[i] = n;",
    ],
    [
      "a data region",
      "#ifdef ON\n#pragma acc data copy(a)\n#endif\n{\n#pragma acc parallel loop\nfor (int i = 0; i < 9; i++) a[i] = i;\n}",
    ],
  ])("keeps #if balanced around %s", (_, body) => {
    test.each(["", "#define ON 1\n"])("after '%s'", (macro) => {
      const text = hostOf(`${macro}int a[9];\nvoid f(int n) {\n(void)n;\n${body}\nn++;\n}\n`);
      syntax(text);
      if (macro) expect(text).toContain("arc_launch(");
    });
  });

  // Each with and without ON, which half of them ask for.
  const places: Readonly<Record<string, string>> = {
    "a macro for a loop's beginning": "#ifdef ON\n#pragma acc parallel loop\n#endif\nFOR(i, 9) ADD(a[i], i);",
    "a macro for a whole loop": "#ifdef ON\n#pragma acc parallel loop\n#endif\nWHOLE(i, 9);",
    "_Pragma within #if":
      '#if ON + 0\n_Pragma("acc parallel loop")\n#endif\nfor (int i = 0; i < 9; i++) a[i] += i;',
    "_Pragma behind code": 'n++; _Pragma("acc parallel loop") for (int i = 0; i < 9; i++) a[i] += i; n++;',
    "a macro for the directive":
      "#ifdef ON\nACC(parallel loop)\n#endif\nfor (int i = 0; i < 9; i++) a[i] += i;",
    "one of several #elif":
      "#if !defined ON\n#pragma acc parallel loop\n#elif ON == 2\n#error no\n#elif ON == 1\n#pragma acc parallel loop vector\n#else\n#error no\n#endif\nfor (int i = 0; i < 9; i++) a[i] += i;",
    "#if in #if":
      "#ifdef ON\n#if 1 /* so */\n#pragma acc parallel loop\n#endif // 1\n#endif\nfor (int i = 0; i < 9; i++) a[i] += i;",
    "parts of the loop's head":
      "#pragma acc parallel loop\nfor (int i = 0;\n#ifdef ON\ni < 9;\n#else\ni < 8;\n#endif\ni++) a[i] += i;",
    "the closing brace":
      "#pragma acc parallel loop\nfor (int i = 0; i < 9; i++) {\na[i] += i;\n#ifdef ON\n}\n#else\n}\n#endif",
    "the only statement of a branch":
      "if (n)\n#ifdef ON\n#pragma acc parallel loop\n#endif\nfor (int i = 0; i < 9; i++) a[i] += i;\nelse n--;",
    "the braces of a data region":
      "#ifdef ON\n#pragma acc data copy(a)\n{\n#endif\n#pragma acc parallel loop\nfor (int i = 0; i < 9; i++) a[i] += i;\n#ifdef ON\n}\n#endif",
    "a directive without a statement":
      "if (n) {\nn--;\n#ifdef ON\n#pragma acc update self(a) if_present\n#endif\n}",
    "a condition in a comment":
      "#pragma acc parallel loop\nfor (int i = 0; i < 9; i++) { /* as\n#if 0\nsays */ a[i] += i; }",
    "a macro that is defined in front of the loop and used behind it":
      "#pragma acc parallel loop\n#define LAST 8\nfor (int i = 0; i <= LAST; i++) a[i] += i;\na[LAST]++;",
    "a macro that is defined in front of a loop that may run on the host":
      "#pragma acc parallel loop if(n)\n#define LAST 8\nfor (int i = 0; i <= LAST; i++) a[i] += i;\na[LAST]++;",
    "a macro that a region defines under a condition":
      "#pragma acc parallel loop\nfor (int i = 0; i < 9; i++) {\n#ifdef ON\n#define LAST \\\n  8\n#else\n#define LAST 7\n#endif\na[i] += i; }\na[LAST]++;",
    "a macro that ends in a region":
      "#define LAST 8\n#pragma acc parallel loop\nfor (int i = 0; i <= LAST; i++) {\n#undef LAST\na[i] += i; }\n#ifdef LAST\n#error still\n#endif",
    "a header that a region includes":
      "#pragma acc parallel loop\nfor (int i = 0; i < 9; i++) {\n#include <limits.h>\na[i] += i; }\na[0] += CHAR_BIT;",
  };
  const macros = `#define FOR(i, n) for (int i = 0; i < (n); i++)
#define ADD(x, y) (x) += (y)
#define WHOLE(i, n) for (int i = 0; i < (n); i++) a[i] += i
#define DO(x) _Pragma(#x)
#define ACC(x) DO(acc x)
`;
  test.each(Object.entries(places))("is right around %s", (_, body) => {
    for (const on of ["", "#define ON 1\n"]) {
      const text = hostOf(`${on}${macros}int a[9];\nvoid f(int n) {\n(void)n;\n${body}\nn++;\n}\n`);
      syntax(text);
      if (on) expect(text).toMatch(/arc_(?:launch|update)\(/);
    }
  });

  test("names the directive's place in every call", () => {
    expect(hostOf(source)).toContain('{"a.c", 11, "parallel loop"}');
  });
});
