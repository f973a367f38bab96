/** The project's own actions. */
import type { Action, Step, ToolIdentity } from "../../core/build/action.ts";
import type { ProjectAction } from "../../schema/project.ts";
import { codeDigest } from "../code-digest.ts";
import type { Origins } from "../origins.ts";

export const commandStep: Step = {
  name: "command",
  digest: codeDigest("command"),
  missingOutputRemedy: "let the command write it, or correct `outputs` of the action in arc.yaml",
};

export function commandAction(
  action: ProjectAction,
  origins: Origins,
  tool: ToolIdentity | undefined,
): Action {
  return {
    address: action.name,
    step: commandStep.name,
    title: action.run.join(" "),
    command: {
      argv: action.run,
      env: action.env,
      ...(action.stdout === undefined ? {} : { stdout: trimSlash(action.stdout) }),
      ...(action.timeout === undefined ? {} : { timeoutSeconds: action.timeout }),
      ...(action.memoryLimit === undefined ? {} : { memoryLimitBytes: action.memoryLimit }),
    },
    ...(tool === undefined ? {} : { tools: [tool] }),
    inputs: (action.inputs ?? []).map((path) => origins.input(path)),
    outputs: action.outputs.map((path) => ({
      name: trimSlash(path),
      kind: path.endsWith("/") ? "folder" : "file",
      place: trimSlash(path),
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

const trimSlash = (path: string): string => path.replace(/\/+$/, "");
