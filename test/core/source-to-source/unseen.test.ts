/** Directives that the preprocessor took away: a translation that passed over them would differ with other -D options. */
import { describe, expect, it } from "vitest";
import { normalise } from "../../../core/ir/normalise/normalise.ts";
import { readDirectives } from "../../../core/ir/read/read.ts";
import { parse } from "../../../core/lang/index.ts";
import { translateSource } from "../../../core/source-to-source/translate.ts";

const region = "#pragma omp target\n{ }\n";
const directives: readonly (readonly [directive: string, of: string])[] = [
  ["declare mapper(struct s v) map(v.x)", ""],
  ["declare reduction(add: int: omp_out += omp_in)", ""],
  ["declare simd", "int g(int);"],
  ["declare variant(other) match(construct={target})", "int h(int);"],
  ["declare target", ""],
  ["begin declare target", ""],
  ["target enter data map(to: n)", ""],
];

/** What is refused as not read, by its line: `taken` and untaken branches of #if hold the same directive. */
function unread(directive: string, of: string, taken: boolean): readonly number[] {
  const there = `#pragma omp ${directive}\n${of}\n`;
  const lines = ["struct s { int x; }; int other(int); int n;", "#if 0", ...there.split("\n"), "#endif"];
  const code = `void f(void) {\n${region}}`;
  const text = [...lines, ...(taken ? there.split("\n") : []), code].join("\n");
  const left = text.replace(/#if[\s\S]*?#endif/, (branch) => branch.replace(/[^\n]/g, ""));
  const parsed = parse(left, { file: "test.c" });
  expect(parsed.diagnostics).toEqual([]);
  const program = normalise(readDirectives(parsed.unit));
  const source = { file: "test.c", text, parsed, program };
  const { diagnostics } = translateSource(source, { to: "openacc", openmp: "5.0", map: "default" });
  return diagnostics.flatMap(({ code: what, loc }) => (what === "directive-not-read" ? [loc.line] : []));
}

describe("a directive in a branch of #if that is not taken is named", () => {
  it.each(directives)("%s", (directive, of) => {
    expect(unread(directive, of, false)).toEqual([3]);
  });

  it.each(directives.filter(([directive]) => /^declare (?!target)/.test(directive)))(
    "also where another one is taken: %s",
    (directive, of) => {
      expect(unread(directive, of, true)).toEqual([3]);
    },
  );
});
