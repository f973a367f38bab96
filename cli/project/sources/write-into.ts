import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Writes files below a folder, which is made, too. `name`: a path from there. */
export function writeInto(
  folder: string,
  files: readonly { readonly name: string; readonly text: string }[],
): void {
  mkdirSync(folder, { recursive: true });
  for (const { name, text } of files) {
    const at = path.join(folder, name);
    mkdirSync(path.dirname(at), { recursive: true });
    writeFileSync(at, text);
  }
}
