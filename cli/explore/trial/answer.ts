/** What a search found: as a table or as JSON, and in arc.yaml if the call asks for that. */

import { readFileSync, writeFileSync } from "node:fs";
import { firstOf } from "../../../core/checked/access.ts";
import { type Call, type Status, status } from "../../call/call.ts";
import { dominates } from "../../report/model/figures.ts";
import { fitted } from "../../show/fit.ts";
import { plural } from "../../show/words.ts";
import { withFirst } from "../apply.ts";
import { goalWords, isFront } from "../goals.ts";
import { chosenOf, ruleWords } from "./choose.ts";
import { isValued, type Judge, type Valued } from "./judge.ts";
import type { Request } from "./request.ts";
import type { Searched } from "./search.ts";
import { planOf, type Space } from "./space.ts";

export async function answer(
  call: Call,
  { goal: asked, target, choose }: Request,
  judge: Judge,
  { space, outcomes, before }: Searched,
): Promise<Status> {
  const { candidates } = space;
  const known = outcomes.filter(isValued);
  const judged = [...(known.length > 0 ? known : judge.estimates(space))].sort(
    (a, b) => firstOf(a.values) - firstOf(b.values),
  );
  if (call.signal.aborted) call.err(`arc: interrupted; what was ${judge.done} is kept\n`);
  const best = call.signal.aborted ? frontOf(judged) : await rightFront(judged, judge, space);
  const { goal } = judge;
  const named = isFront(goal) ? best : best.slice(0, 1);
  const winner = choose === undefined ? named[0] : chosenOf(named, goal, choose);
  const chosen = choose !== undefined && winner ? { id: winner.id, by: ruleWords(goal, choose) } : undefined;
  const failed = outcomes.length - known.length;
  if (call.options.json === true) {
    const fields = {
      goal: goalWords(asked),
      objectives: goal,
      best: named.map(({ id }) => id),
      ...(chosen && { chosen }),
      by: known.length === 0 ? "estimates" : judge.done === "built" ? "builds" : "measurements",
      outcomes,
      designs: candidates.length,
      expected: candidates,
      ...judge.fields(space),
    };
    call.out(`${JSON.stringify({ type: "exploration", ...fields })}\n`);
  } else {
    const [header = [], ...rows] = judge.table(judged, space);
    const markOf = (one: Valued | undefined): string =>
      one === undefined || !named.includes(one) ? "" : one.id === chosen?.id ? "chosen" : "yes";
    const marked = isFront(goal)
      ? [[...header, "front"], ...rows.map((row, i) => [...row, markOf(judged[i])])]
      : [header, ...rows];
    if (rows.length > 0) call.out(fitted(marked, call.outColumns()));
  }
  const left = candidates.length - outcomes.length;
  const parts = [
    `${plural(outcomes.length - before, "design")} ${judge.done}`,
    `${failed} failed${judge.done === "built" ? " or too large" : ""}`,
    `${left} left out`,
  ];
  call.err(`arc: ${parts.join(", ")}; best: ${named.map(({ id }) => id).join(", ") || "none"}\n`);
  if (call.signal.aborted) return status.interrupted;
  if (chosen) call.err(`arc: chosen: ${chosen.id}, by the ${chosen.by}\n`);
  if (winner === undefined) return status.failed;
  if (call.options.apply === true) apply(space, call, target, winner.id);
  return status.done;
}

/** Variants that no other dominates, by their first value. */
const frontOf = (judged: readonly Valued[]): readonly Valued[] =>
  judged.filter(({ values }) => !judged.some((other) => dominates(other.values, values)));

/** Without those whose results are wrong. */
async function rightFront(judged: readonly Valued[], judge: Judge, space: Space): Promise<readonly Valued[]> {
  const front = frontOf(judged);
  for (const one of front)
    if (!(await judge.isRight(one.id, space)))
      return rightFront(
        judged.filter((other) => other !== one),
        judge,
        space,
      );
  return front;
}

function apply(space: Space, call: Call, target: string, id: string): void {
  const { file } = space.workspace.project;
  const text = readFileSync(file, "utf8");
  const next = withFirst(text, target, planOf(space, { id }).variant);
  if (next === text) {
    call.err(`arc: ${id} is the first variant of ${target} already\n`);
    return;
  }
  writeFileSync(file, next);
  call.err(`arc: ${id} is now the first variant of ${target} in ${file}\n`);
}
