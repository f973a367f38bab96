/** Names of headers that a compiler read, through the rule of make that it writes. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { prerequisites } from "../../../rules/tools/make-rule.ts";
import { cases } from "../../cases.ts";

const folder = mkdtempSync(join(tmpdir(), "arc-rule-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Of characters that mean something in rules, to shells and to preprocessors. */
const name = fc
  .array(fc.constantFrom(..."ab \t\n\r\\#$:%*?'=;|ä😀"), { minLength: 1, maxLength: 6 })
  .map((letters) => letters.join(""));

describe("the rule of a file", () => {
  it("has all names that gcc read, whatever their letters", () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 8 }), (names) => {
        const files = names.map((name) => join(folder, `n${name}n`, "h.h"));
        for (const file of files) {
          mkdirSync(dirname(file), { recursive: true });
          writeFileSync(file, "");
        }
        const source = join(folder, "s.c");
        writeFileSync(source, "");
        const rule = join(folder, "rule");
        const includes = files.flatMap((file) => ["-include", file]);
        const words = ["-E", "-MD", "-MF", rule, "-MT", "unit", ...includes, source, "-o", "/dev/null"];
        expect(spawnSync("gcc", words).status).toBe(0);
        const read = prerequisites(readFileSync(rule, "utf8"));
        expect(read.filter((file) => file.startsWith(folder))).toEqual([source, ...files]);
      }),
      cases(20),
    );
  });

  it.each([
    ["unit: a.c b.h\n", ["a.c", "b.h"]],
    ["unit: a.c \\\n b.h \\\n  c.h\n", ["a.c", "b.h", "c.h"]],
    ["unit: a\\ b.c a\tb.h\n", ["a b.c", "a\tb.h"]],
    ["unit: a\\\\\\ b.c \\#.h $$.h\n", ["a\\ b.c", "#.h", "$.h"]],
    ["unit:\n", []],
  ])("of other compilers: %j", (text, names) => expect(prerequisites(text)).toEqual(names));
});
