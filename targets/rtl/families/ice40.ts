/** iCE40, with Project IceStorm. */
import type { LogicDevice } from "../../../core/hw/operators/device.ts";
import hx8k from "../../devices/ice40-hx8k.json" with { type: "json" };
import lp8k from "../../devices/ice40-lp8k.json" with { type: "json" };
import up5k from "../../devices/ice40-up5k.json" with { type: "json" };
import type { Power } from "../../shared/kind/energy.ts";
import type { Family, Part } from "./family.ts";

const icePackage = "@yowasp/nextpnr-ice40";

const ice40: Family = {
  name: "iCE40",
  synthesis: (top) => [`synth_ice40 -top ${top}`],
  cells: [
    [/^SB_LUT4$/, "luts", 1],
    [/^SB_DFF/, "ffs", 1],
    [/^SB_CARRY$/, "carries", 1],
    [/^SB_RAM40/, "rams", 1],
    [/^SB_MAC16$/, "dsps", 1],
    [/^SB_SPRAM256KA$/, "sprams", 1],
  ],
  layout: {
    nextpnr: {
      tool: {
        program: "nextpnr-ice40",
        versionArgs: ["--version"],
        install: "apt-get install nextpnr-ice40, or npm install @yowasp/nextpnr-ice40",
      },
      wasm: { package: icePackage, run: "runNextpnrIce40" },
    },
    file: "layout.asc",
    options: (file) => ["--asc", file],
    pins: {
      file: "pins.pcf",
      lines: (signal, pin) => `set_io ${signal} ${pin}\n`,
      options: (file) => ["--pcf", file, "--pcf-allow-unconstrained"],
    },
    packer: {
      tool: {
        program: "icepack",
        install: "apt-get install fpga-icestorm, or npm install @yowasp/nextpnr-ice40",
      },
      wasm: { package: icePackage, run: "runIcepack" },
    },
    pack: (file, bitstream) => [file, bitstream],
    bitstream: "bitstream.bin",
  },
  models: "simulator/ice40_cells.v",
  pll: true,
};

type Table = LogicDevice & { readonly power: Power };

const part = (table: Table, size: string, chosenPackage: string): Part => ({
  family: ice40,
  table,
  power: table.power,
  device: [`--${size}`, "--package", chosenPackage],
});

export const ice40Parts: Readonly<Record<string, Part>> = {
  "ice40-hx8k": part(hx8k, "hx8k", "ct256"),
  "ice40-lp8k": part(lp8k, "lp8k", "cm225"),
  "ice40-up5k": part(up5k, "up5k", "sg48"),
};
