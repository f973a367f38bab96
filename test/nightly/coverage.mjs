/**
 * `coverage.mjs REPORT [ROOM]`: what a report in Istanbul's form says of each room, as a table, or of one room's files:
 * the lines that no test reaches and the lines of the branches that none takes.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import coverage from "istanbul-lib-coverage";

/** Folders whose folders are rooms. */
const halls = ["core", "core/build", "core/compiler", "core/ir", "rules", "targets", "targets/shared"];
const root = path.resolve(import.meta.dirname, "../..");
const [report, asked] = process.argv.slice(2);
const map = coverage.createCoverageMap(JSON.parse(readFileSync(report, "utf8")));
const files = map
  .files()
  .map((name) => ({ name: path.relative(root, name), coverage: map.fileCoverageFor(name) }))
  .sort((a, b) => a.name.localeCompare(b.name));

/** The room of a file: the folder below the deepest hall on its way, or the hall itself for its own files. */
function roomOf(name) {
  const hall = halls.filter((folder) => name.startsWith(`${folder}/`)).sort((a, b) => b.length - a.length)[0];
  if (hall === undefined) throw new Error(`${name} is in no room`);
  const below = name.slice(hall.length + 1).split("/");
  return below.length === 1 ? hall : `${hall}/${below[0]}`;
}

function percent({ covered, total }) {
  return total === 0 ? "" : ((100 * covered) / total).toFixed(1);
}

/** Numbers in order, with runs of them as FIRST-LAST. */
function ranges(numbers) {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  const runs = [];
  for (const n of sorted) {
    const last = runs.at(-1);
    if (last?.[1] === n - 1) last[1] = n;
    else runs.push([n, n]);
  }
  return runs.map(([a, b]) => (a === b ? `${a}` : `${a}-${b}`)).join(" ");
}

function untakenBranches({ branchMap, b }) {
  return Object.entries(branchMap).flatMap(([id, { locations }]) =>
    locations.filter((_, at) => b[id][at] === 0).map(({ start }) => start.line),
  );
}

if (asked === undefined) {
  const rooms = new Map();
  for (const { name, coverage: file } of files) {
    const room = roomOf(name);
    if (!rooms.has(room)) rooms.set(room, coverage.createCoverageSummary());
    rooms.get(room).merge(file.toSummary());
  }
  console.log("| room | lines | of | branches | of |\n|---|---|---|---|---|");
  for (const [room, { lines, branches }] of rooms)
    console.log(
      `| ${room} | ${percent(lines)} | ${lines.total} | ${percent(branches)} | ${branches.total} |`,
    );
  const { lines, branches } = map.getCoverageSummary();
  console.log(`| all | ${percent(lines)} | ${lines.total} | ${percent(branches)} | ${branches.total} |`);
} else {
  for (const { name, coverage: file } of files.filter(({ name }) => roomOf(name) === asked)) {
    const { lines, branches } = file.toSummary();
    if (lines.covered === lines.total && branches.covered === branches.total) continue;
    console.log(`${name}: lines ${percent(lines)}, branches ${percent(branches)}`);
    console.log(`  lines ${ranges(file.getUncoveredLines().map(Number))}`);
    console.log(`  branches ${ranges(untakenBranches(file.data))}`);
  }
}
