/** nextpnr's report (`--report`, JSON): cells used and the clock that the slowest path allows. */
import type { LoopReport, Report, Resources } from "../shared/report.ts";

interface Timing {
  readonly fmax?: Readonly<Record<string, { readonly achieved: number }>>;
  readonly utilization?: Readonly<Record<string, { readonly available: number; readonly used: number }>>;
}

const cells: Readonly<Record<string, string>> = { ICESTORM_LC: "lcs", ICESTORM_RAM: "rams" };

/** `files`: nextpnr's report, and `schedule.json`, the loops as they were scheduled. Never throws. */
export function readReport(files: ReadonlyMap<string, string>): Report {
  const problems: string[] = [];
  const parsed = <T>(name: string): T | undefined => {
    try {
      return JSON.parse(files.get(name) ?? "null") ?? undefined;
    } catch (error) {
      problems.push(`${name}: ${error instanceof Error ? error.message : error}`);
      return undefined;
    }
  };
  const timing = parsed<Timing>("timing.json");
  const clocks = Object.values(timing?.fmax ?? {}).map((c) => c.achieved);
  const amounts = (of: (cell: { available: number; used: number }) => number): Resources =>
    Object.fromEntries(
      Object.entries(cells).flatMap(([cell, name]) => {
        const found = timing?.utilization?.[cell];
        return found ? [[name, of(found)]] : [];
      }),
    );
  return {
    loops: parsed<readonly LoopReport[]>("schedule.json") ?? [],
    resources: amounts((c) => c.used),
    percent: amounts((c) => (100 * c.used) / c.available),
    ...(clocks.length > 0 && { fmax: Math.min(...clocks) }),
    problems,
  };
}
