/** Examples that edits are made to, as projects with a target for each kind of device that compiles for long. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { type Device, devices, type Name } from "./devices.ts";

/** By path in the project. */
export type Files = Readonly<Record<string, string>>;

export interface Subject {
  readonly name: string;
  /** All functions with kernels; each holds one region. */
  readonly kernels: readonly string[];
  /** A constant in `kernel`; the project's header defines it as a macro. */
  readonly constant: { readonly kernel: string; readonly text: string; readonly other: string };
  /** A part of the directive in `kernel`, and the same with its clauses the other way round. */
  readonly clauses: { readonly kernel: string; readonly text: string; readonly reordered: string };
  /** A part of the directive in `kernel`, and the same with other loops shared out. */
  readonly mapping: { readonly kernel: string; readonly text: string; readonly other: string };
  /** A variable of `main` that no region names. */
  readonly variable: string;
  /** Kernels that share an image of an FPGA; absent: all of them. */
  readonly images?: readonly (readonly string[])[];
  readonly devices: readonly Name[];
}

export const subjects: readonly Subject[] = [
  {
    name: "jacobi",
    kernels: ["relax", "copy_interior"],
    constant: { kernel: "relax", text: "0.25f", other: "0.24f" },
    clauses: {
      kernel: "copy_interior",
      text: "collapse(2) present(from[0:rows][0:columns], to[0:rows][0:columns])",
      reordered: "present(to[0:rows][0:columns], from[0:rows][0:columns]) collapse(2)",
    },
    mapping: { kernel: "copy_interior", text: "collapse(2) present(from", other: "present(from" },
    variable: "iterations",
    devices: ["gpu", "stratix", "alveo", "ice"],
  },
  {
    name: "srad",
    kernels: ["speckle_scale", "differences", "diffuse"],
    constant: { kernel: "diffuse", text: "0.25f * rate", other: "0.2f * rate" },
    clauses: {
      kernel: "speckle_scale",
      text: "reduction(+:sum, squares) present(image[0:size])",
      reordered: "present(image[0:size]) reduction(+:squares, sum)",
    },
    mapping: { kernel: "differences", text: "parallel loop collapse(2)", other: "parallel loop" },
    variable: "argc",
    images: [["speckle_scale"], ["differences", "diffuse"]],
    // The Verilog of three such kernels takes seconds for every edit, and shows nothing that jacobi's does not.
    devices: ["gpu", "stratix", "alveo"],
  },
];

export const source = ({ name }: Subject): string => `src/${name}.c`;
export const header = "inc/settings.h";
export const config = "arc.yaml";

/** Names for the kernels that images name. */
const namesOf = (subject: Subject): string =>
  subject.images === undefined
    ? ""
    : `kernels: { ${subject.kernels.map((k) => `${k}: { source: ${source(subject)}, function: ${k} }`).join(", ")} }\n`;

const targetOf = ({ images }: Subject, name: Name): string => {
  const { options, sharesImages }: Device = devices[name];
  const groups = images?.map((image) => `[${image.join(", ")}]`).join(", ");
  return `  ${name}: { ${options}${sharesImages && groups ? `, images: [${groups}]` : ""} }\n`;
};

const top = path.resolve(import.meta.dirname, "../..");

/** The example's source with a constant in a header, and the targets. */
export function project(subject: Subject): Files {
  const { name, constant } = subject;
  const original = readFileSync(path.join(top, "examples", name, source(subject)), "utf8");
  const macro = original.replace(constant.text, "SETTING");
  if (macro === original) throw new Error(`${name} has no ${constant.text}`);
  return {
    [source(subject)]: `#include "settings.h"\n${macro}`,
    [header]: `/* Settings. */\n#define SETTING ${constant.text}\n#define UNUSED 1\n`,
    [config]: `arc: 1
project: ${name}
sources: [${source(subject)}]
include: [inc]
${namesOf(subject)}targets:
${subject.devices.map((device) => targetOf(subject, device)).join("")}`,
  };
}
