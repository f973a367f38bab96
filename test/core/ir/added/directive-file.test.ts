/** The text of directive files: entries, comments, and each mistake at its own place. */
import { describe, expect, it } from "vitest";
import { directiveFileOf, readDirectiveFile } from "../../../../core/ir/added/directive-file.ts";

const read = (text: string) => readDirectiveFile(text, "a.c.directives");

describe("an entry", () => {
  it.each([
    [
      "blur region 1: vector_length(64)",
      { function: "blur", of: "region", number: 1 },
      "clauses",
      "vector_length(64)",
      16,
    ],
    ["blur region: gang", { function: "blur", of: "region" }, "clauses", "gang", 14],
    [
      "  blur  loop  12 :gang vector  ",
      { function: "blur", of: "loop", number: 12 },
      "clauses",
      "gang vector",
      19,
    ],
    [
      "blur loop 2: #pragma acc loop vector",
      { function: "blur", of: "loop", number: 2 },
      "directive",
      " acc loop vector",
      21,
    ],
    [
      "clamp: #pragma acc routine seq",
      { function: "clamp", of: "function" },
      "directive",
      " acc routine seq",
      15,
    ],
    [
      "clamp:# pragma\tomp declare target",
      { function: "clamp", of: "function" },
      "directive",
      "\tomp declare target",
      15,
    ],
    [
      "f region 1: if(x == ':') // why",
      { function: "f", of: "region", number: 1 },
      "clauses",
      "if(x == ':')",
      13,
    ],
    [
      'f region 1: bind("//x") /* : */\r',
      { function: "f", of: "region", number: 1 },
      "clauses",
      'bind("//x") /* : */',
      13,
    ],
    ["loop loop 1: seq", { function: "loop", of: "loop", number: 1 }, "clauses", "seq", 14],
  ] as const)("%s", (line, anchor, is, text, col) => {
    const at = { file: "a.c.directives", line: 1, col };
    expect(read(line)).toMatchObject({
      additions: [{ anchor, is, text, at: { text: at } }],
      diagnostics: [],
    });
  });

  it("stands on a line of its own, between comments and blank lines", () => {
    const { additions, diagnostics } = read(
      "\uFEFF# tuned by hand\n#\n//f loop 1: #pragma acc loop\n\n   # and\n f loop 1: gang\n\t\n// x\ng loop 1: seq",
    );
    expect(diagnostics).toEqual([]);
    expect(additions.map(({ at, text }) => [at?.location.line, at?.location.col, text])).toEqual([
      [6, 2, "gang"],
      [9, 1, "seq"],
    ]);
  });
});

describe("a mistake is told where it stands", () => {
  it.each([
    ["#pragma acc loop", "1:1: this entry does not say where its directive belongs"],
    ["blur", "1:1: this is no entry of a directive file"],
    [" blur region 1 vector", "1:2: this is no entry of a directive file"],
    [": vector", "1:1: this is no entry of a directive file"],
    ["blur lop 1: vector", "1:6: there is no place 'lop' in a function"],
    ["blur loop  zwei: vector", "1:12: 'zwei' is no number of a loop"],
    ["blur region 0: vector", "1:13: '0' is no number of a region"],
    ["blur: vector", "1:7: a function by itself has no directive that takes clauses"],
    ["blur loop 1:", "1:13: here clauses are expected, or `#pragma` and a directive"],
    ["blur loop 1: 64", "1:14: here clauses are expected, or `#pragma` and a directive"],
    ["blur loop 1: #pragma", "1:21: this directive has no words"],
    ["blur loop 1: #pragma GCC ivdep", "1:22: arc reads no directives of 'GCC'"],
    ["blur loop 1: gang(2", "1:18: this parenthesis is not closed"],
    ["blur loop 1: gang(2))", "1:21: this parenthesis closes nothing"],
    ["blur loop 1: gang /* x", "1:19: this comment does not end in its line"],
    ['blur loop 1: bind("x)', "1:19: this literal does not end in its line"],
    ["blur loop 1: gang \\", "1:19: an entry does not go on in the next line"],
  ])("%s", (line, expected) => {
    const { additions, diagnostics } = read(line);
    expect(additions).toEqual([]);
    expect(diagnostics.map(({ loc, message }) => `${loc.line}:${loc.col}: ${message}`)).toEqual([expected]);
    expect(diagnostics[0]).toMatchObject({ severity: "error", code: "directive-file" });
    expect(diagnostics[0]?.remedy).toMatch(/\w/);
  });

  it("and hides none of the others", () => {
    expect(read("x\nf loop 1: seq\ny\n").diagnostics.map(({ loc }) => loc.line)).toEqual([1, 3]);
  });
});

it("belongs to the source whose name it begins with", () => {
  expect(directiveFileOf("src/a.c")).toBe("src/a.c.directives");
});
