/**
 * The settings of a project for its engine, as plain data: a later call of the same kind gets them without reading
 * arc.yaml. They contain no secrets; those come from the environment of each call.
 */

import { createEngine } from "../../core/build/engine.ts";
import type { Engine, EngineBuildOptions, EngineOptions } from "../../core/build/engine-interface.ts";
import type { Registry } from "../../core/build/model/action.ts";
import type { Executors, SharedCache } from "../../schema/contract/project.ts";
import { outputFolder } from "../../schema/document/places.ts";
import type { Call } from "../call/call.ts";
import { chooseExecutors } from "./executors.ts";
import { sharedCache } from "./shared-cache.ts";

export interface Settings
  extends Pick<
    EngineOptions,
    "root" | "store" | "storeLimit" | "jobs" | "memory" | "tokens" | "limits" | "given"
  > {
  readonly slurm?: Executors["slurm"];
  readonly cache?: SharedCache;
}

/** Throws UsageError and EngineError. */
export async function openEngine(settings: Settings, call: Call, registry: Registry): Promise<Engine> {
  const { slurm, cache, ...rest } = settings;
  const remote = sharedCache(cache, call);
  const choice = chooseExecutors(call.options.executor, slurm);
  return createEngine({
    ...rest,
    outputFolder,
    registry,
    environment: call.env,
    executorOf: choice.executorOf,
    ...(call.options.sandbox === true ? (await import("./sandboxed.ts")).sandboxed(call) : {}),
    ...(remote === undefined ? {} : { remote }),
    ...(choice.slurm ? { executors: [await slurmExecutor(slurm, call)] } : {}),
  });
}

/** Options for every build, from the project's settings. */
export const checkHits = ({ cache }: Settings): Pick<EngineBuildOptions, "checkHits"> =>
  cache?.check === undefined ? {} : { checkHits: cache.check };

/** Loaded on demand. */
async function slurmExecutor(
  slurm: Executors["slurm"] = {},
  { env }: Call,
): Promise<NonNullable<EngineOptions["executors"]>[number]> {
  const { SlurmExecutor } = await import("../../core/build/run/executors/slurm.ts");
  const { partition, account, qos, options, tokens, allocation, jobs, timeout } = slurm;
  return (folder) =>
    new SlurmExecutor({
      folder,
      environment: env,
      ...(partition === undefined ? {} : { partition }),
      ...(account === undefined ? {} : { account }),
      ...(qos === undefined ? {} : { qos }),
      ...(options === undefined ? {} : { extra: options }),
      ...(tokens === undefined ? {} : { tokens }),
      ...(allocation === undefined ? {} : { allocationCpus: allocation }),
      ...(jobs === undefined ? {} : { jobs }),
      ...(timeout === undefined ? {} : { limits: { timeoutSeconds: timeout } }),
    });
}
