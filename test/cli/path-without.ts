/** A PATH on which some programs are missing. */
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import path from "node:path";

/** Fills a folder with links to all programs of this machine but those, and returns it. */
export function pathWithout(folder: string, missing: RegExp): string {
  mkdirSync(folder, { recursive: true });
  for (const from of (process.env.PATH ?? "").split(":")) {
    if (!existsSync(from)) continue;
    const already = new Set(readdirSync(folder));
    for (const name of readdirSync(from))
      if (!missing.test(name) && !already.has(name))
        symlinkSync(path.join(from, name), path.join(folder, name));
  }
  return folder;
}
