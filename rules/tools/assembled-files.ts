/** Files that the assembler reads for `.incbin` and `.include` in a unit's asm statements. */

interface AssembledFiles {
  readonly names: readonly string[];
  /** Position of the first statement with a file name that only the assembler can determine. */
  readonly unclear?: DirectiveLocation;
}

export interface DirectiveLocation {
  readonly file: string;
  readonly line: number;
  readonly col: number;
  readonly directive: string;
}

/** The template of an asm statement: adjacent string literals. */
const template =
  /\b(?:asm|__asm|__asm__)\s*(?:(?:volatile|__volatile__|__volatile|goto|inline|__inline__)\s*)*\(\s*((?:"(?:[^"\\\n]|\\.)*"\s*)+)/g;
const literal = /"((?:[^"\\\n]|\\.)*)"/g;
const reads = /\.(incbin|include)\b(?:\s*"([^"\n]*)")?/g;

/** `unit` is preprocessed text. */
export function assembledFiles(unit: string): AssembledFiles {
  if (!/\.inc(?:bin|lude)\b/.test(unit)) return { names: [] };
  const names = new Set<string>();
  let unclear: DirectiveLocation | undefined;
  for (const match of unit.matchAll(template)) {
    const text = [...(match[1] ?? "").matchAll(literal)].map(([, part = ""]) => unescaped(part)).join("");
    // In an assembler macro the name may contain a parameter.
    for (const [, directive = "", name] of text.matchAll(reads))
      if (name === undefined || name.includes("\\"))
        unclear ??= { ...locationOf(unit, match.index), directive };
      else names.add(name);
  }
  return { names: [...names], ...(unclear && { unclear }) };
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t" };

const unescaped = (text: string): string => text.replace(/\\(.)/g, (_, c: string) => escapes[c] ?? c);

/** Position according to the last line marker before it. */
function locationOf(unit: string, offset: number): Omit<DirectiveLocation, "directive"> {
  const before = unit.slice(0, offset);
  const marker = [...before.matchAll(/^# (\d+) "([^"\n]*)".*\n/gm)].at(-1);
  const start = marker === undefined ? 0 : marker.index + marker[0].length;
  const lines = before.slice(start).split("\n");
  return {
    file: marker?.[2] ?? "",
    line: Number(marker?.[1] ?? 1) + lines.length - 1,
    col: (lines.at(-1) ?? "").length + 1,
  };
}

/** Folders that options add to the assembler's search path, in order. */
export function assemblerFolders(options: readonly string[]): readonly string[] {
  const own = options.flatMap((option, k) =>
    option.startsWith("-Wa,") ? option.split(",").slice(1) : options[k - 1] === "-Xassembler" ? [option] : [],
  );
  return own.flatMap((word, k) => {
    if (word === "-I") return own[k + 1] ?? [];
    return word.startsWith("-I") ? [word.slice(2)] : [];
  });
}
