/** Host code is the user's file with the source ranges of constructs replaced, and nothing else. */
import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { hostOf } from "../translate.ts";

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

  test("compiles without warnings", () => {
    syntax(hostOf(source));
  });

  test("keeps the user's line numbers", () => {
    const expanded = execFileSync("gcc", ["-E", "-P", "-Itargets/runtime/include", "-x", "c", "-"], {
      input: hostOf(source),
    }).toString();
    expect(expanded).toContain('printf("%d\\n", 16);');
  });

  test("holds a data region open around its block and closes it behind", () => {
    const text = hostOf(source);
    const order = [
      text.indexOf("arc_data_begin("),
      text.indexOf("arc_launch("),
      text.indexOf("arc_update("),
      text.lastIndexOf("arc_data_end("),
    ];
    expect(order).toEqual([...order].sort((x, y) => x - y));
    expect(order[0]).toBeGreaterThan(0);
  });

  test("runs the statement as written where the if clause says no", () => {
    const text = hostOf(
      "float a[9];\nvoid f(int n) {\n#pragma acc parallel loop if(n > 5) copy(a)\n  for (int i = 0; i < 9; i++) a[i] *= 2;\n}\n",
    );
    expect(text).toMatch(/if \(\(n > 5\)\)[\s\S]*else \{\nfor \(int i = 0; i < 9; i\+\+\) a\[i\] \*= 2;/);
    syntax(text);
  });

  test("prints the whole unit when a construct hides in a macro", () => {
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

  test("names the directive's place in every call", () => {
    expect(hostOf(source)).toContain('{"a.c", 11, "parallel loop"}');
  });
});
