/** What the last report of a project knows of a line: the loop that begins there, or the kernel. */
import { statSync } from "node:fs";
import path from "node:path";
import { findProjectFolder } from "../call/project-folder.ts";
import type { HardwareLoop, HardwareRow } from "../hardware/rows.ts";
import { storedReports } from "../report/stored.ts";
import { duration } from "../show/words.ts";

/** How many variants are listed: a hover is read at a glance. */
const MOST = 8;

/** Markdown; undefined if nothing is known. `line`: counted from 1. */
export function knownFigures(file: string, line: number): string | undefined {
  const root = findProjectFolder(path.dirname(file), undefined);
  const report = storedReports(root).at(-1);
  if (report === undefined) return undefined;
  const place = `${path.relative(root, file).replaceAll("\\", "/")}:${line}`;
  const rows = report.variants.flatMap(({ hardware = [], sameDesign }) =>
    sameDesign === undefined ? hardware : [],
  );
  const known = rows.flatMap((row) => {
    const texts = [
      ...(placeOf(row.kernel) === place ? [kernelText(row)] : []),
      ...row.loops.flatMap((loop) => (loopPlace(row, loop) === place ? [loopText(loop)] : [])),
    ].filter((text) => text !== "");
    return texts.length === 0 ? [] : [`- \`${row.variant}\`: ${texts.join("; ")}`];
  });
  if (known.length === 0) return undefined;
  const more = known.length > MOST ? [`- and ${known.length - MOST} more`] : [];
  return [...known.slice(0, MOST), ...more, "", `From ${ageOf(report.at, file)}.`].join("\n");
}

/** `edges (src/edges.c:11)`. */
const placeOf = (kernel: string): string | undefined => /\((.*:\d+)\)$/.exec(kernel)?.[1];

/** A vendor's loops have the line alone. */
function loopPlace({ kernel }: HardwareRow, { place }: HardwareLoop): string {
  const file = placeOf(kernel)?.replace(/:\d+$/, "");
  return place.replace(/^line (\d+)$/, (_, number: string) => `${file}:${number}`);
}

function loopText({ ii, limit, trips }: HardwareLoop): string {
  if (ii === undefined) return "";
  const interval = Math.round(100 * ii) / 100;
  const every = interval === 1 ? "an iteration in each cycle" : `an iteration every ${interval} cycles`;
  const by = interval === 1 || !limit ? "" : `, limited by ${limit}`;
  return `${every}${by}${trips === undefined ? "" : `, ${trips} iterations`}`;
}

function kernelText({ seconds, cycles, clock }: HardwareRow): string {
  return [
    ...(seconds === undefined ? [] : [`${duration(seconds)} a launch`]),
    ...(cycles === undefined
      ? []
      : [`${Math.round(cycles.value)} cycles${cycles.from === "predicted" ? ", predicted" : ""}`]),
    ...(clock === undefined ? [] : [`${clock.toFixed(1)} MHz`]),
  ].join(", ");
}

function ageOf(at: number, file: string): string {
  const day = new Date(at).toISOString().slice(0, 16).replace("T", " ");
  const isOlder = (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > at;
  return `the report of ${day} UTC${isOlder ? ", and the file has changed since" : ""}`;
}
