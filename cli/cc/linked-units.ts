/** Finds the translation units that went into a link: those of its objects and of the archive members it took. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { readArchive } from "../../rules/tools/elf.ts";
import { type KeptUnit, keptUnits } from "../../rules/tools/kept-units.ts";

/** Parses the linker's output for `--trace` given twice: one file per line, `archive(member)` or `(archive)member`. */
export function linkedUnits(trace: string, cwd: string): readonly KeptUnit[] {
  const units: KeptUnit[] = [];
  const archives = new Map<string, ReturnType<typeof readArchive>>();
  const seen = new Set<string>();
  for (const line of trace.split("\n")) {
    if (line === "" || seen.has(line)) continue;
    seen.add(line);
    const [, archive, member] = /^\((.+)\)(.+)$/.exec(line) ?? /^(.+\.a)\((.+)\)$/.exec(line) ?? [];
    if (archive === undefined || member === undefined) {
      if (line.endsWith(".a")) continue;
      units.push(...unitsOf(path.resolve(cwd, line)));
      continue;
    }
    const file = path.resolve(cwd, archive);
    const members = archives.get(file) ?? readArchive(read(file));
    archives.set(file, members);
    for (const one of members) if (one.name === member) units.push(...keptUnits(one.bytes));
  }
  return units;
}

const unitsOf = (file: string): readonly KeptUnit[] => keptUnits(read(file));

/** Linker scripts and missing files have no units. */
function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}
