/**
 * The PLL of iCE40s, which makes a board's clock from its oscillator's. Lattice, iCE40 sysCLOCK PLL Design and Usage
 * Guide (FPGA-TN-02052): with simple feedback the clock is oscillator / (DIVR + 1) * (DIVF + 1) / 2^DIVQ.
 */

export interface Pll {
  readonly divr: number;
  readonly divf: number;
  readonly divq: number;
  /** FILTER_RANGE, by the frequency at the phase detector. */
  readonly filter: number;
  /** The output clock in MHz. */
  readonly clock: number;
}

/** In MHz: the oscillator, the phase detector's input, the voltage-controlled oscillator, the output. */
const limits = { input: [10, 133], detector: [10, 133], vco: [533, 1066], output: [16, 275] } as const;

const within = (value: number, [low, high]: readonly [number, number]): boolean =>
  low <= value && value <= high;

/** Upper ends of the phase detector's ranges, in MHz; beyond the last one the filter is 6. */
const filters = [17, 26, 44, 66, 101];

/**
 * The setting with the highest clock that does not exceed the requested one, so that a design that meets the request
 * also meets the setting; undefined: there is none.
 */
export function pllFor(oscillator: number, clock: number): Pll | undefined {
  if (!within(oscillator, limits.input)) return undefined;
  let best: Pll | undefined;
  for (let divr = 0; divr < 16; divr += 1) {
    const detector = oscillator / (divr + 1);
    if (!within(detector, limits.detector)) continue;
    const range = filters.findIndex((end) => detector < end);
    for (let divf = 0; divf < 128; divf += 1) {
      const vco = detector * (divf + 1);
      if (!within(vco, limits.vco)) continue;
      for (let divq = 1; divq <= 6; divq += 1) {
        const output = vco / 2 ** divq;
        if (!within(output, limits.output) || output > clock || (best && output <= best.clock)) continue;
        best = { divr, divf, divq, filter: range < 0 ? filters.length + 1 : range + 1, clock: output };
      }
    }
  }
  return best;
}

/** From the pin's signal `clk` to `clock`; `locked` is low until the clock is stable. */
export const pllInstance = ({ divr, divf, divq, filter }: Pll) =>
  `SB_PLL40_CORE #(
    .FEEDBACK_PATH("SIMPLE"), .DIVR(4'd${divr}), .DIVF(7'd${divf}), .DIVQ(3'd${divq}), .FILTER_RANGE(3'd${filter})
  ) pll (
    .REFERENCECLK(clk), .PLLOUTCORE(clock), .LOCK(locked), .RESETB(1'b1), .BYPASS(1'b0)
  );`;
