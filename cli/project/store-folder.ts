/** Where results are kept. */
import { userInfo } from "node:os";
import path from "node:path";
import type { Project } from "../../schema/contract/project.ts";
import type { Call } from "../call/call.ts";
import { UsageError } from "../call/usage-error.ts";

/** `--store`, `$ARC_STORE`, arc.yaml's `store`, the user's cache folder. Throws UsageError where there is none of them. */
export function storeFolder(
  { options, env, cwd }: Pick<Call, "options" | "env" | "cwd">,
  project: Project | undefined,
): string {
  if (typeof options.store === "string") return resolve(cwd, options.store, env);
  if (env.ARC_STORE) return resolve(cwd, env.ARC_STORE, env);
  if (project?.store.path !== undefined) return resolve(project.root, project.store.path, env);
  return path.join(absolute(env.XDG_CACHE_HOME) ?? path.join(homeFolder(env), ".cache"), "arc");
}

/** A shell leaves `~` as it is in quotes and behind `=`, and there is none to read arc.yaml. */
function resolve(folder: string, given: string, env: NodeJS.ProcessEnv): string {
  return /^~(?:\/|$)/.test(given) ? path.join(homeFolder(env), given.slice(1)) : path.resolve(folder, given);
}

function homeFolder({ HOME }: NodeJS.ProcessEnv): string {
  const home = absolute(HOME);
  if (home !== undefined) return home;
  try {
    // Not `homedir`, which takes HOME as it is.
    return userInfo().homedir;
  } catch {
    throw new UsageError(
      "there is no home folder, in which results would be kept",
      "name a folder with --store or $ARC_STORE",
    );
  }
}

/** Relative names would put results wherever arc is called, most likely into a project. */
const absolute = (folder: string | undefined): string | undefined =>
  folder !== undefined && path.isAbsolute(folder) ? folder : undefined;
