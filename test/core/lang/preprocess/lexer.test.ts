import { describe, expect, test } from "vitest";
import { lex } from "../../../../core/lang/index.ts";

const texts = (text: string): string[] =>
  lex(text, "a.c")
    .tokens.slice(0, -1)
    .map((token) => token.text);
const places = (text: string): string[] =>
  lex(text, "a.c")
    .tokens.slice(0, -1)
    .map(({ loc, text: spelling }) => `${loc.file}:${loc.line}:${loc.col} ${spelling}`);

describe("the lexer", () => {
  test("takes the longest punctuator", () => {
    expect(texts("a+++b<<=c->d...e>>f")).toEqual([
      "a",
      "++",
      "+",
      "b",
      "<<=",
      "c",
      "->",
      "d",
      "...",
      "e",
      ">>",
      "f",
    ]);
  });

  test("replaces digraphs by their meaning", () => {
    expect(texts("a<:1:> <% %>")).toEqual(["a", "[", "1", "]", "{", "}"]);
  });

  test("keeps a number with exponent signs, hexadecimal points and suffixes in one token", () => {
    expect(texts("1e-5f 0x1.8p+3 .5L 1..2 0xFFul 1.0i")).toEqual([
      "1e-5f",
      "0x1.8p+3",
      ".5L",
      "1..2",
      "0xFFul",
      "1.0i",
    ]);
  });

  test("keeps escaped quotes and prefixes inside literals", () => {
    expect(texts(String.raw`"a\"b" L'\'' u8"x" U"y" 'ab'`)).toEqual([
      String.raw`"a\"b"`,
      String.raw`L'\''`,
      'u8"x"',
      'U"y"',
      "'ab'",
    ]);
  });

  test("reads identifiers with letters beyond ASCII, dollar signs and universal character names", () => {
    expect(texts(String.raw`größe caf\u00e9 a$b`)).toEqual(["größe", String.raw`caf\u00e9`, "a$b"]);
  });

  test("gives spellings of a keyword one text", () => {
    expect(texts("__const const __inline__ __volatile__ __typeof typeof")).toEqual([
      "const",
      "const",
      "inline",
      "volatile",
      "__typeof__",
      "__typeof__",
    ]);
  });

  test("follows line markers of both forms", () => {
    expect(places('# 7 "b.h" 1 3\nx\n#line 40\ny\n# 3 "a.c" 2\n  z')).toEqual([
      "b.h:7:1 x",
      "b.h:40:1 y",
      "a.c:3:3 z",
    ]);
  });

  test("counts columns in bytes", () => {
    expect(places('"é" x // ü\ny')).toEqual(['a.c:1:1 "é"', "a.c:1:6 x", "a.c:2:1 y"]);
  });

  test("names the main file by the first marker, not by <built-in>", () => {
    expect(lex('# 0 "src/main.c"\n# 0 "<built-in>"\nint x;', "-").mainFile).toBe("src/main.c");
  });

  test("resolves octal escapes in file names as bytes of UTF-8", () => {
    expect(places(`${String.raw`# 1 "gr\303\266\303\237e.c"`}\nx`)).toEqual(["größe.c:1:1 x"]);
  });

  test("skips comments and counts their lines", () => {
    expect(places("a /* one\ntwo */ b // three\nc")).toEqual(["a.c:1:1 a", "a.c:2:8 b", "a.c:3:1 c"]);
  });

  test("joins lines after a backslash in directives", () => {
    const { tokens } = lex("#pragma acc loop \\\n gang\nx", "a.c");
    expect(tokens[0]?.pragmas?.[0]?.tokens.map(({ text }) => text)).toEqual(["acc", "loop", "gang"]);
    expect(tokens[0]?.loc.line).toBe(3);
  });

  test.each([
    ['"abc\nx', "1:1 unterminated-literal"],
    ["a /* b", "1:3 unterminated-comment"],
    ["a @ b", "1:3 stray-character"],
    ["#include <stdio.h>\n", "1:1 not-preprocessed"],
  ])("reports the fault in %j and goes on", (text, fault) => {
    const { diagnostics } = lex(text, "a.c");
    expect(diagnostics.map(({ loc, code }) => `${loc.line}:${loc.col} ${code}`)).toEqual([fault]);
  });
});
