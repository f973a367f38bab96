/**
 * Reads Vitis HLS's report on a kernel from `csynth.xml` and the `NAME_csynth.xml` files beside it (UG1399, "Synthesis
 * Reports"; no schema is published). Elements are found by name at any position, and missing ones are left out.
 */
import type { LoopReport, Report, Resources } from "../shared/kind/report.ts";
import { type Element, find, parseXml, textOf } from "./xml.ts";

/** `files`: name without folder -> text. Never throws. */
export function readReport(files: ReadonlyMap<string, string>): Report {
  const problems: string[] = [];
  const loops: LoopReport[] = [];
  let resources: Resources = {};
  let available: Resources = {};
  let period: number | undefined;
  // The top's own report repeats that in `csynth.xml`.
  const named = [...files].filter(([name]) => name.endsWith("_csynth.xml"));
  const chosen = named.length > 0 ? named : [...files].filter(([name]) => name.endsWith("csynth.xml"));
  for (const [name, text] of chosen) {
    const root = parseXml(text);
    if (root === undefined) {
      problems.push(`${name}: it is no XML`);
      continue;
    }
    loops.push(...loopsOf(root));
    const area = find(root, "AreaEstimates");
    const own = amounts(area && find(area, "Resources"));
    // A function's share is included in its caller's.
    if (sum(own) > sum(resources)) {
      resources = own;
      available = amounts(area && find(area, "AvailableResources"));
      period = numberOf(textOf(find(root, "EstimatedClockPeriod")));
    }
  }
  const percent = Object.fromEntries(
    Object.entries(resources).flatMap(([kind, n]) => {
      const all = available[kind];
      return all === undefined || all === 0 ? [] : [[kind, (100 * n) / all]];
    }),
  );
  return {
    loops,
    resources,
    percent,
    ...(period !== undefined && period > 0 && { fmax: 1000 / period }),
    problems,
  };
}

/** Each child of SummaryOfLoopLatency is a loop, named like its element; inner loops are its children. */
function loopsOf(root: Element): readonly LoopReport[] {
  const summary = find(root, "SummaryOfLoopLatency");
  const from = (element: Element): LoopReport[] =>
    element.children.flatMap((child) => {
      if (!child.children.some((c) => /^(TripCount|Latency|IterationLatency|PipelineII)$/.test(c.name)))
        return [];
      const ii = numberOf(textOf(child.children.find((c) => c.name === "PipelineII")));
      const name = textOf(child.children.find((c) => c.name === "Name")) || child.name;
      const line = /:(\d+)$/.exec(textOf(child.children.find((c) => c.name === "SourceLocation")))?.[1];
      return [
        {
          name,
          pipelined: ii !== undefined,
          ...(ii !== undefined && { ii }),
          ...(line !== undefined && { line: Number(line) }),
        },
        ...from(child),
      ];
    });
  return summary ? from(summary) : [];
}

const kinds: Readonly<Record<string, string>> = {
  BRAM_18K: "rams",
  DSP: "dsps",
  DSP48E: "dsps",
  FF: "ffs",
  LUT: "luts",
  URAM: "urams",
};

function amounts(element: Element | undefined): Resources {
  return Object.fromEntries(
    (element?.children ?? []).flatMap((child) => {
      const kind = kinds[child.name];
      const n = numberOf(textOf(child));
      return kind === undefined || n === undefined ? [] : [[kind, n]];
    }),
  );
}

const sum = (r: Resources): number => Object.values(r).reduce((a, b) => a + b, 0);

function numberOf(text: string): number | undefined {
  const digits = /^\s*~?(\d+(\.\d+)?)/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
