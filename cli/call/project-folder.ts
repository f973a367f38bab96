/** Finds the project's folder. The launcher uses this, so it imports only modules that Node has loaded anyway. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * The folder `requested` (given by `-C`), else the nearest folder upwards with an arc.yaml, else the current folder, where
 * the missing arc.yaml is then reported.
 */
export function findProjectFolder(cwd: string, requested: string | undefined): string {
  if (requested !== undefined) return resolve(cwd, requested);
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "arc.yaml"))) return folder;
    if (dirname(folder) === folder) return cwd;
  }
}
