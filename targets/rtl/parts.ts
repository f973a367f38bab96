/** Parts that designs are made for: how their family is synthesised, and placed where open tools do that. */

export interface Part {
  /** The name of its table in targets/devices. */
  readonly table: TableName;
  /** Yosys' pass for the family; it leaves one flat module. */
  readonly synthesis: string;
  /** Absent: there is no open place and route for it. */
  readonly layout?: { readonly family: "ice40" | "ecp5"; readonly device: readonly string[] };
}

export type TableName =
  | "ice40-hx8k"
  | "ice40-lp8k"
  | "ice40-up5k"
  | "ecp5-25k"
  | "ecp5-45k"
  | "ecp5-85k"
  | "xc7a35t"
  | "xc7z020"
  | "cyclonev-5csema5";

const ice40 = (size: "hx8k" | "lp8k" | "up5k", chosenPackage: string): Part => ({
  table: `ice40-${size}`,
  synthesis: "synth_ice40",
  layout: { family: "ice40", device: [`--${size}`, "--package", chosenPackage] },
});

const ecp5 = (size: "25k" | "45k" | "85k"): Part => ({
  table: `ecp5-${size}`,
  synthesis: "synth_ecp5",
  layout: { family: "ecp5", device: [`--${size}`, "--package", "CABGA381"] },
});

const xilinx = (table: TableName): Part => ({ table, synthesis: "synth_xilinx -flatten" });

export const parts: Readonly<Record<string, Part>> = {
  "ice40-hx8k": ice40("hx8k", "ct256"),
  "ice40-lp8k": ice40("lp8k", "cm225"),
  "ice40-up5k": ice40("up5k", "sg48"),
  "ecp5-25k": ecp5("25k"),
  "ecp5-45k": ecp5("45k"),
  "ecp5-85k": ecp5("85k"),
  xc7a35t: xilinx("xc7a35t"),
  xc7z020: xilinx("xc7z020"),
  "cyclonev-5csema5": { table: "cyclonev-5csema5", synthesis: "synth_intel_alm -family cyclonev" },
};
