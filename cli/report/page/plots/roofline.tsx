/**
 * Roofline of the kernels: operations per second against operations per byte, below the slope of the memory's peak
 * bandwidth and the flat roof of the device's peak compute rate (Williams, Waterman and Patterson, Roofline, 2009).
 * Without a known peak compute rate there is no flat roof.
 */
import type { ProfileRow } from "../../../bench/device-times.ts";
import { duration } from "../../../show/words.ts";
import type { MeasuredRun } from "../../model/page-data.ts";
import { Plot } from "./plot.tsx";

interface Point {
  readonly name: string;
  /** Operations per byte. */
  readonly intensity: number;
  /** Per second. */
  readonly operations: number;
  readonly seconds: number;
  readonly peak?: number;
  readonly compute?: number;
}

export function Roofline({ one }: { readonly one: MeasuredRun }) {
  const points = pointsOf(one);
  if (points.length === 0) return null;
  const peak = Math.max(0, ...points.map((point) => point.peak ?? 0));
  const [low, high] = [0.5, 2].map((factor) => {
    const all = points.map(({ intensity }) => intensity);
    return factor < 1 ? factor * Math.min(...all) : factor * Math.max(...all);
  }) as [number, number];
  const compute = Math.max(0, ...points.map((point) => point.compute ?? 0));
  const roof = roofOf(low, high, peak, compute);
  const assumed = one.assumed === undefined ? "" : ` Sizes that are not known: ${one.assumed.join("; ")}.`;
  const description =
    peak === 0
      ? "This device does not say how much its memory moves: no roof is drawn."
      : `The line is the memory's peak, ${(peak / 1e9).toPrecision(3)} GB/s: a kernel near it waits for memory.${
          compute === 0
            ? ""
            : ` It ends at what the device computes at most, ${(compute / 1e9).toPrecision(3)} GFLOP/s.`
        }`;
  return (
    <>
      <h3>Roofline</h3>
      <Plot
        height={320}
        label={`Operations a second of ${points.length === 1 ? "a kernel" : `${points.length} kernels`} against operations per byte of the arrays that it was passed. ${description}${assumed}`}
        version={JSON.stringify([one.variant, one.run, points])}
        options={(_, { dot, line, pointer, text, tip }) => ({
          marginLeft: 70,
          marginRight: 30,
          grid: true,
          x: { type: "log", label: "floating-point operations per byte", domain: [low, high], ticks: 5 },
          y: { type: "log", label: "GFLOP/s", ticks: 5, nice: true },
          marks: [
            line(roof, {
              x: "intensity",
              y: (point: (typeof roof)[number]) => point.operations / 1e9,
              stroke: "var(--dim)",
              strokeWidth: 1.5,
            }),
            dot(points, {
              x: "intensity",
              y: ({ operations }: Point) => operations / 1e9,
              r: ({ seconds }: Point) => Math.sqrt(seconds),
              fill: "var(--accent)",
              fillOpacity: 0.75,
              stroke: "var(--page)",
            }),
            text(points, {
              x: "intensity",
              y: ({ operations }: Point) => operations / 1e9,
              text: "name",
              dy: -16,
              fill: "currentColor",
            }),
            tip(
              points,
              pointer({
                x: "intensity",
                y: ({ operations }: Point) => operations / 1e9,
                fill: "var(--page)",
                title: (point: Point) =>
                  `${point.name}\n${(point.operations / 1e9).toPrecision(3)} GFLOP/s\n${point.intensity.toPrecision(3)} operations per byte\n${duration(point.seconds)}`,
              }),
            ),
          ],
          r: { range: [4, 12] },
        })}
      />
    </>
  );
}

/** Between two intensities: the slope up to where memory no longer holds kernels up, then flat. */
export function roofOf(
  low: number,
  high: number,
  peak: number,
  compute: number,
): readonly { readonly intensity: number; readonly operations: number }[] {
  if (peak === 0) return [];
  const at = (intensity: number) => ({
    intensity,
    operations: compute === 0 ? intensity * peak : Math.min(intensity * peak, compute),
  });
  const ridge = compute / peak;
  return (ridge > low && ridge < high ? [low, ridge, high] : [low, high]).map(at);
}

/** If a region became several kernels, its operations count for the longest one: the others only combine results. */
export function operationsOf(
  { kind, region, kernel, operations: counted }: ProfileRow,
  operations: Readonly<Record<string, number>>,
  rows: readonly ProfileRow[],
): number | undefined {
  if (kind !== "launch" || region === undefined) return undefined;
  if (counted) return counted;
  const [longest] = rows.filter((row) => row.region === region).sort((a, b) => b.seconds - a.seconds);
  return longest?.kernel === kernel ? operations[region] || undefined : undefined;
}

function pointsOf({ rows = [], operations = {} }: MeasuredRun): readonly Point[] {
  return rows.flatMap((row): readonly Point[] => {
    const count = operationsOf(row, operations, rows);
    if (!count || !row.bytes || row.seconds === 0) return [];
    return [
      {
        name: row.kernel?.replace(/_[0-9a-f]{8}(?=_|$)/, "") ?? "",
        intensity: count / row.bytes,
        operations: count / row.seconds,
        seconds: row.seconds,
        ...(row.peak !== undefined && { peak: row.peak }),
        ...(row.compute !== undefined && { compute: row.compute }),
      },
    ];
  });
}
