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

/**
 * For the C compiler, before all other options: wrappers of compilers (Nix's, conda's, Cray's), CPATH and a project's own
 * folders may lead to another `omp.h` or `openacc.h`, whose types and constants are not arc's.
 */
export const runtimeHeaderOptions: readonly string[] = ["-I", runtimeHeaderFolder];

/** Name under which actions that include the headers list them as a tool. */
export const runtimeHeaderTool = "libarcrt headers";

/** Identified by their contents. Installed files stay as they are while arc runs, and every source's plan asks for them. */
let headers: Headers | undefined;

export function runtimeHeaders(): Headers {
  headers ??= { folder: runtimeHeaderFolder, identity: identifyHeaders() };
  return headers;
}

function identifyHeaders(): ToolIdentity {
  const contents = readdirSync(runtimeHeaderFolder)
    .sort()
    .map((file) => [file, readFileSync(join(runtimeHeaderFolder, file), "utf8")]);
  return { name: runtimeHeaderTool, digest: digestOf(contents), version: "" };
}

type RuntimeFolder = "src" | "include" | "serial" | "tools" | "emulation" | "simulator" | "verilated";

const listed = new Map<RuntimeFolder, readonly string[]>();

/** Files in and below one of the runtime's folders, as `/`-separated names relative to the runtime. */
export function runtimeFiles(
  folder: RuntimeFolder,
  extension: ".c" | ".h" | ".cpp" | ".v",
): readonly string[] {
  const files = listed.get(folder) ?? listFiles(folder);
  listed.set(folder, files);
  return files.filter((file) => file.endsWith(extension));
}

const listFiles = (folder: RuntimeFolder): readonly string[] =>
  readdirSync(join(runtimeFolder, folder), { recursive: true, encoding: "utf8" })
    .sort()
    .map((file) => `${folder}/${file}`);

/** Next to the bundle, or next to this room when arc is not bundled. */
function findRuntime(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const candidate = join(folder, "targets/runtime");
    if (existsSync(join(candidate, "include/arcrt.h"))) return candidate;
    if (folder === dirname(folder))
      throw new Error("arc's runtime library is not beside it: install arc again");
  }
}
