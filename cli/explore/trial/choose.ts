/** Chooses one variant of a front by the rule that the call names. */
import { itemAt } from "../../../core/checked/access.ts";
import type { ChoiceRule, Goal } from "../goals.ts";
import type { Valued } from "./judge.ts";

/** The best by the rule; of those that are equal in one objective, the one with the least product. Undefined: of none. */
export function chosenOf(front: readonly Valued[], goal: Goal, rule: ChoiceRule): Valued | undefined {
  const productOf = ({ values }: Valued): number => values.reduce((sum, value) => sum + Math.log(value), 0);
  const costOf = (one: Valued): number =>
    rule === "product" ? productOf(one) : itemAt(one.values, goal.indexOf(rule));
  const [best] = [...front].sort((a, b) => costOf(a) - costOf(b) || productOf(a) - productOf(b));
  return best;
}

/** `least product of time and energy`. */
export const ruleWords = (goal: Goal, rule: ChoiceRule): string =>
  rule === "product"
    ? `least product of ${goal.slice(0, -1).join(", ")} and ${goal.at(-1)}`
    : `least ${rule} of the front`;
