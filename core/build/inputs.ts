/** An action's inputs with their present bytes. */
import type { Action, ActionInput, Address } from "./action.ts";
import { digestBytes } from "./digest.ts";
import { EngineError, errnoOf } from "./error.ts";
import type { FileState, FileTable } from "./files.ts";
import { digestByKey, type KeyedInput } from "./key.ts";
import { type ActionResult, outputOf } from "./result.ts";

export interface ResolvedInput {
  readonly input: ActionInput;
  readonly keyed: KeyedInput;
  /** The bytes that the action reads. */
  readonly content: FileState;
}

/** How a finished producer is seen by its consumers. */
export interface Produced {
  readonly action: Action;
  readonly result: ActionResult;
}

/**
 * Sorted by name, so that the order of declaration is in no key. `parent` is the action whose expansion made
 * this one, and so the text that it was given.
 */
export function resolveInputs(
  action: Action,
  files: FileTable,
  produced: (address: Address) => Produced,
  parent?: Address,
): ResolvedInput[] {
  const inputs = action.inputs.map((input) => resolveInput(action, input, files, produced, parent));
  return inputs.sort((a, b) => (a.input.name < b.input.name ? -1 : 1));
}

function resolveInput(
  action: Action,
  input: ActionInput,
  files: FileTable,
  produced: (address: Address) => Produced,
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
  const producer = produced(from.action);
  const by = from.action;
  const output = outputOf(producer.result, from.output);
  if (output === undefined)
    return { input, keyed: { name, kind: "absent", digest: "", by }, content: { kind: "absent" } };
  const declared = producer.action.outputs.find((candidate) => candidate.name === from.output);
  const executable = output.kind === "file" && declared?.executable === true;
  const keyedOnBytes = producer.action.deterministic !== false || producer.action.cache === false;
  const digest = keyedOnBytes ? output.digest : digestByKey(producer.result.key, output.name);
  return {
    input,
    keyed: { name, kind: output.kind === "folder" ? "folder" : executable ? "exec" : "file", digest, by },
    content:
      output.kind === "folder"
        ? { kind: "folder", digest: output.digest }
        : { kind: "file", digest: output.digest, executable },
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
        : `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      loop ? "make the link point to a file" : "make it readable",
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
