/** libarcrt's own files, wherever arc is installed. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { digestOf } from "../../core/build/key/digest.ts";
import type { ToolIdentity } from "../../core/build/model/action.ts";

export interface Headers {
  /** Absolute path; it is part of no key. */
  readonly folder: string;
  readonly identity: ToolIdentity;
}

/** Absolute folder with `include/`, `src/` and `serial/`. */
export const runtimeFolder = findRuntime();

/** Folder of the headers that translated and user code includes. */
export const runtimeHeaderFolder = join(runtimeFolder, "include");

/** Name under which actions that include the headers list them as a tool. */
export const runtimeHeaderTool = "libarcrt headers";

/** Identifies the headers by their contents. */
export function runtimeHeaders(): Headers {
  const contents = readdirSync(runtimeHeaderFolder)
    .sort()
    .map((file) => [file, readFileSync(join(runtimeHeaderFolder, file), "utf8")]);
  const identity = { name: runtimeHeaderTool, digest: digestOf(contents), version: "" };
  return { folder: runtimeHeaderFolder, identity };
}

/** Files in and below one of the runtime's folders, as `/`-separated names relative to the runtime. */
export function runtimeFiles(
  folder: "src" | "include" | "serial" | "tools" | "emulation" | "simulator" | "verilated",
  extension: ".c" | ".h" | ".cpp" | ".v",
): readonly string[] {
  return readdirSync(join(runtimeFolder, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(extension))
    .sort()
    .map((file) => `${folder}/${file}`);
}

/** Next to the bundle, or next to this room when arc is not bundled. */
function findRuntime(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const candidate = join(folder, "targets/runtime");
    if (existsSync(join(candidate, "include/arcrt.h"))) return candidate;
    if (folder === dirname(folder))
      throw new Error("arc's runtime library is not beside it: install arc again");
  }
}
