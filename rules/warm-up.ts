/**
 * Translates sources only to warm the compiler up: after a few runs V8 has compiled its code, which is then several
 * times as fast. For processes that wait for the user.
 */
import { setImmediate } from "node:timers/promises";
import type { Action, Step, StepContext } from "../core/build/model/action.ts";
import { translatedSource } from "./inputs/source-inputs.ts";
import { translateStep } from "./steps/translate.ts";
import { translateHostStep } from "./steps/translate-host.ts";

/** More rounds than this gain nothing. */
const ROUNDS = 12;
/** Seconds of processor time, including V8's own threads, after which warm-up stops. */
const MOST_SECONDS = 2;

const steps: ReadonlyMap<string, Step> = new Map(
  [translateStep, translateHostStep].map((step) => [step.name, step]),
);

/** Reads the bytes of an action's input. */
type ReadInput = (action: Action, name: string) => Buffer;

/** Runs one translation for each value requested. */
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
        // An input that is missing or not built cannot be read.
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
 * A context without effects. The source differs slightly in each round and the action has no address, so that no cached
 * knowledge applies.
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
