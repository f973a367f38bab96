/** What the cells of netlists are, by family: names of Yosys' own libraries. */
import type { Resources } from "../shared/report.ts";

type Amounts = readonly (readonly [cell: RegExp, resource: string, amount: number])[];

/** Distributed memory and shift registers take lookup tables. */
const cells: Amounts = [
  // iCE40
  [/^SB_LUT4$/, "luts", 1],
  [/^SB_DFF/, "ffs", 1],
  [/^SB_CARRY$/, "carries", 1],
  [/^SB_RAM40/, "rams", 1],
  [/^SB_MAC16$/, "dsps", 1],
  [/^SB_SPRAM256KA$/, "sprams", 1],
  // ECP5; a CCU2C is a carry over two lookup tables.
  [/^LUT4$/, "luts", 1],
  [/^CCU2C$/, "luts", 2],
  [/^TRELLIS_DPR16X4$/, "luts", 4],
  [/^TRELLIS_FF$/, "ffs", 1],
  [/^DP16KD$/, "rams", 1],
  [/^MULT18X18D$/, "dsps", 1],
  // 7 series; block RAM is counted in blocks of 36 kbit.
  [/^(LUT[1-356]|INV|SRL16E|SRLC32E)$/, "luts", 1],
  [/^(RAM32M|RAM64M)$/, "luts", 4],
  [/^(RAM32X1D|RAM64X1D)$/, "luts", 2],
  [/^FD[RSCP]E$/, "ffs", 1],
  [/^RAMB18E1$/, "rams", 0.5],
  [/^RAMB36E1$/, "rams", 1],
  [/^DSP48E1$/, "dsps", 1],
  // Cyclone V; an ALM holds two ALUTs.
  [/^MISTRAL_ALUT(\d|_ARITH)$/, "aluts", 1],
  [/^MISTRAL_(NOT|MLAB)$/, "aluts", 1],
  [/^MISTRAL_FF$/, "ffs", 1],
  [/^MISTRAL_M10K$/, "rams", 1],
  [/^MISTRAL_MUL(27X27|18X18|9X9)$/, "dsps", 1],
];

export interface NetlistCell {
  readonly name: string;
  readonly type: string;
}

export function amountsOf(netlist: readonly NetlistCell[]): Resources {
  const sum: Record<string, number> = {};
  for (const { type } of netlist) {
    const [, resource, amount] = cells.find(([cell]) => cell.test(type)) ?? [];
    if (resource !== undefined) sum[resource] = (sum[resource] ?? 0) + (amount as number);
  }
  return sum;
}
