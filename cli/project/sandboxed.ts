/** Option `--sandbox` of `arc build`. */
import { accessSync, constants } from "node:fs";
import path from "node:path";
import { execaSync } from "execa";
import { confinement } from "../../core/build/native/confinement.ts";
import type { Call } from "../call/call.ts";
import { UsageError } from "../call/usage-error.ts";

/**
 * Build options for `--sandbox`. Throws UsageError where processes cannot be confined: they never run unconfined
 * instead.
 */
export function sandboxed({ options, env }: Call): { readonly bwrap?: string } {
  if (options.sandbox !== true) return {};
  if (options["trace-inputs"] === true || options["declare-inputs"] === true)
    throw new UsageError("--sandbox and --trace-inputs exclude each other", "trace first, then confine");
  const found = bubblewrap(env);
  if ("problem" in found) throw new UsageError(found.problem, found.remedy);
  return found;
}

interface NoBubblewrap {
  /** It is there, and cannot be used. */
  readonly isBroken: boolean;
  readonly problem: string;
  readonly remedy: string;
}

/** The program that confines processes, which is tried. */
export function bubblewrap(env: Call["env"]): { readonly bwrap: string } | NoBubblewrap {
  const bwrap = (env.PATH ?? "")
    .split(":")
    .filter((folder) => folder.startsWith("/"))
    .map((folder) => path.join(folder, "bwrap"))
    .find(isExecutable);
  if (bwrap === undefined) {
    const problem = "--sandbox needs bubblewrap, which is not here";
    return { isBroken: false, problem, remedy: "apt-get install bubblewrap" };
  }
  const tried = execaSync(bwrap, [...confinement, "--", "/bin/sh", "-c", ":"], { reject: false });
  if (!tried.failed) return { bwrap };
  return {
    isBroken: true,
    problem: `bubblewrap cannot confine processes here: ${tried.stderr || tried.shortMessage}`,
    remedy:
      "allow user namespaces (in a container: --security-opt seccomp=unconfined), or leave --sandbox out",
  };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
