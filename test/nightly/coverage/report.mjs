/**
 * `report.mjs COUNTS [ROOM]`: the share of lines and branches that the processes reached, as a table of rooms; or of one
 * room's files the lines and branches that none reached.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { countedFiles, counting, tool } from "./counted.mjs";

const coverage = tool("istanbul-lib-coverage");

/** Folders whose folders are rooms. */
const halls = ["core", "core/build", "core/compiler", "core/ir", "rules", "targets", "targets/shared"];
const root = path.resolve(import.meta.dirname, "../../..");
const [counts, asked] = process.argv.slice(2);

const files = new Map(
  countedFiles(root).map((name) => [name, coverage.createFileCoverage(counting(root, name).coverage)]),
);
for (const name of readdirSync(counts)) {
  for (const [file, statements, branches] of JSON.parse(readFileSync(path.join(counts, name), "utf8"))) {
    const data = files.get(file)?.data;
    if (!data) continue;
    for (const id of statements) data.s[id]++;
    for (const [id, ways] of branches) for (const way of ways) data.b[id][way]++;
  }
}

/** The room of a file: the folder below the deepest hall on its way, or the hall itself for its own files. */
function roomOf(name) {
  const hall = halls.filter((folder) => name.startsWith(`${folder}/`)).sort((a, b) => b.length - a.length)[0];
  const below = name.slice(hall.length + 1).split("/");
  return below.length === 1 ? hall : `${hall}/${below[0]}`;
}

function percent({ covered, total }) {
  return total === 0 ? "" : ((100 * covered) / total).toFixed(1);
}

/** Numbers in order, with runs of them as FIRST-LAST. */
function ranges(numbers) {
  const runs = [];
  for (const n of [...new Set(numbers)].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last?.[1] === n - 1) last[1] = n;
    else runs.push([n, n]);
  }
  return runs.map(([a, b]) => (a === b ? `${a}` : `${a}-${b}`)).join(" ");
}

/** Lines on which a way that none took begins; an `else` that is not written begins with its `if`. */
function untaken({ branchMap, b }) {
  return Object.entries(branchMap).flatMap(([id, { loc, locations }]) =>
    locations.flatMap(({ start }, way) => (b[id][way] === 0 ? [start.line ?? loc.start.line] : [])),
  );
}

function printRooms() {
  const rooms = new Map([["all", coverage.createCoverageSummary()]]);
  for (const [name, file] of files) {
    const room = roomOf(name);
    if (!rooms.has(room)) rooms.set(room, coverage.createCoverageSummary());
    for (const summary of [rooms.get(room), rooms.get("all")]) summary.merge(file.toSummary());
  }
  console.log("| room | lines | of | branches | of |\n|---|---|---|---|---|");
  for (const [room, { lines, branches }] of [...rooms].sort(([a], [b]) => a.localeCompare(b)))
    console.log(
      `| ${room} | ${percent(lines)} | ${lines.total} | ${percent(branches)} | ${branches.total} |`,
    );
}

function printFiles(room) {
  for (const [name, file] of files) {
    const { lines, branches } = file.toSummary();
    if (roomOf(name) !== room || (lines.covered === lines.total && branches.covered === branches.total))
      continue;
    console.log(`${name}: lines ${percent(lines)}, branches ${percent(branches)}`);
    console.log(`  lines ${ranges(file.getUncoveredLines().map(Number))}`);
    console.log(`  branches ${ranges(untaken(file.data))}`);
  }
}

if (asked === undefined) printRooms();
else printFiles(asked);
