/** Chooses where a call's actions run: by `--executor`, the action itself, or arc.yaml. */
import type { Action } from "../../core/build/model/action.ts";
import { processSteps } from "../../rules/tools/processes.ts";
import { type ExecutorName, executorNames } from "../../schema/contract/executors-schema.ts";
import type { Executors } from "../../schema/contract/project.ts";
import { nearest } from "../../schema/document/nearest.ts";
import { UsageError } from "../call/usage-error.ts";

/** By step; `*` stands for all others. */
type Choice = ReadonlyMap<string, ExecutorName>;

interface ExecutorChoice {
  readonly executorOf: (action: Action) => ExecutorName | undefined;
  /** Whether any action may run on Slurm. */
  readonly slurm: boolean;
}

/** `option`: `slurm`, or `kernel=slurm,link=local`. Throws UsageError. */
export function chooseExecutors(
  option: string | true | undefined,
  slurm: Executors["slurm"],
): ExecutorChoice {
  const choices = option === undefined ? new Map<string, ExecutorName>() : parseChoice(String(option));
  const steps = new Set(slurm?.steps ?? []);
  return {
    slurm: slurm !== undefined || [...choices.values()].includes("slurm"),
    executorOf({ step, executor }) {
      if (!processSteps.includes(step)) return "local";
      const own = executor as ExecutorName | undefined;
      return choices.get(step) ?? choices.get("*") ?? own ?? (steps.has(step) ? "slurm" : "local");
    },
  };
}

function parseChoice(text: string): Choice {
  const choice = new Map<string, ExecutorName>();
  for (const part of text.split(",")) {
    const [left = "", right] = part.split("=", 2);
    const step = right === undefined ? "*" : left;
    if (step !== "*" && !processSteps.includes(step)) throw unknown("step", step, processSteps);
    choice.set(step, executorNamed(right ?? left));
  }
  return choice;
}

function executorNamed(name: string): ExecutorName {
  const found = executorNames.find((known) => known === name);
  if (found === undefined) throw unknown("executor", name, executorNames);
  return found;
}

function unknown(what: string, word: string, known: readonly string[]): UsageError {
  const near = nearest(word, known);
  const remedy = `${near === undefined ? "" : `did you mean ${near}? `}there are ${known.join(", ")}`;
  return new UsageError(`--executor: there is no ${what} \`${word}\``, remedy);
}
