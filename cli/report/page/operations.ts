/** How many operations measured kernels did. */
import type { ProfileRow } from "../../bench/device-times.ts";

/** Of a region that became several kernels the one that takes longest has its operations: others put results together. */
export function operationsOf(
  { kind, region, kernel }: ProfileRow,
  operations: Readonly<Record<string, number>>,
  rows: readonly ProfileRow[],
): number | undefined {
  if (kind !== "launch" || region === undefined) return undefined;
  const [longest] = rows.filter((row) => row.region === region).sort((a, b) => b.seconds - a.seconds);
  return longest?.kernel === kernel ? operations[region] || undefined : undefined;
}
