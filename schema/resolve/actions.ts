/** Resolves the project's own actions: their inputs must exist, and no other action may write their outputs. */
import type { ActionEntry, ArcFile } from "../contract/arc-schema.ts";
import type { ProjectAction } from "../contract/project.ts";
import type { ArcDocument } from "../document/document.ts";
import type { Findings } from "../document/findings.ts";
import { bytes, seconds } from "./executors.ts";
import type { Reachable } from "./reachable.ts";

/** Shared by all actions without variables. */
const NONE: ProjectAction["env"] = {};

const textsOf = (env: NonNullable<ActionEntry["env"]>): ProjectAction["env"] =>
  Object.fromEntries(Object.entries(env).map(([key, value]) => [key, String(value)]));

export function resolveActions(
  file: ArcFile,
  document: ArcDocument,
  found: Findings,
  reachable: Reachable,
): readonly ProjectAction[] {
  const writers = new Map<string, string>();
  const { actions = {} } = file;
  return Object.keys(actions).map((name) => {
    const entry = actions[name] as ActionEntry;
    const at = ["actions", name];
    if (file.targets !== undefined && name in file.targets) {
      const remedy = "choose another name: both are addresses of `arc build`";
      found.errorAtKey(at, "bad-value", `a target is called \`${name}\` too`, remedy);
    }
    const inputs = entry.inputs && reachable.inputs(entry.inputs, [...at, "inputs"]);
    checkOutputs(name, entry, writers, found, reachable);
    const { run, outputs, timeout, memory, "memory-limit": memoryLimit, env, ...others } = entry;
    const { "env-from": envFrom, "pass-env": passEnv, ...rest } = others;
    return {
      name,
      run: run.every((word) => typeof word === "string")
        ? run
        : run.map((_, i) => document.sourceOf([...at, "run", i]) ?? ""),
      env: env === undefined ? NONE : textsOf(env),
      outputs,
      ...rest,
      ...(envFrom === undefined ? {} : { envFrom }),
      ...(passEnv === undefined ? {} : { passEnv }),
      ...(inputs === undefined ? {} : { inputs }),
      ...(timeout === undefined ? {} : { timeout: seconds(timeout) }),
      ...(memory === undefined ? {} : { memory: bytes(memory) }),
      ...(memoryLimit === undefined ? {} : { memoryLimit: bytes(memoryLimit) }),
    };
  });
}

function checkOutputs(
  name: string,
  entry: ActionEntry,
  writers: Map<string, string>,
  found: Findings,
  reachable: Reachable,
): void {
  for (const [i, output] of entry.outputs.entries()) {
    const at = ["actions", name, "outputs", i];
    reachable.inside(output, at);
    const other = writers.get(output);
    if (other !== undefined) {
      const remedy = "give each output one action";
      found.error(at, "bad-value", `\`${output}\` is written by \`${other}\` already`, remedy);
    }
    if (entry.inputs?.includes(output)) {
      const remedy = "write the result to another file";
      found.error(at, "bad-value", `\`${output}\` is an input of the same action`, remedy);
    }
    writers.set(output, name);
  }
  if (entry.stdout !== undefined && !entry.outputs.includes(entry.stdout)) {
    const at = ["actions", name, "stdout"];
    found.unknown(at, "bad-value", `\`${entry.stdout}\` is not in \`outputs\``, entry.stdout, entry.outputs);
  }
}
