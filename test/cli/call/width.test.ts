/** Columns of text with letters of East Asia, marks and emoji, and what is cut and aligned by them. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { cut, widthOf } from "../../../cli/call/width.ts";
import { wrapWords } from "../../../cli/call/wrap.ts";
import { columns } from "../../../cli/show/columns.ts";
import { fitted } from "../../../cli/show/fit.ts";
import { shortTitles } from "../../../cli/ui/short-titles.ts";

/** Letters, and the columns that terminals give them. */
const letters: readonly (readonly [letter: string, width: number])[] = [
  ["a", 1],
  ["é", 1],
  ["e\u0301", 1],
  ["µ", 1],
  ["…", 1],
  ["日", 2],
  ["한", 2],
  ["ｶ\uff9e", 2],
  ["नि", 2],
  ["ก็", 1],
  ["👍", 2],
  ["👍🏽", 2],
  ["👨‍👩‍👧", 2],
  ["🇩🇪", 2],
  ["❤️", 2],
  ["𝒳", 1],
  ["\u200b", 0],
];

it.each(letters)("%s takes %i", (letter, width) => expect(widthOf(letter)).toBe(width));

// Between letters stands what joins none of them.
const name = fc
  .array(fc.constantFrom(...letters), { minLength: 1, maxLength: 30 })
  .map((all) => ({ text: all.map(([letter]) => letter).join("-"), width: sumOf(all) + all.length - 1 }));
const sumOf = (all: readonly (readonly [string, number])[]): number =>
  all.reduce((sum, [, width]) => sum + width, 0);

it("text is as wide as its letters, and what is cut fits", () => {
  fc.assert(
    fc.property(name, fc.nat(60), ({ text, width }, room) => {
      expect(widthOf(text)).toBe(width);
      const start = cut(text, room);
      expect(widthOf(start)).toBe(Math.min(room, width));
      // Nothing but a blank in place of half a letter.
      expect(text.startsWith(start.replace(/ $/, ""))).toBe(true);
    }),
  );
});

it("titles are shortened to the room that there is, and no letter is torn", () => {
  fc.assert(
    fc.property(
      fc.array(name, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 0, max: 60 }),
      (names, room) => {
        const titles = names.map(({ text }) => text);
        for (const [i, short] of shortTitles(
          titles,
          titles.map(() => room),
        ).entries()) {
          expect(widthOf(short)).toBe(Math.min(room, names[i]?.width ?? 0));
          expect(() => encodeURIComponent(short)).not.toThrow();
        }
      },
    ),
  );
});

it("cells stand below each other, and rows that can be wrapped fit", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(name, name), { minLength: 1, maxLength: 6 }), (rows) => {
      const cells = rows.map(([a, b]) => [a.text, b.text]);
      const at = new Set(
        columns(cells)
          .split("\n")
          .slice(0, -1)
          .map((line, i) => widthOf(line) - (rows[i]?.[1].width ?? 0)),
      );
      // Blanks at the end are left out, and so is a cell of no width.
      if (rows.every(([, { width }]) => width > 0)) expect(at.size).toBe(1);
      const words = rows.map(([a, b]) => [a.text.replaceAll("-", " "), b.text.replaceAll("-", " ")]);
      for (const line of fitted([["x", "y"], ...words], 60).split("\n"))
        expect(widthOf(line)).toBeLessThanOrEqual(60);
      for (const line of wrapWords(words.flat().join(" "), 20)) expect(widthOf(line)).toBeLessThanOrEqual(20);
    }),
  );
});
