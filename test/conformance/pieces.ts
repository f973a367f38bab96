/**
 * The programs of this folder: many to a file, each begins with `//: SECTION what it shows`, and `//: refused CODE`
 * behind that where arc does not take it, `//: only WHERE (TEST)` where it is right on some devices, as that test shows, or `//: simulator cannot REASON` where Oclgrind is at fault.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export interface Piece {
  readonly file: string;
  /** Of the standard. */
  readonly section: string;
  readonly shows: string;
  readonly name: string;
  /** The code of the diagnostic that refuses it. */
  readonly refused?: string;
  /** Where alone it is right, and the test that shows it. */
  readonly only?: string;
  /** Oclgrind can run it. */
  readonly simulated: boolean;
  readonly line: number;
  readonly text: string;
}

export const languages = ["omp", "acc"] as const;
export type Language = (typeof languages)[number];

/** All of a language, in the order of their files. */
export function piecesOf(language: Language): readonly Piece[] {
  const folder = path.join(import.meta.dirname, language);
  return readdirSync(folder)
    .filter((file) => file.endsWith(".c"))
    .sort()
    .flatMap((file) => pieces(`${language}/${file}`, readFileSync(path.join(folder, file), "utf8")));
}

function pieces(file: string, text: string): Piece[] {
  const lines = text.split("\n");
  const starts = lines.flatMap((line, i) => (/^\/\/: \d/.test(line) ? [i] : []));
  return starts.map((start, i) => {
    const [head = "", ...own] = lines.slice(start, starts[i + 1]);
    const [, section = "", shows = ""] = /^\/\/: ([\d.]+) (.*)$/.exec(head) ?? [];
    const body = own.join("\n");
    const name = /^TEST\((\w+)\)/m.exec(body)?.[1];
    if (!name) throw new Error(`${file}:${start + 1}: no TEST`);
    const refused = /^\/\/: refused (.*)$/m.exec(body)?.[1];
    const only = /^\/\/: only (.*)$/m.exec(body)?.[1];
    const simulated = !/^\/\/: simulator cannot /m.test(body);
    return {
      simulated,
      file,
      section,
      shows,
      name,
      line: start + 2,
      text: body,
      ...(refused && { refused }),
      ...(only && { only }),
    };
  });
}

/** As a separate source, or together with others: lines are those of the file. */
export const sourceOf = (some: readonly Piece[]): string =>
  [
    `#include "${path.join(import.meta.dirname, "prelude.h")}"`,
    ...some.flatMap(({ line, file, text }) => [`#line ${line} "${file}"`, text]),
  ].join("\n");

/** Runs the pieces named by the arguments, or all, and reports for each whether it was right. */
export const mainOf = (some: readonly Piece[]): string => `#include <stdio.h>
#include <string.h>
${some.map(({ name }) => `int ${name}(void);`).join("\n")}
static const struct {
  const char *name;
  int (*run)(void);
} tests[] = {${some.map(({ name }) => `{"${name}", ${name}}`).join(", ")}};
int main(int argc, char **argv) {
  for (unsigned i = 0; i < sizeof tests / sizeof *tests; i++) {
    int wanted = argc < 2;
    for (int k = 1; k < argc; k++) wanted |= !strcmp(argv[k], tests[i].name);
    if (!wanted) continue;
    int line = tests[i].run();
    if (line) printf("%s: wrong at line %d\\n", tests[i].name, line);
    else printf("%s\\n", tests[i].name);
    fflush(stdout);
  }
}
`;
