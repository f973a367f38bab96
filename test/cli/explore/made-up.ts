import type { Candidate } from "../../../cli/explore/model.ts";

/** A made-up space of 240 designs: what they take is the oracle's secret, estimates of time are off by up to 40 %. */
const windows = [1, 2, 4, 8, 16, 32];
export const space = windows.flatMap((window) =>
  [1, 2, 4, 8].flatMap((share) =>
    [60, 80, 100, 120, 140].flatMap((clock) =>
      [false, true].map((hoist) => ({ window, share, clock, hoist })),
    ),
  ),
);
const noise = (i: number, by: number): number => 1 + by * (((i * 7919) % 201) / 100 - 1);
export const truth = space.map(({ window, share, clock, hoist }, i) => {
  const reached = Math.min(clock, 130 - 6 * Math.log2(window) - (hoist ? 6 : 0));
  // Beyond 8 at a time memory brings no more; a clock that is missed costs an interval.
  const interval = share * (clock > reached + 10 ? 2 : 1);
  const seconds = (1e4 * interval) / Math.min(window, 8) / reached;
  const area = (8 + (9 * window) / share ** 0.7 + clock / 20) * (hoist ? 0.93 : 1);
  return [seconds * noise(i, 0.03), area * noise(i + 17, 0.03)] as const;
});
export const candidates = space.map(
  (axes, i): Candidate => ({
    id: String(i),
    axes,
    predicted: [((truth[i] as readonly number[])[0] as number) * noise(i * 31 + 5, 0.4), undefined],
  }),
);
export const feasible = (id: string): boolean =>
  ((truth[Number(id)] as readonly number[])[1] as number) <= 150;
