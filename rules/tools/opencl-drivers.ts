/** The system's OpenCL drivers, found in the same way as by the ICD loader. */
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { digestOf } from "../../core/build/key/digest.ts";
import type { ToolIdentity } from "../../core/build/model/action.ts";

/**
 * Identified by their library names with all links followed, which contain versions: `libpocl.so.2.9.0`. A wrong guess
 * only costs time, because binaries are tagged with device and driver. `onLook` is called with every path that the
 * answer depends on.
 */
export function openclDrivers(
  variableOf: (name: string) => string | undefined,
  onLook: (path: string) => void,
): ToolIdentity | undefined {
  const named = (variableOf("OCL_ICD_FILENAMES") ?? "").split(":").filter((name) => name !== "");
  const libraries =
    named.length > 0 ? named : registered(variableOf("OCL_ICD_VENDORS") || "/etc/OpenCL/vendors", onLook);
  const searched = variableOf("LD_LIBRARY_PATH") ?? "";
  const found = libraries.map((library) => realName(library, searched, onLook)).sort();
  if (found.length === 0) return undefined;
  return { name: "OpenCL drivers", version: found.join(", "), digest: digestOf(found) };
}

/** The libraries named by the files of a vendors folder, one each. */
function registered(folder: string, onLook: (path: string) => void): readonly string[] {
  onLook(folder);
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith(".icd"));
  return files.map((name) => readFileSync(join(folder, name), "utf8").trim()).filter((text) => text !== "");
}

const usual = [
  "/usr/lib/x86_64-linux-gnu",
  "/lib/x86_64-linux-gnu",
  "/usr/lib64",
  "/usr/lib",
  "/usr/local/lib",
];

function realName(library: string, searched: string, onLook: (path: string) => void): string {
  const folders = [...searched.split(":").filter((folder) => folder !== ""), ...usual];
  const places = isAbsolute(library) ? [library] : folders.map((folder) => join(folder, library));
  const path = places.find((place) => existsSync(place));
  if (path === undefined) return library;
  onLook(path);
  return basename(realpathSync(path));
}
