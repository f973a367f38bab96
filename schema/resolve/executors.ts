/** Resolves executors and the shared cache, with sizes in bytes and times in seconds. */
import type { ArcFile } from "../contract/arc-schema.ts";
import type { Executors, SharedCache } from "../contract/project.ts";
import { parseDuration } from "../document/duration.ts";
import type { Findings } from "../document/findings.ts";
import { parseSize } from "../document/size.ts";

/** `steps`: the steps that start processes. */
export function resolveExecutors(file: ArcFile, steps: readonly string[], found: Findings): Executors {
  const { local, slurm } = file.executors ?? {};
  for (const [i, step] of (slurm?.steps ?? []).entries()) {
    if (steps.includes(step)) continue;
    const at = ["executors", "slurm", "steps", i];
    found.unknown(at, "bad-value", `there is no step \`${step}\` that runs processes`, step, steps);
  }
  const { timeout, memory, "memory-limit": memoryLimit, ...localRest } = local ?? {};
  const { timeout: slurmTimeout, ...slurmRest } = slurm ?? {};
  return {
    local: {
      ...localRest,
      ...(memory === undefined ? {} : { memory: bytes(memory) }),
      ...(memoryLimit === undefined ? {} : { memoryLimit: bytes(memoryLimit) }),
      ...(timeout === undefined ? {} : { timeout: seconds(timeout) }),
    },
    ...(slurm === undefined
      ? {}
      : {
          slurm: { ...slurmRest, ...(slurmTimeout === undefined ? {} : { timeout: seconds(slurmTimeout) }) },
        }),
  };
}

export function resolveCache({ cache }: ArcFile, found: Findings): SharedCache | undefined {
  if (cache === undefined) return undefined;
  const { remote, mode, timeout, certificates, check } = cache;
  const isAboutRemote = Object.keys(cache).some((key) => key !== "check");
  if (remote === undefined && (isAboutRemote || check === undefined))
    found.error(["cache"], "missing-key", "`cache` needs `remote`", "add `remote:`");
  return {
    ...(remote === undefined ? {} : { remote }),
    ...(check === undefined ? {} : { check: Number.parseFloat(check) / 100 }),
    mode: mode ?? "read",
    ...(cache["token-from"] === undefined ? {} : { tokenFrom: cache["token-from"] }),
    ...(cache["headers-from"] === undefined ? {} : { headersFrom: cache["headers-from"] }),
    ...(cache["key-from"] === undefined ? {} : { keyFrom: cache["key-from"] }),
    ...(certificates === undefined ? {} : { certificates }),
    ...(timeout === undefined ? {} : { timeout: seconds(timeout) }),
  };
}

/** The schema has already checked the format. */
export const bytes = (size: number | string): number =>
  typeof size === "number" ? size : (parseSize(size) ?? Number.NaN);

export const seconds = (duration: number | string): number =>
  typeof duration === "number" ? duration : (parseDuration(duration) ?? Number.NaN);
