/** Sources in which nothing is to be translated: which are, and that the C compiler makes the same of them. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { isDirectiveFree, untouched } from "../../../../core/compiler/driver/directive-free.ts";
import { translateHost } from "../../../../core/compiler/driver/translate.ts";
import { untouchedMark } from "../../../../targets/shared/host/expanded.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-directive-free-"));
afterAll(() => rmSync(folder, { recursive: true }));

const preprocess = (text: string, ...options: readonly string[]): string => {
  writeFileSync(path.join(folder, "a.c"), text);
  return execFileSync("gcc", ["-E", ...options, "a.c"], { cwd: folder, encoding: "utf8" });
};

const program = `#include <stdio.h>
#include <stdlib.h>
#define TWICE(x) \\
  ((x) + (x))
#pragma GCC diagnostic ignored "-Wunused-variable"
int main(int argc, char **argv) {
#undef TWICE
#define TWICE(x) ((x) * 2)
  printf("%s:%d %d\\n", __FILE__, __LINE__, TWICE(argc));
  return abs(argc) == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
`;

describe("a source without directives", () => {
  it("is compiled to what its own text is compiled to", () => {
    const text = preprocess(program, "-dD");
    expect(isDirectiveFree({ file: "a.c", text })).toBe(true);
    const code = untouched({ file: "a.c", text });
    const [mark, ...lines] = code.split("\n");
    expect(mark).toBe(untouchedMark);
    expect(lines).toHaveLength(text.split("\n").length);
    const assembly = (name: string, contents: string): string => {
      writeFileSync(path.join(folder, name), contents);
      return execFileSync("gcc", ["-O2", "-g", "-Wall", "-Werror", "-S", "-o", "-", name], {
        cwd: folder,
        encoding: "utf8",
      });
    };
    const plain = preprocess(program);
    expect(assembly("b.i", lines.join("\n"))).toBe(assembly("b.i", plain));
  });

  it("is given to the C compiler as it is, where nobody reads it before", () => {
    const text = preprocess(program, "-dD");
    const source = { file: "a.c", text };
    const others = { kind: "separate" } as const;
    expect(translateHost(source, program, others, undefined, "images").text).toBe(untouched(source));
    expect(translateHost(source, program, others).text).toContain("#include <stdio.h>");
  });

  it.each([
    ["a directive", "void f(void) {\n#pragma acc wait\n}\n"],
    ["one made by an operator", 'void f(void) {\n  _Pragma("omp barrier")\n}\n'],
    ["one of a language that arc does not know", "void f(void) {\n#pragma unheard of\n}\n"],
    ["an attribute", "[[omp::directive(barrier)]];\n"],
    ["a name of the runtime's", "int arc_launch;\n"],
    ["a raw string, which may have a line like a directive", 'const char *s = R"(\n#define x)";\n'],
  ])("has no %s", (_, text) => {
    expect(isDirectiveFree({ file: "a.c", text: preprocess(text, "-dD") })).toBe(false);
  });
});
