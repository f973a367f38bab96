/**
 * Translations for no result but a warm compiler: code that ran a few times is compiled itself, and runs several
 * times as fast. For processes that wait for the user.
 */
import { setImmediate } from "node:timers/promises";
import type { Action, Step, StepContext } from "../core/build/model/action.ts";
import { translatedSource } from "./inputs/source-inputs.ts";
import { translateStep } from "./steps/translate.ts";
import { translateHostStep } from "./steps/translate-host.ts";

/** After so many rounds more gain nothing. */
const ROUNDS = 12;
/** Seconds of processor time, V8's own threads included, after which the rest is left to the user's edits. */
const MOST_SECONDS = 2;

const steps: ReadonlyMap<string, Step> = new Map(
  [translateStep, translateHostStep].map((step) => [step.name, step]),
);

/** Bytes of an input of an action. */
export type ReadInput = (action: Action, name: string) => Buffer;

/** One translation at a time, as long as somebody asks for the next. */
export async function* warmUp(
  actions: Iterable<Action>,
  read: ReadInput,
  mostSeconds = MOST_SECONDS,
): AsyncGenerator<void> {
  const translations = [...actions].filter(({ step }) => steps.has(step));
  let burned = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const action of translations) {
      const before = process.cpuUsage();
      try {
        await steps.get(action.step)?.run?.(contextOf(action, read, round));
      } catch {
        // What is not there or not built cannot be read.
      }
      const { user, system } = process.cpuUsage(before);
      burned += (user + system) / 1e6;
      if (burned >= mostSeconds) return;
      await setImmediate();
      yield;
    }
  }
}

/**
 * What is written goes nowhere. The source is never quite what it was before, and the translation nobody's: nothing
 * known of them is of use.
 */
function contextOf(action: Action, read: ReadInput, round: number): StepContext {
  const nothing = (): void => {};
  return {
    action: { ...action, address: "" },
    readInput: async (name) => {
      const bytes = read(action, name);
      return name === translatedSource ? Buffer.concat([bytes, Buffer.from("\n".repeat(round))]) : bytes;
    },
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
