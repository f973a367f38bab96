/** The table of kernels as hardware, used for all kinds of FPGA target. */
import { type Resources, rescheduledWords, resourceWords } from "../../rules/steps/kernels/hardware.ts";
import { fitted } from "../show/fit.ts";
import { duration, plural, seconds } from "../show/words.ts";
import type { HardwareLoop, HardwareRow } from "./rows.ts";

const header = [
  "variant",
  "kernel",
  "loop",
  "II",
  "limited by",
  "cycles",
  "MHz",
  "area",
  "time",
  "from",
  "tools",
];

/** Empty if there are no rows. `width`: as for `fitted`. */
export function hardwareTable(rows: readonly HardwareRow[], width = Number.POSITIVE_INFINITY): string {
  if (rows.length === 0) return "";
  const several = new Set(rows.map(({ variant }) => variant)).size > 1;
  const notes = rows.flatMap((row) =>
    [
      ...clockNotes(row),
      ...fillNotes(row),
      ...pathNotes(row),
      ...areaNotes(row),
      ...countNotes(row),
      ...(row.lacks === undefined ? [] : [`${row.kernel}: no bitstream: ${row.lacks}`]),
    ].map((note) => (several ? `${row.variant} ${note}` : note)),
  );
  return `${fitted([header, ...rows.flatMap(linesOf)], width)}${notes.map((note) => `  ${note}\n`).join("")}`;
}

/** One line per loop; the first also has the kernel's own figures. */
function linesOf(row: HardwareRow): readonly string[][] {
  const loops: readonly (HardwareLoop | undefined)[] = row.loops.length > 0 ? row.loops : [undefined];
  return loops.map((loop, k) => {
    const own = (text: string) => (k === 0 ? text : "");
    return [
      own(row.variant),
      own(row.kernel),
      loop?.place.replace(/^.*?(\d+)$/, "line $1") ?? "",
      loop?.ii === undefined ? "" : String(Math.round(100 * loop.ii) / 100),
      loop?.ii === 1 ? "" : (loop?.limit ?? ""),
      own(cyclesOf(row)),
      own(row.clock === undefined ? "" : row.clock.toFixed(1)),
      own(row.failure ?? areaOf(row)),
      own(row.seconds === undefined ? "" : duration(row.seconds)),
      own(sources[row.from]),
      own(toolsOf(row)),
    ];
  });
}

const sources: Readonly<Record<HardwareRow["from"], string>> = {
  schedule: "arc's schedule",
  estimate: "estimate",
  report: "the vendor's report",
  synthesis: "synthesis only",
  layout: "place and route",
};

function cyclesOf({ cycles }: HardwareRow): string {
  if (cycles === undefined) return "";
  const value = String(Math.round(cycles.value));
  if (cycles.from === "predicted") return `${value} predicted`;
  return (cycles.launches ?? 1) === 1 ? value : `${value} in each of ${cycles.launches} launches`;
}

/**
 * Resources that are not used are left out; lookup tables and flip-flops are part of logic cells where those are
 * counted.
 */
function areaOf({ resources, percent }: HardwareRow): string {
  const shown = Object.keys(resourceWords).filter(
    (what) => (resources[what] ?? 0) > 0 && !(resources.lcs !== undefined && /^(luts|ffs)$/.test(what)),
  );
  return shown
    .map((what) => {
      const share = percent[what];
      return `${resources[what]} ${resourceWords[what]}${share === undefined ? "" : ` (${Math.round(share)} %)`}`;
    })
    .join(", ");
}

function toolsOf({ tools, how, from }: HardwareRow): string {
  const took = tools === undefined ? "" : seconds(tools);
  if (how === undefined) return took;
  return how === "built" ? `${from === "estimate" ? "estimated" : "built"} in ${took}` : how;
}

function clockNotes({ kernel, rescheduled, clock }: HardwareRow): readonly string[] {
  return rescheduled === undefined ? [] : [`${kernel}: ${rescheduledWords(rescheduled, clock)}`];
}

function fillNotes({ kernel, loops }: HardwareRow): readonly string[] {
  return loops.flatMap(({ place, fill, trips }) =>
    fill === undefined
      ? []
      : [
          `${kernel}: each run of the loop at ${place} takes ${Math.round(fill)} cycles to fill and drain${
            trips === undefined ? "" : `, beside ${plural(trips, "iteration")}`
          }`,
        ],
  );
}

/** Shorter steps of a path (in nanoseconds) are merged with the step before. */
const short = 0.3;

function pathNotes({ kernel, critical }: HardwareRow): readonly string[] {
  if (critical === undefined) return [];
  const steps: { where: string; nanoseconds: number }[] = [];
  for (const { source, signal, nanoseconds } of critical.steps) {
    const where = source === undefined ? signal : `${source.file}:${source.line}`;
    const last = steps.at(-1);
    if (last !== undefined && (nanoseconds < short || last.where === where)) last.nanoseconds += nanoseconds;
    else steps.push({ where, nanoseconds });
  }
  const way = steps.map((step) => `${step.where} ${step.nanoseconds.toFixed(1)}`).join(" -> ");
  return [`${kernel}: slowest path ${critical.nanoseconds.toFixed(1)} ns: ${way}`];
}

const listed = (resources: Resources): string =>
  Object.entries(resources)
    .filter(([what]) => resourceWords[what] !== undefined)
    .map(([what, n]) => `${n} ${resourceWords[what]}`)
    .join(", ");

/** The source lines that take the most area. */
function areaNotes({ kernel, lines, wrapper }: HardwareRow): readonly string[] {
  const largest = (lines ?? []).slice(0, 3).map((l) => `${l.file}:${l.line} ${listed(l.resources)}`);
  const notes = largest.length === 0 ? [] : [`${kernel}: area by line: ${largest.join("; ")}`];
  const frame = wrapper === undefined ? "" : listed(wrapper);
  return frame === "" ? notes : [...notes, `${kernel}: of its area the wrapper has ${frame}`];
}

function countNotes({ kernel, counted }: HardwareRow): readonly string[] {
  if (counted === undefined) return [];
  const { part, resources } = counted;
  return [`${kernel}: synthesis only, of arc's own Verilog for ${part}: ${listed(resources)}`];
}
