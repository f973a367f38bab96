/** Comments that keep OpenACC's directives in an OpenMP source: how they come back, and when they do not. */
import { execFileSync } from "node:child_process";
import { describe, expect, it, test } from "vitest";
import { normalise } from "../../../core/ir/normalise/normalise.ts";
import { readDirectives } from "../../../core/ir/read/read.ts";
import { parse } from "../../../core/lang/index.ts";
import { outdated } from "../../../core/source-to-source/kept.ts";
import type { Source } from "../../../core/source-to-source/model/source.ts";
import { keptIn, withoutKeptComments } from "../../../core/source-to-source/text/kept.ts";
import { translateSource } from "../../../core/source-to-source/translate.ts";

function read(text: string): Source {
  const parsed = parse(text, { file: "test.c" });
  return { file: "test.c", text, parsed, program: normalise(readDirectives(parsed.unit)) };
}

const there = (text: string): string =>
  translateSource(read(text), { to: "openmp", openmp: "5.0", map: "default" }).text;

/** The way back of a command: the comments count if they still fit. */
function back(text: string): { readonly text: string; readonly outdated?: number } {
  const wishes = { to: "openacc", openmp: "5.0", map: "default" } as const;
  const made = translateSource(read(text), wishes);
  expect(made.diagnostics).toEqual([]);
  const warning = outdated(read(text), read(made.text));
  if (!warning) return { text: made.text };
  return { text: translateSource(read(text), { ...wishes, anew: true }).text, outdated: warning.loc.line };
}

const source = `double total;
void f(double *restrict a, double *restrict b, int n) {
  int k;
#pragma acc kernels copy(a[0:n]) \\
    copyout(b[0:n]) // two lines
  {
    total = a[0];
    if (n > 3)
      total += 1;
    for (int i = 0; i < n; i++)
      b[i] = a[i] * total;
    for (int i = 1; i < n; i++)
      b[i] += b[i - 1];
  }
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++)
    for (k = 0; k < 3; k++)
      a[i] += k;
#pragma acc parallel present(a[0:n])
  {
#pragma acc loop gang(num: 4) reduction(+ : total)
    for (int i = 0; i < n; i++)
      total += a[i];
  }
#pragma acc kernels loop async(2) wait
  for (int i = 0; i < 8; i++)
    a[i] = i;
#pragma acc kernels
  ;
}
`;

describe("a source with directives of which OpenMP says less", () => {
  it("comes back as it was, on one line", () => {
    const made = there(source);
    expect(made).toContain("{ /* acc: nothing */\n");
    const again = back(made);
    expect(again.outdated).toBe(undefined);
    expect(again.text.replace("#include <assert.h>\n#include <openacc.h>\n", "")).toBe(
      source.replace(" \\\n    copyout", " copyout"),
    );
  });

  test.each(["gcc", "clang-15"])("%s says nothing of the comments", (compiler) => {
    const args = ["-Wall", "-Wextra", "-Werror", "-Wno-unused", "-fopenmp", "-fsyntax-only", "-x", "c", "-"];
    // Without an assertion, as clang's package has no omp.h.
    const input = there(source.replace("present(", "copyin("));
    execFileSync(compiler, args, { input, stdio: "pipe" });
  });

  test.each([
    ["a clause of its directive was changed", "map(from: b[0:n])", "map(from: b[1:n - 1])"],
    [
      "a directive in it was",
      "#pragma omp target teams distribute parallel for map(alloc: total) /* acc: nothing */",
      "",
    ],
    ["another directive was added", "total += 1;", "{\n#pragma omp atomic\n total += 1; }"],
    ["the comment was", "acc: kernels copy(a[0:n])", "acc: kernels copyin(a[0:n])"],
    ["the code was", "b[i - 1];", "b[i];"],
  ])("comes back from OpenMP's words where %s", (_, was, now) => {
    const made = there(source);
    const changed = made.replace(was, now);
    expect(changed).not.toBe(made);
    const { text, outdated: line } = back(changed);
    expect(line).toBeGreaterThan(0);
    expect(text).not.toContain("acc:");
    expect(text).not.toContain("omp");
    expect(text).toContain("serial");
  });

  it("keeps what a person has added elsewhere", () => {
    const more = there(source).replace(
      "  int k;\n",
      "  int k;\n#pragma omp target teams distribute parallel for map(tofrom: a[0:n])\n  for (int i = 0; i < n; i++) a[i] = 0;\n",
    );
    const { text, outdated: line } = back(more);
    expect(line).toBe(undefined);
    expect(text).toContain("#pragma acc parallel loop copy(a[0:n])\n");
    expect(text).toContain("#pragma acc kernels copy(a[0:n]) copyout(b[0:n]) // two lines\n");
  });
});

describe("kept directives", () => {
  test("in an operator of a macro", () => {
    const made = there(
      '#define ALL _Pragma("acc kernels copy(a[0:9])") for (int i = 1; i < 9; i++)\nvoid f(int *a) {\n  _Pragma("acc kernels loop") for (int i = 0; i < 9; i++) a[i] = i;\n}\n',
    );
    expect(made).toContain(
      '_Pragma("omp target teams distribute parallel for map(tofrom: a[0:9])") /* acc: kernels loop */ for',
    );
    expect(back(made).text).toContain('_Pragma("acc kernels loop") for');
  });

  test("are none in strings, and in comments of lines", () => {
    const text = 'const char *s = "/* acc: nothing */"; // /* acc: kernels */\n/* x /* acc: nothing */\n';
    expect(keptIn(text)).toEqual([]);
    expect(withoutKeptComments(text)).toBe(text);
  });

  test("go with what they mark, or alone", () => {
    const text = "a;\n{ /* acc: nothing */\nb;\n  /* acc: loop auto */\n} /* acc: nothing */ c;\n";
    expect(keptIn(text).map(({ edit }) => [text.slice(edit.start, edit.end), edit.text])).toEqual([
      ["{ /* acc: nothing */\n", ""],
      ["/* acc: loop auto */", "#pragma acc loop auto"],
      [" /* acc: nothing */", ""],
    ]);
    expect(withoutKeptComments(text)).toBe("a;\n{\nb;\n} c;\n");
  });
});
