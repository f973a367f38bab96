/** Marks in directives: words that stand in another file than the line that they were put into. */
import { expect, it } from "vitest";
import { lex } from "../../../../core/lang/preprocess/lexer.ts";
import { markOf, markText } from "../../../../core/lang/preprocess/mark.ts";

it.each(["d", "src/a.c.directives", 'a "b".c', "a\\b", "é.c", "a*/b.c"])(
  "a mark has the place that it was made of: %s",
  (file) => {
    const at = { file, line: 12, col: 7 };
    const text = markText(at);
    expect(text.match(/\*\//g)).toHaveLength(1);
    expect(markOf(` ${text} acc loop`)).toEqual({ of: "directive", at });
    expect(markOf(`acc loop ${text}gang`)).toEqual({ of: "clauses", at });
  },
);

const linesOf = (text: string) =>
  lex(text, "a.c", { expandPragmas: ["acc"] }).tokens.flatMap((token) => token.pragmas ?? []);

it("words behind a mark have its places, and the lines behind it their own", () => {
  const text = `#define N 4
#pragma acc loop ${markText({ file: "d", line: 3, col: 9 })}tile(N) ${markText({ file: "e", line: 1, col: 2 })}gang
int a;
#pragma ${markText({ file: "d", line: 8, col: 20 })} acc loop
int b;
`;
  const [first, second] = linesOf(text);
  expect(first?.written.map(({ loc, text: word }) => `${word} ${loc.file}:${loc.line}:${loc.col}`)).toEqual([
    "acc a.c:2:9",
    "loop a.c:2:13",
    "tile d:3:9",
    "( d:3:13",
    "N d:3:14",
    ") d:3:15",
    "gang e:1:2",
  ]);
  expect(first?.tokens.map((token) => token.text)).toContain("4");
  expect(first).toMatchObject({
    added: "clauses",
    start: { file: "a.c", line: 2, col: 1 },
    end: { file: "e", line: 1, col: 6 },
  });
  expect(second).toMatchObject({
    added: "directive",
    start: { file: "d", line: 8, col: 20 },
    end: { file: "d", line: 8, col: 29 },
  });
  const names = lex(text, "a.c").tokens.filter(({ kind }) => kind === "ident");
  expect(names.map(({ loc }) => [loc.file, loc.line, loc.col])).toEqual([
    ["a.c", 3, 5],
    ["a.c", 5, 5],
  ]);
});

it("comments that are no marks mean nothing", () => {
  const [line] = linesOf("#pragma acc /* 3:4 */ loop /*@ here */ gang\n");
  expect(line?.tokens.map(({ loc }) => loc.col)).toEqual([9, 23, 40]);
  expect(line?.added).toBeUndefined();
});
