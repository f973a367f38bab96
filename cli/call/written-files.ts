/**
 * Files that options name to be written. Whether they can be is asked before anything else is done: a build of hours must not
 * end with nowhere to put what it found.
 */
import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import type { Arguments } from "./arguments.ts";
import { findCommand } from "./commands.ts";
import { UsageError } from "./usage-error.ts";

/** Throws UsageError for a file that cannot be written. */
export function checkWrittenFiles({ command, options }: Arguments, cwd: string): void {
  for (const { name, writes } of findCommand(command)?.options ?? []) {
    const value = options[name];
    if (writes !== true || typeof value !== "string") continue;
    const problem = problemOf(path.resolve(cwd, value));
    if (problem !== undefined) throw new UsageError(`--${name} ${value}: ${problem.why}`, problem.remedy);
  }
}

function problemOf(file: string): { readonly why: string; readonly remedy: string } | undefined {
  const folder = path.dirname(file);
  const remedy = "name another file";
  if (isFolder(file)) return { why: "that is a folder", remedy: "name a file in it" };
  if (isFolder(file) === undefined) {
    const there = isFolder(folder);
    if (there === undefined) return { why: `there is no folder ${folder}`, remedy: `make it, or ${remedy}` };
    if (!there) return { why: `${folder} is no folder`, remedy };
    return isWritable(folder) ? undefined : { why: `nothing may be written in ${folder}`, remedy };
  }
  return isWritable(file) ? undefined : { why: "it may not be written", remedy };
}

/** Undefined where nothing is. */
function isFolder(place: string): boolean | undefined {
  try {
    return statSync(place).isDirectory();
  } catch {
    return undefined;
  }
}

function isWritable(place: string): boolean {
  try {
    accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
