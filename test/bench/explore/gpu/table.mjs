/**
 * Makes a table for run.mjs of what measure.py measured:
 *
 *   node test/bench/explore/gpu/table.mjs FIRST.jsonl [MORE.jsonl...] > test/bench/explore/NAME.json
 *
 * The values are seconds and joules of a launch. Files after the first may be of another card of the same kind: their
 * seconds are scaled by the designs that they have in common with it. Powers are not: they are right to a tenth, which is
 * more than cards differ.
 */
import { readFileSync } from "node:fs";

const sum = (list) => list.reduce((a, b) => a + b, 0);
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

/** Seconds of a launch by the device's events. */
const secondsOf = ({ launches }) =>
  sum(launches.map((row) => row.seconds)) / sum(launches.map((row) => row.count));

/**
 * Two readings of the power while the program was busy, each right to some percent: the growth of the counter of energy
 * between the first and the last time that it moved, and the mean of the readings of power.
 */
function wattsOf({ busy: [begin, end], samples }) {
  const moved = samples.filter(([, , , energy], i) => energy !== null && energy !== samples[i - 1]?.[3]);
  const inside = moved.filter(([at]) => at >= begin + 0.02 && at <= end + 0.03);
  const [first, last] = [inside[0], inside.at(-1)];
  const counted = inside.length > 1 ? [(last[3] - first[3]) / 1e3 / (last[0] - first[0])] : [];
  const read = samples.flatMap(([at, , power]) =>
    power && at >= begin + 0.05 && at <= end ? [power / 1e3] : [],
  );
  const both = [...counted, ...(read.length > 0 ? [sum(read) / read.length] : [])];
  return sum(both) / both.length;
}

function measured(file) {
  const byId = new Map();
  for (const line of readFileSync(file, "utf8").trim().split("\n")) {
    const row = JSON.parse(line);
    const before = byId.get(row.id)?.runs ?? [];
    const seconds = row.status === 0 ? secondsOf(row) : undefined;
    const run = seconds === undefined ? [] : [[seconds, seconds * wattsOf(row)]];
    byId.set(row.id, { axes: row.axes, runs: [...before, ...run] });
  }
  const values = ({ runs }) =>
    runs.length === 0 ? undefined : [0, 1].map((i) => median(runs.map((run) => run[i])));
  return new Map([...byId].map(([id, one]) => [id, { axes: one.axes, values: values(one) }]));
}

const [first, ...others] = process.argv.slice(2).map(measured);
const all = new Map(first);
for (const other of others) {
  const common = [...other].filter(([id, { values }]) => values && first.get(id)?.values);
  const ratios = common.map(([id, { values }]) => first.get(id).values[0] / values[0]);
  const scale = ratios.length === 0 ? 1 : sum(ratios) / ratios.length;
  console.error(`scaled by ${scale.toFixed(3)}, by ${ratios.length} designs`);
  for (const [id, { axes, values }] of other)
    if (!all.has(id)) all.set(id, { axes, values: values?.map((value) => value * scale) });
}
const rows = [...all];
const varying = Object.keys(rows[0][1].axes).filter(
  (axis) => new Set(rows.map(([, { axes }]) => axes[axis])).size > 1,
);
console.log(
  JSON.stringify(
    rows.map(([id, { axes, values }]) => ({
      id: id.replace(/.*:/, ""),
      axes: Object.fromEntries(varying.map((axis) => [axis, axes[axis]])),
      predicted: [null, null],
      // What is named by its values alone departs in these from what arc takes by itself.
      departures: varying.filter((axis) => !["auto", 0].includes(axes[axis])).length,
      ...(values && { values: values.map((value) => Number(value.toPrecision(5))) }),
    })),
  ),
);
