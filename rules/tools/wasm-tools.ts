/** Tools that npm packages provide as WebAssembly. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { digestOf } from "../../core/build/key/digest.ts";
import type { ToolIdentity } from "../../core/build/model/action.ts";

const require = createRequire(import.meta.url);

/** URL of a package's module; undefined if it is not installed. */
export function packageEntry(name: string): string | undefined {
  try {
    return pathToFileURL(require.resolve(name)).href;
  } catch {
    return undefined;
  }
}

/** A package is identified by its version: the contents of a published version never change. */
export function identifyPackage(name: string): ToolIdentity | undefined {
  const entry = packageEntry(name);
  if (entry === undefined) return undefined;
  for (let folder = dirname(fileURLToPath(entry)); folder !== dirname(folder); folder = dirname(folder)) {
    const found = manifestIn(folder);
    if (found?.name !== name) continue;
    const version = found.version ?? "";
    return { name, version, digest: digestOf([name, version]) };
  }
  return undefined;
}

function manifestIn(folder: string): { readonly name?: string; readonly version?: string } | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  } catch {
    return undefined;
  }
}
