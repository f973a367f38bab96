/**
 * Makes a table for run.mjs of a space that was built as a whole:
 *
 *   arc build --all fpga && arc verify --all fpga
 *   arc explore fpga --goal pareto --budget 0 --json | node test/bench/explore/record.mjs > test/bench/explore/NAME.json
 */
import { readFileSync } from "node:fs";

const lines = readFileSync(0, "utf8").trim().split("\n");
const { outcomes, expected } = JSON.parse(lines.at(-1));
const designs = [...new Set(expected.map(({ design }) => design))];
const rows = expected.flatMap(({ id, axes, predicted, proportional, clocked, design }) => {
  const outcome = outcomes.find((one) => one.id === id);
  // A variant that was neither built nor refused is not known.
  if (outcome === undefined) return [];
  const varying = Object.keys(axes).filter((axis) => new Set(expected.map((one) => one.axes[axis])).size > 1);
  return [
    {
      id,
      axes: Object.fromEntries(varying.map((axis) => [axis, axes[axis]])),
      predicted,
      ...(proportional && { proportional }),
      ...(clocked && { clocked }),
      ...(design !== undefined && { design: String(designs.indexOf(design)) }),
      ...(outcome.values && { values: outcome.values }),
      ...(outcome.stretch !== undefined && { stretch: Number(outcome.stretch.toFixed(4)) }),
    },
  ];
});
console.log(JSON.stringify(rows));
