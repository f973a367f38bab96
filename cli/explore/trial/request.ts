/** What a call of `arc explore` asks for. */

import { parseDuration } from "../../../schema/document/duration.ts";
import type { Call } from "../../call/call.ts";
import { UsageError } from "../../call/usage-error.ts";
import { type AskedGoal, type ChoiceRule, choiceOf, choices, goalOf, goalWords, isFront } from "../goals.ts";

export interface Request {
  readonly target: string;
  /** The run to measure. */
  readonly run?: string;
  readonly goal: AskedGoal;
  /** Which variant of a front is chosen. */
  readonly choose?: ChoiceRule;
  readonly seed: number;
  readonly budget?: Budget;
  /** Runs that count of a variant that is measured, and runs before them that do not. */
  readonly repetitions: number;
  readonly warmUp: number;
}

export interface Budget {
  /** Designs that are tried in this call. */
  readonly designs: number;
  /** In seconds. */
  readonly time: number;
}

/** Of `target`, which is chosen elsewhere. Throws UsageError. */
export function requestOf({ options, positionals }: Call, target: string): Request {
  const [, run] = positionals;
  const goal = goalOf(String(options.goal ?? "time"));
  if (!isFront(goal) && options.choose !== undefined)
    throw new UsageError(
      `--goal ${goalWords(goal)} has one winner: there is nothing to choose`,
      "leave --choose out, or name several goals as `--goal time,energy`",
    );
  const choose = options.choose === undefined ? undefined : choiceOf(String(options.choose), goal);
  if (isFront(goal) && options.apply === true && choose === undefined)
    throw new UsageError(
      "a front is of many variants: one has to be chosen",
      `say by what, as \`--choose product\`: ${choices.join(", ")}`,
    );
  const repetitions = wholeOf(options, "repetitions", 5);
  if (repetitions === 0) throw new UsageError("--repetitions 0 measures nothing", "write --repetitions 5");
  return {
    target,
    goal,
    ...(choose && { choose }),
    repetitions,
    warmUp: wholeOf(options, "warm-up", 1),
    seed: wholeOf(options, "seed", 1),
    ...(run !== undefined && { run }),
    ...(options.budget !== undefined && { budget: budgetOf(String(options.budget)) }),
  };
}

function budgetOf(text: string): Budget {
  if (/^\d{1,15}$/.test(text)) return { designs: Number(text), time: Number.POSITIVE_INFINITY };
  // A number alone counts designs, whatever it is: `1.5` and a million are not seconds.
  const time = /[a-z]$/.test(text) ? parseDuration(text) : undefined;
  if (time !== undefined) return { designs: Number.POSITIVE_INFINITY, time };
  throw new UsageError(
    `--budget ${text} is no budget`,
    "write a number of designs, such as 10, or a time, such as `90 s` or `2 h`",
  );
}

function wholeOf(options: Call["options"], name: string, otherwise: number): number {
  const value = options[name];
  if (value === undefined) return otherwise;
  if (/^\d{1,9}$/.test(String(value))) return Number(value);
  throw new UsageError(`--${name} ${String(value)} is no whole number`, `write --${name} ${otherwise}`);
}
