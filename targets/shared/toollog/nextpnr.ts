/** nextpnr: packing, the analytic placer's iterations, annealing, and the routers' counts. */
import { resourceWords } from "../report.ts";
import type { PhaseReader, ToolFailure, ToolLog } from "./tool-log.ts";

/** What nextpnr's cells are in reports. */
export const nextpnrCells: Readonly<Record<string, string>> = {
  ICESTORM_LC: "lcs",
  ICESTORM_RAM: "rams",
  ICESTORM_DSP: "dsps",
  ICESTORM_SPRAM: "sprams",
  TRELLIS_COMB: "luts",
  TRELLIS_FF: "ffs",
  DP16KD: "rams",
  MULT18X18D: "dsps",
};

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
    if (/^Packing /.test(text)) return "packing";
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
  // Pins are the board's business: a design without constraints is placed where it fits.
  matters: (line) => /^(?:Warning|ERROR): /i.test(line) && !/No PCF file specified/.test(line),
  failure: (log) => noSuchPin(log) ?? doesNotFit(log),
};

function noSuchPin(log: string): ToolFailure | undefined {
  const [, pin] = /package does not have a pin named '?(\w+)/.exec(log) ?? [];
  if (pin === undefined) return undefined;
  return {
    code: "no-such-pin",
    message: `the part's package has no pin ${pin}`,
    why: "the target's `pins` are names of the package's pins",
    remedy: "correct it in `pins`, or leave the signal out there: place and route then chooses a pin",
  };
}

function doesNotFit(log: string): ToolFailure | undefined {
  const rows = log.matchAll(/^Info:\s+(?<cell>\w+):\s*(?<used>\d+)\s*\/\s*(?<all>\d+)\s+\d+%/gm);
  const over = [...rows].flatMap(({ groups = {} }) => {
    const { cell, used, all } = groups;
    const word = resourceWords[nextpnrCells[cell ?? ""] ?? ""] ?? cell;
    return Number(used) > Number(all) ? [`${used} ${word} of ${all}`] : [];
  });
  if (over.length === 0) return undefined;
  return {
    code: "does-not-fit",
    message: `the design does not fit the part: it needs ${over.join(", ")}`,
    why: "operators, delay lines and memory of a region are circuits that are all there at once",
    remedy: "unroll less, make windows and local arrays smaller or types narrower, or name a larger part",
  };
}
