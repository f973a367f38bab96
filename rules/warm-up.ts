/**
 * Translations for no result but a warm compiler: code that ran a few times is compiled itself, and runs several
 * times as fast. For processes that wait for the user.
 */
import { setImmediate } from "node:timers/promises";
import type { Action, Step, StepContext } from "../core/build/action.ts";
import { translateStep } from "./steps/translate.ts";
import { translateHostStep } from "./steps/translate-host.ts";

/** After so many rounds more gain nothing. */
const ROUNDS = 8;

const steps: ReadonlyMap<string, Step> = new Map(
  [translateStep, translateHostStep].map((step) => [step.name, step]),
);

/** Bytes of an input of an action. */
export type ReadInput = (action: Action, name: string) => Buffer;

/** One translation at a time, as long as somebody asks for the next. */
export async function* warmUp(actions: Iterable<Action>, read: ReadInput): AsyncGenerator<void> {
  const translations = [...actions].filter(({ step }) => steps.has(step));
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const action of translations) {
      await steps.get(action.step)?.run?.(contextOf(action, read, round));
      await setImmediate();
      yield;
    }
  }
}

/** What is written goes nowhere, and what is read is never quite what was read before: nothing known is of use. */
function contextOf(action: Action, read: ReadInput, round: number): StepContext {
  const nothing = (): void => {};
  return {
    action,
    readInput: async (name) => Buffer.concat([read(action, name), Buffer.from("\n".repeat(round))]),
    writeOutput: async () => {},
    discover: nothing,
    discoverMissing: nothing,
    progress: nothing,
    log: nothing,
    signal: new AbortController().signal,
    root: "",
    input: unsupported,
    output: unsupported,
    spawn: unsupported,
  };
}

function unsupported(): never {
  throw new Error("a translation reads and writes through its context only");
}
