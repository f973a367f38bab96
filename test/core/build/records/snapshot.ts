/** All that is in a folder: names, kinds, modes, bytes and where links lead. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

export function snapshot(folder: string, without: readonly string[] = []): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const visit = (inside: string): void => {
    for (const name of readdirSync(join(folder, inside)).sort()) {
      const path = join(inside, name);
      if (without.includes(path)) continue;
      const stat = lstatSync(join(folder, path));
      const mode = (stat.mode & 0o7777).toString(8);
      if (stat.isDirectory()) {
        found[path] = `folder ${mode}`;
        visit(path);
      } else if (stat.isSymbolicLink()) found[path] = `link ${readlinkSync(join(folder, path))}`;
      else found[path] = `file ${mode} ${readFileSync(join(folder, path), "latin1")}`;
    }
  };
  visit("");
  return found;
}
