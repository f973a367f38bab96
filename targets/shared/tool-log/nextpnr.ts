/** nextpnr: packing, the analytic placer's iterations, annealing, and the routers' counts. */
import { resourceWords } from "../kind/report.ts";
import type { PhaseReader, ToolFailure, ToolLog } from "./tool-log.ts";

interface CellKind {
  /** Its name in reports. */
  readonly word: string;
  /** How many cells of another kind it replaces; absent: other kinds are counted in terms of it. */
  readonly places?: number;
}

/** nextpnr's cells for all architectures. */
const cells: Readonly<Record<string, CellKind>> = {
  ICESTORM_LC: { word: "lcs" },
  ICESTORM_RAM: { word: "rams" },
  ICESTORM_DSP: { word: "dsps" },
  ICESTORM_SPRAM: { word: "sprams" },
  TRELLIS_COMB: { word: "luts" },
  TRELLIS_FF: { word: "ffs" },
  DP16KD: { word: "rams" },
  MULT18X18D: { word: "dsps" },
  OXIDE_COMB: { word: "luts" },
  OXIDE_FF: { word: "ffs" },
  OXIDE_EBR: { word: "rams" },
  LRAM_CORE: { word: "lrams" },
  MULT18_CORE: { word: "dsps" },
  // Gowin.
  LUT4: { word: "luts" },
  ALU: { word: "luts", places: 1 },
  RAM16SDP4: { word: "luts", places: 4 },
  DFF: { word: "ffs" },
  BSRAM: { word: "rams" },
  MULT18X18: { word: "dsps" },
  MULT9X9: { word: "dsps", places: 0.5 },
  MULT36X36: { word: "dsps", places: 4 },
};

export interface Utilization {
  readonly used: number;
  readonly available: number;
}

/** From nextpnr's cell counts: what a design uses of a part and what the part has, under the names used in reports. */
export function utilization(
  counts: Readonly<Record<string, Utilization>>,
): Readonly<Record<string, Utilization>> {
  const sum: Record<string, Utilization> = {};
  for (const [cell, { used, available }] of Object.entries(counts)) {
    const kind = cells[cell];
    if (kind === undefined) continue;
    const { word, places } = kind;
    const before = sum[word] ?? { used: 0, available: 0 };
    sum[word] = {
      used: before.used + used * (places ?? 1),
      available: before.available + (places === undefined ? available : 0),
    };
  }
  return sum;
}

const iteration = /^\s+at iteration #(?<count>\d+)[:,].*?(?:legal|wirelen) = (?<length>\d+)\s*(?:;.*)?$/;
/** Router 1's table: iterations, arcs with and without rip-up, the same since the row before, arcs left, times. */
const table = /^\s+\d+ \|(?:\s+\d+){2} \|(?:\s+\d+){2} \|\s+(?<left>\d+)\|/;
const router2 = /^\s+iter=(?<count>\d+) .*\boverused=(?<overused>\d+)/;

function phases(): PhaseReader {
  let stage = "";
  let arcs = "";
  return (line) => {
    const text = line.replace(/^Info: /, "");
    if (text === line) return undefined;
    const one = (pattern: RegExp): string | undefined => pattern.exec(text)?.[1];
    if (/^Pack(?:ing)? /.test(text)) return "packing";
    const cells = one(/^Creating initial analytic placement for (\d+) cells/);
    if (cells !== undefined) stage = `placing ${cells} cells`;
    else if (/^Running simulated annealing placer/.test(text)) stage = "refining the placement";
    else {
      const step = iteration.exec(text)?.groups;
      if (step && stage !== "") return `${stage}: iteration ${step.count}, wire length ${step.length}`;
      const total = one(/^Routing (\d+) arcs/);
      if (total !== undefined) {
        arcs = total;
        stage = `routing ${arcs} arcs`;
      } else if (/^Running router2/.test(text)) stage = "routing";
      else if (/^Routing complete/.test(text)) return "writing the layout";
      else {
        const left = table.exec(text)?.groups?.left;
        if (left !== undefined) return `routing: ${left} of ${arcs} arcs left`;
        const round = router2.exec(text)?.groups;
        return round && `routing: iteration ${round.count}, ${round.overused} wires overused`;
      }
    }
    return stage;
  };
}

export const nextpnrLog: ToolLog = {
  phases,
  // Pins depend on the board: a design without constraints is placed anywhere.
  matters: (line) => /^(?:Warning|ERROR): /i.test(line) && !/No PCF file specified/.test(line),
  failure: (log) => noSuchPin(log) ?? doesNotFit(log),
};

/** In the messages for iCE40, ECP5, Nexus and Gowin. */
const noPin = [
  /package does not have a pin named '?(\w+)/,
  /constrained to pin '(\w+)', which does not exist for package/,
  /is constrained to invalid pin '(\w+)'/,
  /Pin (\w+) not found \(pin# style\)/,
];

function noSuchPin(log: string): ToolFailure | undefined {
  const pin = noPin.map((words) => words.exec(log)?.[1]).find((found) => found !== undefined);
  if (pin === undefined) return undefined;
  return {
    code: "no-such-pin",
    message: `the part's package has no pin ${pin}`,
    why: "the target's `pins` are names of the package's pins",
    remedy: "correct it in `pins`, or leave the signal out there",
  };
}

function doesNotFit(log: string): ToolFailure | undefined {
  const rows = [...log.matchAll(/^Info:\s+(\w+):\s*(\d+)\s*\/\s*(\d+)\s+\d+%/gm)].map(
    ([, cell = "", used, all]) => [cell, { used: Number(used), available: Number(all) }] as const,
  );
  const known = Object.entries(utilization(Object.fromEntries(rows)));
  const others = rows.filter(([cell]) => cells[cell] === undefined);
  const needs = ([word, { used, available }]: readonly [string, Utilization]) =>
    `${used} ${resourceWords[word] ?? word} of ${available}`;
  const over = [...known, ...others].filter(([, { used, available }]) => used > available).map(needs);
  const crowded = /Unable to find legal placement for all cells/.test(log);
  if (over.length === 0 && !crowded) return undefined;
  const [luts] = known.filter(([word]) => word === "lcs" || word === "luts");
  return {
    code: "does-not-fit",
    message:
      over.length > 0
        ? `the design does not fit the part: it needs ${over.join(", ")}`
        : `place and route found no place for all cells of the design${luts === undefined ? "" : `: it needs ${needs(luts)}`}`,
    why: "operators, delay lines and memory of a region are circuits that are all there at once",
    remedy: "unroll less, make windows and local arrays smaller or types narrower, or name a larger part",
  };
}
