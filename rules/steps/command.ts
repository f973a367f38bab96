/** The project's own actions. */
import type { Action, Step, ToolIdentity } from "../../core/build/model/action.ts";
import type { ProjectAction } from "../../schema/contract/project.ts";
import { codeDigest } from "../inputs/code-digest.ts";
import type { Origins } from "../inputs/origins.ts";
import { BUILD_TIME } from "../tools/compiler-variables.ts";

export const commandStep: Step = {
  name: "command",
  digest: codeDigest("command"),
  missingOutputRemedy: "let the command write it, or correct `outputs` of the action in arc.yaml",
};

export function commandAction(
  action: ProjectAction,
  origins: Origins,
  programOf: (name: string, versionArgs?: readonly string[]) => ToolIdentity | undefined,
  variableOf: (name: string) => string | undefined,
): Action {
  const called = Object.entries(action.tools ?? {});
  const own = programOf(action.run[0] ?? "");
  const others = called.map(([name, versionArgs]) => programOf(name, versionArgs));
  const tools = [own, ...others].flatMap((tool) => tool ?? []);
  const [missing] = called[others.indexOf(undefined)] ?? [];
  return {
    address: action.name,
    step: commandStep.name,
    title: action.run.join(" "),
    command: {
      argv: action.run,
      env: withVariables(action, variableOf),
      ...(action.passEnv === undefined ? {} : { passEnv: action.passEnv }),
      ...(action.stdout === undefined ? {} : { stdout: trimSlash(action.stdout) }),
      ...(action.timeout === undefined ? {} : { timeoutSeconds: action.timeout }),
      ...(action.memoryLimit === undefined ? {} : { memoryLimitBytes: action.memoryLimit }),
    },
    ...(tools.length === 0 ? {} : { tools }),
    ...(missing === undefined ? {} : { skip: `${missing} is not here: put its folder on PATH` }),
    inputs: (action.inputs ?? []).map((path) => origins.input(path)),
    outputs: action.outputs.map((path) => ({
      name: trimSlash(path),
      place: trimSlash(path),
      ...(path.endsWith("/") ? { kind: "folder" } : { kind: "file", executable: "as-written" }),
    })),
    resources: {
      ...(action.cpu === undefined ? {} : { cpu: action.cpu }),
      ...(action.memory === undefined ? {} : { memory: action.memory }),
      ...(action.tokens === undefined ? {} : { tokens: action.tokens }),
    },
    ...(action.executor === undefined ? {} : { executor: action.executor }),
    ...(action.finish === true ? { finish: true } : {}),
    deterministic: action.deterministic ?? false,
  };
}

/** What `env` of arc.yaml gives wins over what the environment has. */
function withVariables(
  { env, envFrom = [] }: ProjectAction,
  variableOf: (name: string) => string | undefined,
): ProjectAction["env"] {
  const set = [BUILD_TIME, ...envFrom].flatMap((name) => {
    const value = variableOf(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  // Actions without variables share one object.
  return set.length === 0 ? env : { ...Object.fromEntries(set), ...env };
}

const trimSlash = (path: string): string => path.replace(/\/+$/, "");
