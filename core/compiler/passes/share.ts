/**
 * Operators shared by the operations of a loop, from the variant: `share-fadd: 1`. The hardware scheduler assigns the
 * turns; this pass only passes on the number of circuits.
 */
import { spmdOf } from "../../ir/model/region.ts";
import { shareAxes } from "./axes.ts";
import type { Pass, PassInput, PassResult } from "./rewrite/pass.ts";
import { withSpmd } from "./rewrite/region.ts";

export const share: Pass = {
  name: "share",
  description: "few circuits for many operations",
  axes: shareAxes,
  run,
};

function run({ task, choice }: PassInput): PassResult {
  const requested = shareAxes.flatMap(({ key }): [string, number][] => {
    const circuits = Number(choice[key] ?? 0);
    return circuits > 0 ? [[key.replace(/^share-/, ""), circuits]] : [];
  });
  if (requested.length === 0) return { task, remarks: [] };
  const operators = { ...spmdOf(task).hints?.operators, ...Object.fromEntries(requested) };
  const message = `operations take turns: ${requested.map(([what, n]) => `${what} on ${n}`).join(", ")}`;
  return {
    task: withSpmd(task, (s) => ({ ...s, hints: { ...s.hints, operators } })),
    remarks: [{ pass: "share", applied: true, message, loc: task.site.loc }],
  };
}
