/**
 * Answers calls that find everything as the last one of their kind left it, without loading anything: the engine keeps
 * the stamps of everything that a successful build looked at.
 */
import { type Check, checkUpToDate, type FastFiles, takeCheck } from "../../core/build/files/up-to-date.ts";
import { findProjectFolder } from "../call/project-folder.ts";

/** Digest of arc itself, inserted by the build. */
declare const ARC_BUILD: string;

type Environment = Readonly<Record<string, string | undefined>>;

/** Environment variables that decide which actions there are and where results go. */
const decisive = ["PATH", "HOME", "CC", "ARC_CC", "ARC_STORE", "XDG_CACHE_HOME"];

/** Identifies a kind of call for the engine. */
export function contextOf(args: readonly string[], cwd: string, env: Environment): string {
  const build = typeof ARC_BUILD === "undefined" ? "unbundled" : ARC_BUILD;
  return [build, ...args, cwd, ...decisive.map((name) => `${name}=${env[name] ?? ""}`)].join("\n");
}

/** Undefined for calls that must not be answered from memory. */
export function callContext(args: readonly string[], cwd: string, env: Environment): string | undefined {
  if (
    args[0] !== "build" ||
    args.some((arg) => /^(--json|-n|--dry-run|--force|(--trace|--sarif|--code-quality)(=.*)?)$/.test(arg))
  )
    return undefined;
  return contextOf(args, cwd, env);
}

/**
 * What changed since the last successful call of this kind, if there was one. `inherited`: descriptors from which to read
 * what the native launcher found.
 */
export function lookForChanges(
  args: readonly string[],
  cwd: string,
  env: Environment,
  fast: FastFiles | undefined,
  inherited?: string,
): Check | undefined {
  const context = callContext(args, cwd, env);
  if (context === undefined) return undefined;
  const at = args.indexOf("-C");
  const unclear = args.some((arg) => arg.startsWith("--directory") || (arg.startsWith("-C") && arg !== "-C"));
  // The bytes of a name that is no UTF-8 are lost: nothing can go back to that folder.
  if (unclear || cwd.includes("\ufffd")) return undefined;
  const root = findProjectFolder(cwd, at < 0 ? undefined : args[at + 1]);
  try {
    // Stamps are compared by relative path: longer paths take twice the time.
    process.chdir(root);
    const state = `${root}/.arc`;
    return (inherited && takeHanded(inherited, state, context, fast)) || checkUpToDate(state, context, fast);
  } catch {
    return undefined;
  } finally {
    process.chdir(cwd);
  }
}

function takeHanded(
  inherited: string,
  state: string,
  context: string,
  fast: FastFiles | undefined,
): Check | undefined {
  const [found = Number.NaN, stamps = Number.NaN] = inherited.split(",").map(Number);
  return takeCheck(state, context, { found, stamps }, fast);
}
