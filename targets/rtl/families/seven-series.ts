/** AMD's 7 series: arc knows no open place and route for it. */
import xc7a35t from "../../devices/xc7a35t.json" with { type: "json" };
import xc7z020 from "../../devices/xc7z020.json" with { type: "json" };
import type { Family, Part } from "./family.ts";

const sevenSeries: Family = {
  name: "7 series",
  synthesis: (top) => [`synth_xilinx -flatten -top ${top}`],
  cells: [
    [/^(LUT[1-356]|INV|SRL16E|SRLC32E)$/, "luts", 1],
    [/^(RAM32M|RAM64M)$/, "luts", 4],
    [/^(RAM32X1D|RAM64X1D)$/, "luts", 2],
    [/^FD[RSCP]E$/, "ffs", 1],
    // In blocks of 36 kbit.
    [/^RAMB18E1$/, "rams", 0.5],
    [/^RAMB36E1$/, "rams", 1],
    [/^DSP48E1$/, "dsps", 1],
  ],
};

export const sevenSeriesParts: Readonly<Record<string, Part>> = {
  xc7a35t: { family: sevenSeries, table: xc7a35t, device: [] },
  xc7z020: { family: sevenSeries, table: xc7z020, device: [] },
};
