/** Cyclone V: arc knows no open place and route for it. */
import table from "../../devices/cyclonev-5csema5.json" with { type: "json" };
import type { Family, Part } from "./family.ts";

const cycloneV: Family = {
  name: "Cyclone V",
  synthesis: (top) => [`synth_intel_alm -family cyclonev -top ${top}`],
  cells: [
    // An ALM contains two ALUTs.
    [/^MISTRAL_ALUT(\d|_ARITH)$/, "aluts", 1],
    [/^MISTRAL_(NOT|MLAB)$/, "aluts", 1],
    [/^MISTRAL_FF$/, "ffs", 1],
    [/^MISTRAL_M10K$/, "rams", 1],
    [/^MISTRAL_MUL(27X27|18X18|9X9)$/, "dsps", 1],
  ],
};

export const cycloneVParts: Readonly<Record<string, Part>> = {
  "cyclonev-5csema5": { family: cycloneV, table, device: [] },
};
