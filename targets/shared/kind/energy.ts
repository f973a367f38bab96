/** A model of the energy that a design on an FPGA takes. It tells variants of one part apart, and no more. */

/** Of a part's core; what its pins, its memory blocks and a PLL take is not in it. */
export interface Power {
  /** Watts while its clock stands still. */
  readonly still: number;
  /** Joules of a cycle of the clock's network, however little hangs on it. */
  readonly cycle: number;
  /** Joules of a cycle of a logic cell whose operands change in every cycle, its wires included. */
  readonly cell: number;
  /** Where the figures are from, or what they were computed from. */
  readonly source: string;
}

/** Joules of a launch that keeps so many logic cells busy for so many cycles, which take so many seconds. */
export const launchEnergy = (
  { still, cycle, cell }: Power,
  cells: number,
  cycles: number,
  seconds: number,
): number => cycles * (cycle + cells * cell) + seconds * still;
