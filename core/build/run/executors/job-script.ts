/** A process as a shell script that leaves its exit code in a file, to be run on another machine. */
import { readFileSync } from "node:fs";
import { monotonicMs } from "../../model/clock.ts";
import { ACTION_UMASK } from "../../model/variables.ts";
import type { OutputFile, ProcessRequest } from "../executor.ts";

/** Nothing of the environment but what the request sets. */
export function scriptOf(
  request: ProcessRequest,
  stdout: OutputFile,
  stderr: OutputFile,
  exitFile: string,
): string {
  const environment = Object.entries(request.env).map(([name, value]) => quoted(`${name}=${value}`));
  const command = ["/usr/bin/env", "-i", ...environment, ...request.argv.map(quoted)].join(" ");
  return [
    "#!/bin/sh",
    `cd ${quoted(request.cwd)} || exit 125`,
    `umask ${ACTION_UMASK.toString(8)}`,
    `${command} >>${quoted(stdout.path)} 2>>${quoted(stderr.path)} </dev/null`,
    "code=$?",
    // Written atomically, because another machine reads it.
    `echo $code > ${quoted(`${exitFile}.new`)} && mv ${quoted(`${exitFile}.new`)} ${quoted(exitFile)}`,
    "exit $code",
    "",
  ].join("\n");
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Undefined while the script has not left it. A network file system may show the file before what is in it. */
export function readCode(file: string): number | undefined {
  try {
    const [, code] = /^(\d+)\n$/.exec(readFileSync(file, "utf8")) ?? [];
    return code === undefined ? undefined : Number(code);
  } catch {
    return undefined;
  }
}

/** How long the exit code of what has ended may take to appear through a network file system, in ms. */
export const SETTLE_MS = 10_000;

/** The exit code of what has ended, once it appears. */
export async function codeSoon(file: string, everyMs: number): Promise<number | undefined> {
  const since = monotonicMs();
  for (;;) {
    const code = readCode(file);
    if (code !== undefined || monotonicMs() - since > SETTLE_MS) return code;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
