/** An action's inputs with the digests of their present bytes. */

import { type FileState, type FileTable, MANY_PATHS } from "../files/files.ts";
import { digestBytes } from "../key/digest.ts";
import { digestByKey, type KeyedInput } from "../key/key.ts";
import { type ActionResult, outputOf } from "../key/result.ts";
import type { Action, ActionInput, Address } from "../model/action.ts";
import { EngineError } from "../model/error.ts";
import { errnoOf, systemProblem } from "../model/system-error.ts";
import type { ProducedOutput } from "./outcome-table.ts";

export interface ResolvedInput {
  readonly input: ActionInput;
  readonly keyed: KeyedInput;
  /** The bytes that the action reads. */
  readonly content: FileState;
}

/** A finished producer as its consumers see it. */
export interface Produced {
  readonly action: Action;
  readonly result: ActionResult;
}

/** An output as its consumers see it; undefined: the producer left it out. */
export function outputOfProduced({ action, result }: Produced, name: string): ProducedOutput | undefined {
  const output = outputOf(result, name);
  if (output === undefined) return undefined;
  const declared = action.outputs.find((candidate) => candidate.name === name);
  const keyedOnBytes = action.deterministic !== false || action.cache === false;
  return {
    kind: output.kind,
    digest: output.digest,
    executable: output.kind === "file" && declared?.executable === true,
    keyedOn: keyedOnBytes ? output.digest : digestByKey(result.key, name),
  };
}

/** Looks up outputs of finished actions. */
type Outputs = (address: Address, name: string) => ProducedOutput | undefined;

/**
 * The action's inputs sorted by name, so that no key depends on the order of declaration. `parent` is the action whose
 * expansion made this one and therefore its text inputs.
 */
export function resolveInputs(
  action: Action,
  files: FileTable,
  outputs: Outputs,
  parent?: Address,
): ResolvedInput[] {
  if (action.inputs.length >= MANY_PATHS)
    files.lookAll(action.inputs.flatMap(({ from }) => ("file" in from ? from.file : [])));
  const inputs = action.inputs.map((input) => resolveInput(action, input, files, outputs, parent));
  return inputs.sort((a, b) => (a.input.name < b.input.name ? -1 : 1));
}

function resolveInput(
  action: Action,
  input: ActionInput,
  files: FileTable,
  outputs: Outputs,
  parent: Address | undefined,
): ResolvedInput {
  const { from, name } = input;
  if ("text" in from) {
    const digest = digestBytes(from.text);
    return {
      input,
      keyed: { name, kind: "file", digest, ...(parent === undefined ? {} : { by: parent }) },
      content: { kind: "file", digest, executable: false },
    };
  }
  if ("file" in from) {
    const content = lookAtInput(action, from.file, files);
    const kind = content.kind === "file" ? (content.executable ? "exec" : "file") : content.kind;
    return { input, keyed: { name, kind, digest: content.kind === "absent" ? "" : content.digest }, content };
  }
  const by = from.action;
  const output = outputs(from.action, from.output);
  if (output === undefined)
    return { input, keyed: { name, kind: "absent", digest: "", by }, content: { kind: "absent" } };
  const { kind, digest, executable, keyedOn } = output;
  if (kind === "folder")
    return { input, keyed: { name, kind, digest: keyedOn, by }, content: { kind, digest } };
  return {
    input,
    keyed: { name, kind: executable ? "exec" : "file", digest: keyedOn, by },
    content: { kind, digest, executable },
  };
}

function lookAtInput(action: Action, file: string, files: FileTable): FileState {
  let state: FileState;
  try {
    state = files.look(file);
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const loop = errnoOf(error) === "ELOOP";
    throw new EngineError(
      "unreadable-input",
      loop
        ? `${file} is a link that leads back to itself`
        : `${file} cannot be read: ${systemProblem(error)?.message ?? String(error)}`,
      loop ? "make the link point to a file" : unreadableRemedy(error),
      [action.address],
      { cause: error },
    );
  }
  if (state.kind === "absent") {
    throw new EngineError(
      "missing-input",
      `${action.address} needs ${file}, which does not exist`,
      "create it, or correct the name",
      [action.address],
    );
  }
  return state;
}

function unreadableRemedy(error: unknown): string {
  const isForbidden = ["EACCES", "EPERM"].includes(errnoOf(error) ?? "");
  return (isForbidden ? undefined : systemProblem(error)?.remedy) ?? "make it readable";
}
