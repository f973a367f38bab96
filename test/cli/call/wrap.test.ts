/** Lines for terminals: no word is cut, none is lost. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseArguments } from "../../../cli/call/arguments.ts";
import { commands } from "../../../cli/call/commands.ts";
import { helpText } from "../../../cli/call/help.ts";
import { wrapLine, wrapLines, wrapMessages } from "../../../cli/call/wrap.ts";
import { shellWords } from "../../../rules/tools/compiler.ts";

const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

describe("a line that does not fit", () => {
  it("is broken between words, each line within the width, no word lost", () => {
    const line = fc
      .array(fc.stringMatching(/^[a-z]{1,15}$/), { minLength: 1, maxLength: 40 })
      .map((list) => list.join(" "));
    fc.assert(
      fc.property(
        line,
        fc.integer({ min: 40, max: 120 }),
        fc.integer({ min: 0, max: 20 }),
        (text, width, indent) => {
          const wrapped = wrapLine(text, width, indent);
          for (const one of wrapped.split("\n")) expect(one.length).toBeLessThanOrEqual(width);
          expect(words(wrapped)).toEqual(words(text));
        },
      ),
    );
  });

  it("is continued below its text, and keeps the gaps in its head", () => {
    expect(wrapLine("ran     0.16 s  translate a.c for cpu:default with cc", 40, 16)).toBe(
      "ran     0.16 s  translate a.c for\n                cpu:default with cc",
    );
  });

  it("is measured without its colours", () => {
    const line = "\u001b[32mdone\u001b[39m: all of it";
    expect(wrapLine(line, 15, 2)).toBe(line);
  });
});

describe("what is printed on a terminal", () => {
  it("is wrapped where arc speaks, and left alone where a tool does", () => {
    const tool =
      "  a.c:3:7: error: something long that points at a column\n      |       ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n";
    const own = "arc: there is no such target in the project at all\n  try: one of those that there are\n";
    const finding =
      "a.c:3:7: note[levels-chosen]: this loop is shared out\n  3 | for (int index = 0; index < count; index++)\n";
    const wrapped = wrapMessages(`${own}${tool}`, 30);
    expect(wrapped).toBe(
      `arc: there is no such target\n     in the project at all\n  try: one of those that there\n       are\n${tool}`,
    );
    expect(wrapMessages(finding, 40)).toBe(
      finding.replace(" loop is shared out", " loop\n    is shared out"),
    );
    expect(wrapMessages(own, Number.POSITIVE_INFINITY)).toBe(own);
  });
});

it("continues each line further to the right than it begins", () => {
  expect(wrapLines("kernels of cpu:default/a\n  needs the translation of a.c\n", 24)).toBe(
    "kernels of cpu:default/a\n  needs the translation\n    of a.c\n",
  );
});

describe("help", () => {
  const texts = [undefined, ...commands.map(({ name }) => name)];

  it.each([40, 60, 80, 100])("fits %i columns with all its words", (width) => {
    for (const name of texts) {
      const narrow = helpText(name, width);
      expect(words(narrow)).toEqual(words(helpText(name)));
      for (const line of narrow.split("\n")) expect([line, line.length <= width]).toEqual([line, true]);
    }
  });

  it("has examples of every command that a person starts, and each is a call of it", () => {
    for (const { name, examples } of commands) {
      if (name !== "lsp" && name !== "completion") expect([name, examples.length > 0]).toEqual([name, true]);
      for (const [call] of examples) {
        expect(call).toMatch(new RegExp(`^arc ${name}( |$)`));
        // Refused options and too many arguments throw. What the shell does with a line is not arc's.
        const [own = ""] = call.split(/ (?:>>?|[|]|&&) /);
        expect(parseArguments(shellWords(own).slice(1))).toMatchObject({ command: name });
      }
    }
  });
});
