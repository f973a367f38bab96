/** Macros of pragmas: C11 6.10.3 with GNU's variable arguments; gcc expands the same lines beside arc. */
import { spawnSync } from "node:child_process";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lex, parse, spellTokens } from "../../../core/lang/index.ts";
import { cases } from "../../cases.ts";
import { pragmas } from "./parsing.ts";

/** `line` as arc reads it where `defines` are in force. */
function expanded(defines: string, line: string): string {
  const found = lex(`${defines}\n#pragma ${line}\n`, "a.c", { expandPragmas: ["acc"] });
  return spellTokens(found.tokens[0]?.pragmas?.[0]?.tokens ?? []);
}

describe("macros in pragmas", () => {
  test("are expanded, object-like and function-like, nested", () => {
    expect(
      expanded("#define N 10\n#define TWICE(x) (2 * (x))\n#define M TWICE(N)", "acc loop num_gangs(M)"),
    ).toBe("acc loop num_gangs((2 * (10)))");
  });

  test("are those in force at the line", () => {
    const { tokens } = lex(
      "#define N 1\n#pragma acc a(N)\nx\n#undef N\n#pragma acc b(N)\ny\n#define N 2\n#pragma acc c(N)\nz\n",
      "a.c",
      { expandPragmas: ["acc"] },
    );
    const lines = tokens.flatMap((token) => token.pragmas ?? []).map((line) => spellTokens(line.tokens));
    expect(lines).toEqual(["acc a(1)", "acc b(N)", "acc c(2)"]);
  });

  test("do not expand inside themselves", () => {
    expect(expanded("#define a a + b\n#define b a", "acc x(a)")).toBe("acc x(a + a)");
  });

  test("paste and stringize their arguments unexpanded", () => {
    expect(
      expanded("#define N 3\n#define CAT(x, y) x##y\n#define STR(x) #x", "acc v(CAT(N, 4)) s(STR(N + 1))"),
    ).toBe('acc v(N4) s("N + 1")');
  });

  test("take variable arguments, and drop the comma before empty ones", () => {
    const defines =
      "#define LIST(...) copy(__VA_ARGS__)\n#define F(a, ...) f(a, ## __VA_ARGS__)\n#define G(x...) g(x)";
    expect(expanded(defines, "acc LIST(a, b[0:n]) F(1) F(1, 2) G(3, 4)")).toBe(
      "acc copy(a, b[0:n]) f(1) f(1, 2) g(3, 4)",
    );
  });

  test("with parameters stay when no parenthesis follows", () => {
    expect(expanded("#define F(x) x", "acc F F(1)")).toBe("acc F 1");
  });

  test("come back with pop_macro", () => {
    const text =
      '#define N 1\n#pragma push_macro("N")\n#undef N\n#define N 2\n#pragma pop_macro("N")\n#pragma acc a(N)\nx';
    const last = lex(text, "a.c", { expandPragmas: ["acc"] }).tokens[0]?.pragmas?.at(-1);
    expect(spellTokens(last?.tokens ?? [])).toBe("acc a(1)");
  });

  test("stay verbatim in namespaces that do not ask for expansion", () => {
    const { unit } = parse("#define N 8\nvoid f(void) {\n#pragma GCC unroll N\nfor (;;) ;\n}\n", {
      file: "a.c",
      expandPragmas: ["acc"],
    });
    expect(pragmas(unit).map(({ tokens }) => spellTokens(tokens))).toEqual(["GCC unroll N"]);
  });

  test("paste with an empty argument as with nothing", () => {
    const defines = "#define CAT(a, b) x a##b\n#define ALL(a, b, c) x a##b##c";
    expect(expanded(defines, "acc CAT(, 1) CAT(1, ) CAT(, ) ALL(1, , 2) ALL(, , 3)")).toBe(
      "acc x 1 x 1 x x 12 x 3",
    );
  });

  test("keep the comma before variable arguments that are there and empty", () => {
    const defines = "#define F(a, ...) f(a, ## __VA_ARGS__)\n#define G(...) g(1 __VA_OPT__(,) __VA_ARGS__)";
    expect(expanded(defines, "acc F(1) F(1, ) F(1, 2) G() G(2)")).toBe("acc f(1) f(1,) f(1, 2) g(1) g(1, 2)");
  });

  test("expand again in a call that begins in their replacement and ends after it", () => {
    expect(expanded("#define F(a) a * G\n#define G(a) F(a)", "acc x(F(2)(9))")).toBe("acc x(2 * 9 * G)");
    expect(expanded("#define LEFT (\n#define ID(x) x", "acc x(ID(ID LEFT 1)))")).toBe("acc x(ID ( 1))");
  });

  test("expand in a call that begins in an argument once the argument is read", () => {
    const defines = "#define A G G((1)) A\n#define ID(p) p\n#define G(p) p A";
    expect(expanded(defines, "acc x(ID(A))")).toBe("acc x(1 G G((1)) A A A)");
  });

  test.each([
    ["acc G(1)", "macro `G` takes 2 arguments and is given 1"],
    ["acc G(1, 2, 3)", "macro `G` takes 2 arguments and is given 3"],
    ["acc V()", "macro `V` takes 2 arguments at least and is given 1"],
    ["acc G(1, (2)", "the arguments of macro `G` do not end"],
  ])("are faults where they are called as they are not defined: %s", (line, message) => {
    const text = `#define G(p, q) p\n#define V(p, q, ...) p\n#pragma ${line}\n`;
    const { diagnostics } = lex(text, "a.c", { expandPragmas: ["acc"] });
    expect(diagnostics).toMatchObject([
      { severity: "error", code: "macro-call", message, loc: { line: 3, col: 13 } },
    ]);
  });
});

describe("macros of random definitions", () => {
  /** Four macros, two of them with parameters, and a line that uses them. */
  interface Case {
    readonly defines: readonly string[];
    readonly line: string;
  }

  const words = (...choices: fc.WeightedArbitrary<string>[]): fc.Arbitrary<string> =>
    fc.array(fc.oneof(...choices), { minLength: 1, maxLength: 6 }).map((all) => all.join(" "));
  const plain = { weight: 6, arbitrary: fc.constantFrom("A", "B", "F", "G", "V", "x", "1", "+", ",", "L") };
  const calls = {
    weight: 5,
    arbitrary: fc.constantFrom(
      ...[
        "F(A)",
        "G(B, x)",
        "F(F(y))",
        "G(A, F(1))",
        "F ( x + A )",
        "G((x, y), B)",
        "V(A)",
        "V()",
        "V(B, , F)",
      ],
      ...["F L A )", "(A)", "(B, y)", ")", "F(G)(1, A)"],
    ),
  };
  const operands = {
    weight: 5,
    arbitrary: fc.constantFrom(
      "p",
      "q",
      "# p",
      "#q",
      "p ## q",
      "p ## 1",
      "x ## q",
      "p ## q ## p",
      "F(p)",
      "p (q)",
    ),
  };
  const variable = {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...[
        "__VA_ARGS__",
        "#__VA_ARGS__",
        ", ## __VA_ARGS__",
        "F(__VA_ARGS__)",
        "__VA_OPT__(,)",
        "__VA_OPT__(p x)",
      ],
    ),
  };
  const text = words(plain, calls);
  const aCase: fc.Arbitrary<Case> = fc
    .record({ a: text, b: text, f: words(plain, calls, operands), g: words(plain, calls, operands) })
    .chain(({ a, b, f, g }) =>
      fc.record({ v: words(plain, operands, variable), line: text }).map(({ v, line }) => ({
        defines: [
          `A ${a}`,
          `B ${b}`,
          `F(p) ${f.replace(/\bq\b/g, "p")}`,
          `G(p, q) ${g}`,
          `V(p, ...) ${v.replace(/\bq\b/g, "p")}`,
          "L (",
        ],
        line,
      })),
    );

  /** Where an empty replacement left white space, compilers differ in what `#` makes of it. */
  const withoutSpace = (text: string): string => text.replace(/ /g, "");
  const tokensOf = (line: string): string[] =>
    lex(line, "line.c")
      .tokens.filter(({ kind }) => kind !== "end")
      .map((token) => withoutSpace(token.text));

  /** Closes the calls that `L` opened, so that none continues in the lines of the next case. */
  const CLOSED = ")".repeat(12);

  /** Each line as gcc expands it; undefined where it finds a fault in a macro. */
  function byGcc(all: readonly Case[]): (string[] | undefined)[] {
    const input: string[] = [];
    const lines = all.map(({ defines, line }, i) => {
      input.push(...defines.map((define) => `#define ${define}`), `begin_${i}`);
      const at = input.push(`${line} ${CLOSED}`);
      input.push(`end_${i}`, ...["A", "B", "F", "G", "V", "L"].map((name) => `#undef ${name}`));
      return at;
    });
    const { stdout, stderr } = spawnSync("gcc", ["-E", "-P", "-x", "c", "-"], {
      input: `${input.join("\n")}\n`,
      encoding: "utf8",
    });
    const faulty = new Set([...stderr.matchAll(/^<stdin>:(\d+):/gm)].map((found) => Number(found[1])));
    const made = new Map(
      [...stdout.matchAll(/^begin_(\d+)\n([^_]*)\nend_\1$/gm)].map((found) => [Number(found[1]), found[2]]),
    );
    return all.map(({ defines }, i) => {
      const [text, line] = [made.get(i), lines[i] as number];
      const isFaulty = Array.from({ length: defines.length + 2 }, (_, back) => line - back).some((at) =>
        faulty.has(at),
      );
      return text === undefined || isFaulty ? undefined : tokensOf(text);
    });
  }

  test("expand as gcc expands them", () => {
    let [tried, compared] = [0, 0];
    // One run of gcc for many cases.
    const property = fc.property(fc.array(aCase, { minLength: 1, maxLength: 80, size: "max" }), (all) => {
      byGcc(all).forEach((wanted, i) => {
        const { defines, line } = all[i] as Case;
        const macros = defines.map((define) => `#define ${define}`).join("\n");
        const [pragma] = lex(`${macros}\n#pragma acc ${line} ${CLOSED}\n`, "a.c", {
          expandPragmas: ["acc"],
        }).tokens;
        const found = pragma?.pragmas?.[0]?.tokens.slice(1).map((token) => withoutSpace(token.text));
        tried++;
        if (!wanted) return;
        compared++;
        expect({ macros, line, found }).toEqual({ macros, line, found: wanted });
      });
    });
    fc.assert(property, cases(6));
    expect(compared).toBeGreaterThan(tried / 4);
  });
});
