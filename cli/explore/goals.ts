/** What a search compares variants by: one objective, or the front of several. */
import { UsageError } from "../call/usage-error.ts";

export const objectives = ["time", "area", "energy"] as const;
export type Objective = (typeof objectives)[number];

/** In the order of `objectives`; smaller values are better for each. */
export type Goal = readonly Objective[];

/** As asked for: `pareto` stands for time and what else the target's kind has. */
export type AskedGoal = Goal | "pareto";

/** As in `time`, `time,energy` or `pareto`. Throws UsageError. */
export function goalOf(words: string): AskedGoal {
  if (words === "pareto") return words;
  const named = words.split(",").map((word) => word.trim());
  for (const [i, word] of named.entries()) {
    if (!(objectives as readonly string[]).includes(word))
      throw new UsageError(
        `there is no goal \`${word}\``,
        `there are ${objectives.join(", ")}, several of them as \`time,energy\`, and pareto`,
      );
    if (named.indexOf(word) !== i)
      throw new UsageError(`--goal ${words} names ${word} twice`, "name each goal once");
  }
  return objectives.filter((one) => named.includes(one));
}

export const goalWords = (goal: AskedGoal): string => (goal === "pareto" ? goal : goal.join(","));

export const isFront = (goal: AskedGoal): boolean => goal === "pareto" || goal.length > 1;

/** How one variant of a front is chosen: the best in one of its objectives, or by all of them together. */
export const choices = [...objectives, "product"] as const;
export type ChoiceRule = (typeof choices)[number];

/** Throws UsageError. */
export function choiceOf(word: string, goal: AskedGoal): ChoiceRule {
  const rule = choices.find((one) => one === word);
  const known =
    goal === "pareto" ? choices : choices.filter((one) => one === "product" || goal.includes(one));
  if (rule !== undefined && known.includes(rule)) return rule;
  throw new UsageError(
    rule === undefined
      ? `there is no choice \`${word}\``
      : `--goal ${goalWords(goal)} does not compare ${word}`,
    `there are ${known.join(", ")}`,
  );
}
