/** Where the project is. Read by the launcher, so it imports nothing but what Node has loaded anyway. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** `wanted` (of `-C`), or the nearest folder upwards with an arc.yaml; else the current one, whose lack of it is then the error. */
export function findProjectFolder(cwd: string, wanted: string | undefined): string {
  if (wanted !== undefined) return resolve(cwd, wanted);
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "arc.yaml"))) return folder;
    if (dirname(folder) === folder) return cwd;
  }
}
