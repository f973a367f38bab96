/** The C programs of this folder and what their comments ask for; README.md defines the vocabulary. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export interface Program {
  readonly name: string;
  /** One sentence: what it shows. */
  readonly shows: string;
  readonly sources: readonly string[];
  readonly args: readonly string[];
  /** At least one region runs with more than one work-item. */
  readonly parallel: boolean;
  readonly async: boolean;
  readonly noRegion: boolean;
  readonly prints: readonly string[];
  /** It must fail, with this text in its message. */
  readonly aborts?: string;
  readonly directivesNeeded: boolean;
  readonly gccCannot: boolean;
  /** C compilers warn about it, and the warning cannot be disabled. */
  readonly warns: boolean;
}

/** The construct programs of a folder: `acc`, from where this file is. */
export function programsIn(folder: string): readonly Program[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || entry.name.endsWith(".c"))
    .map((entry) =>
      readProgram(path.basename(entry.name, ".c"), path.join(folder, entry.name), entry.isDirectory()),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readProgram(name: string, at: string, isFolder: boolean): Program {
  const sources = isFolder
    ? readdirSync(at)
        .filter((file) => file.endsWith(".c"))
        .map((file) => path.join(at, file))
    : [at];
  const main = isFolder ? path.join(at, "main.c") : at;
  const [first = "", second = ""] = readFileSync(main, "utf8").split("\n", 2);
  const words = second.startsWith("// arc:") ? second.slice("// arc:".length).split(",") : [];
  const asked = words.map((word) => word.trim());
  for (const word of asked)
    if (!isWord(word)) throw new Error(`${main}: '${word}' is not a word of README.md`);
  const values = (key: string) =>
    asked.filter((w) => w.startsWith(`${key} `)).map((w) => w.slice(key.length + 1));
  const [aborts] = values("aborts");
  return {
    name,
    shows: first.replace(/^\/\/ /, ""),
    sources,
    args: values("args").flatMap((list) => list.split(" ")),
    parallel: asked.includes("items>1"),
    async: asked.includes("async"),
    noRegion: asked.includes("no-region"),
    prints: values("prints"),
    ...(aborts !== undefined && { aborts }),
    directivesNeeded: asked.includes("directives-needed"),
    gccCannot: values("gcc-cannot").length > 0,
    warns: asked.includes("warns"),
  };
}

function isWord(word: string): boolean {
  return (
    ["items>1", "async", "no-region", "directives-needed", "warns"].includes(word) ||
    /^(prints|aborts|gcc-cannot|gcc-offload-cannot|args) ./.test(word)
  );
}

interface Mistake {
  readonly name: string;
  readonly shows: string;
  readonly source: string;
  /** `LINE:COL: severity[code]`, in the order in which they must be reported. */
  readonly expected: readonly string[];
  /** What the first diagnostic's remedy must mention. */
  readonly remedy?: string;
}

/** The programs of a folder with one mistake each: `bad`. */
export function mistakesIn(folder: string): readonly Mistake[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".c"))
    .sort()
    .map((file) => readMistake(path.join(folder, file)));
}

function readMistake(source: string): Mistake {
  const lines = readFileSync(source, "utf8").split("\n");
  const values = (key: string) =>
    lines.filter((line) => line.startsWith(`// ${key}: `)).map((line) => line.slice(key.length + 5));
  const [remedy] = values("remedy");
  return {
    name: path.basename(source, ".c"),
    shows: (lines[0] ?? "").replace(/^\/\/ /, ""),
    source,
    expected: values("expect").map((e) => e.replace(" ", ": ")),
    ...(remedy !== undefined && { remedy }),
  };
}
