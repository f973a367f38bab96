/**
 * `report.mjs COUNTS [ROOM]`: the share of lines and branches that the processes reached, as a table of rooms; or of one
 * room's files the lines and branches that none reached.
 */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { countedFiles, counting, tool } from "./counted.mjs";

const coverage = tool("istanbul-lib-coverage");

/** Folders whose folders are rooms. */
const halls = ["core", "core/build", "core/compiler", "core/ir", "rules", "targets", "targets/shared"];
const root = path.resolve(import.meta.dirname, "../../..");
const [counts, asked] = process.argv.slice(2);

/**
 * What all processes reached, as [file, digest, statements, branches] once for each text that a file had. Their files
 * are put together into one, as a run of all tests leaves thousands.
 */
function reachedByAny() {
  const all = new Map();
  const names = readdirSync(counts).filter((name) => name.endsWith(".json"));
  for (const name of names) {
    for (const [file, digest, statements, branches] of JSON.parse(
      readFileSync(path.join(counts, name), "utf8"),
    )) {
      const key = `${file} ${digest}`;
      if (!all.has(key)) all.set(key, { file, digest, statements: new Set(), branches: new Map() });
      const sum = all.get(key);
      for (const id of statements) sum.statements.add(id);
      for (const [id, ways] of branches)
        sum.branches.set(id, new Set([...(sum.branches.get(id) ?? []), ...ways]));
    }
  }
  const list = [...all.values()].map(({ file, digest, statements, branches }) => [
    file,
    digest,
    [...statements],
    [...branches].map(([id, ways]) => [id, [...ways]]),
  ]);
  writeFileSync(path.join(counts, "all.json.new"), JSON.stringify(list));
  renameSync(path.join(counts, "all.json.new"), path.join(counts, "all.json"));
  for (const name of names) if (name !== "all.json") rmSync(path.join(counts, name));
  return list;
}

/** What Istanbul knows of the counted files, by name. */
function withCounts() {
  const files = new Map();
  const digests = new Map();
  for (const name of countedFiles(root)) {
    if (asked !== undefined && roomOf(name) !== asked) continue;
    const { coverage: nothing, digest } = counting(root, name);
    files.set(name, coverage.createFileCoverage(nothing));
    digests.set(name, digest);
  }
  for (const [name, digest, statements, branches] of reachedByAny()) {
    if (digests.get(name) !== digest) continue;
    const { s, b } = files.get(name).data;
    for (const id of statements) s[id]++;
    for (const [id, ways] of branches) for (const way of ways) b[id][way]++;
  }
  return files;
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

/** Lines on which a way that none took begins; an `else` that is not written begins with its `if`. */
function untaken({ branchMap, b }) {
  return Object.entries(branchMap).flatMap(([id, { loc, locations }]) =>
    locations.flatMap(({ start }, way) => (b[id][way] === 0 ? [start.line ?? loc.start.line] : [])),
  );
}

function printRooms(files) {
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

/** Each line with `-` if nothing reached it, or with `?` and how many of its ways nothing took. */
function printFiles(files) {
  const all = coverage.createCoverageSummary();
  for (const file of files.values()) all.merge(file.toSummary());
  console.log(`all files: lines ${percent(all.lines)}, branches ${percent(all.branches)}`);
  for (const [name, file] of files) {
    const { lines, branches } = file.toSummary();
    if (lines.covered === lines.total && branches.covered === branches.total) continue;
    console.log(`${name}: lines ${percent(lines)}, branches ${percent(branches)}`);
    const missed = new Set(file.getUncoveredLines().map(Number));
    const ways = untaken(file.data);
    for (const [index, text] of readFileSync(path.join(root, name), "utf8").split("\n").entries()) {
      const mark = missed.has(index + 1)
        ? "-"
        : ways.includes(index + 1)
          ? `?${ways.filter((line) => line === index + 1).length}`
          : undefined;
      if (mark !== undefined) console.log(`${String(index + 1).padStart(5)} ${mark.padEnd(3)} ${text}`);
    }
  }
}

if (asked === undefined) printRooms(withCounts());
else printFiles(withCounts());
