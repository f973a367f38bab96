/** libarcrt's own files, wherever arc is installed. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { digestOf } from "../../core/build/key/digest.ts";
import type { ToolIdentity } from "../../core/build/model/action.ts";

export interface Headers {
  /** Absolute: locates, is in no key. */
  readonly folder: string;
  readonly identity: ToolIdentity;
}

/** Absolute folder with `include/`, `src/` and `serial/`. */
export const runtimeFolder = findRuntime();

/** Where the headers are that translated and user code includes. */
export const runtimeHeaderFolder = join(runtimeFolder, "include");

/** What actions that include them name as their tool. */
export const runtimeHeaderTool = "libarcrt headers";

/** Reads them all. */
export function runtimeHeaders(): Headers {
  const contents = readdirSync(runtimeHeaderFolder)
    .sort()
    .map((file) => [file, readFileSync(join(runtimeHeaderFolder, file), "utf8")]);
  const identity = { name: runtimeHeaderTool, digest: digestOf(contents), version: "" };
  return { folder: runtimeHeaderFolder, identity };
}

/** Files in one of the runtime's folders and below it, as `/`-separated names below the runtime's own. */
export function runtimeFiles(
  folder: "src" | "include" | "serial" | "tools" | "emulation" | "simulator" | "verilated",
  extension: ".c" | ".h" | ".cpp" | ".v",
): readonly string[] {
  return readdirSync(join(runtimeFolder, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(extension))
    .sort()
    .map((file) => `${folder}/${file}`);
}

/** Beside the bundle when it is built, beside this room when it is not. */
function findRuntime(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const candidate = join(folder, "targets/runtime");
    if (existsSync(join(candidate, "include/arcrt.h"))) return candidate;
    if (folder === dirname(folder))
      throw new Error("arc's runtime library is not beside it: install arc again");
  }
}
