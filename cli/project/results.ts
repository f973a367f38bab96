/** Reads the outputs of actions for commands that build nothing. */

import type { Engine, Explanation } from "../../core/build/engine-interface.ts";
import type { ActionResult } from "../../core/build/key/result.ts";
import type { ActionInput, Address } from "../../core/build/model/action.ts";
import { EngineError } from "../../core/build/model/error.ts";

export function explanation(engine: Engine, address: Address): Explanation | undefined {
  try {
    return engine.explain(address);
  } catch (error) {
    if (error instanceof EngineError && error.code === "not-built") return undefined;
    throw error;
  }
}

export const resultAt = (engine: Engine, address: Address): ActionResult | undefined =>
  explanation(engine, address)?.result;

/** Undefined if the action was not run, failed or left the output out, or the store has lost its result. */
export function textOf(engine: Engine, address: Address, output: string): string | undefined {
  const result = resultAt(engine, address);
  if (result === undefined || result.failure !== undefined) return undefined;
  if (!result.outputs.some(({ name }) => name === output)) return undefined;
  try {
    return engine.read(address, output).toString("utf8");
  } catch (error) {
    if (error instanceof EngineError && ["not-built", "blob-missing"].includes(error.code)) return undefined;
    throw error;
  }
}

/** Reads the inputs of an action that are outputs of others. */
export const inputText =
  (engine: Engine) =>
  ({ from }: ActionInput): Buffer | undefined => {
    const text = "action" in from ? textOf(engine, from.action, from.output) : undefined;
    return text === undefined ? undefined : Buffer.from(text);
  };

/** A JSON output. */
export function resultOf<T>(engine: Engine, address: Address, output: string): T | undefined {
  const text = textOf(engine, address, output);
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

/** An output of one JSON object per line. */
export const linesOf = <T>(engine: Engine, address: Address, output: string): readonly T[] =>
  (textOf(engine, address, output) ?? "")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
