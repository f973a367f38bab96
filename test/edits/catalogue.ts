/** Edits that people make, as changes of a project's files, and what a build after each may run. */
import { inOpenMp } from "../programs/openmp-form.ts";

export type Files = Readonly<Record<string, string>>;

export interface Subject {
  readonly name: string;
  /** All functions with kernels; each holds one region. */
  readonly kernels: readonly string[];
  /** A constant in `kernel`; the project's header defines it as a macro. */
  readonly constant: { readonly kernel: string; readonly text: string; readonly other: string };
  /** A part of the directive in `kernel`, with its clauses the other way round, and with another mapping. */
  readonly clauses: {
    readonly kernel: string;
    readonly text: string;
    readonly reordered: string;
    readonly remapped: string;
  };
  /** A variable of `main` that no region names. */
  readonly variable: string;
  /** Kernels that share an image of an FPGA; absent: all of them. */
  readonly images?: readonly (readonly string[])[];
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
      remapped: "vector_length(32) present(from[0:rows][0:columns], to[0:rows][0:columns])",
    },
    variable: "iterations",
  },
  {
    name: "srad",
    kernels: ["speckle_scale", "differences", "diffuse"],
    constant: { kernel: "diffuse", text: "0.25f * rate", other: "0.2f * rate" },
    clauses: {
      kernel: "speckle_scale",
      text: "reduction(+:sum, squares) present(image[0:size])",
      reordered: "present(image[0:size]) reduction(+:squares, sum)",
      remapped: "vector_length(64) reduction(+:sum, squares) present(image[0:size])",
    },
    variable: "argc",
    images: [["speckle_scale"], ["differences", "diffuse"]],
  },
];

/** Names for the kernels that images name. */
const namesOf = (subject: Subject): string =>
  subject.images === undefined
    ? ""
    : `kernels: { ${subject.kernels.map((k) => `${k}: { source: ${source(subject)}, function: ${k} }`).join(", ")} }\n`;
const imagesOf = ({ images }: Subject): string =>
  images === undefined ? "" : `images: [${images.map((image) => `[${image.join(", ")}]`).join(", ")}], `;

const source = ({ name }: Subject): string => `src/${name}.c`;
const header = "inc/settings.h";
const config = "arc.yaml";

export const tools = ["nvcc", "aoc"] as const;
export type Tool = (typeof tools)[number];

/** Versions of the stand-in tools, as they tell them. */
export type Versions = Readonly<Record<Tool, string>>;

/** What tools do: aoc makes a report in minutes, and a bitstream in hours. */
export const jobs = ["nvcc", "aoc -rtl", "aoc"] as const;
export type Job = (typeof jobs)[number];

/** The project of an example with device targets whose tools are stand-ins, and a header that its kernel reads. */
export function project(subject: Subject, original: string): Files {
  const { name, constant } = subject;
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
  gpu: { kind: cuda, arch: sm_90 }
  fpga: { kind: intel-fpga, device: stratix-10, board: board_a, ${imagesOf(subject)}seed: 1 }
`,
  };
}

export interface Edit {
  readonly name: string;
  edit(files: Files, subject: Subject): Files;
  /** A new version of a tool. */
  readonly upgrade?: Tool;
  /** Whose kernels change, and which jobs that concerns; absent: none. */
  readonly kernels?: (subject: Subject) => readonly string[];
  readonly by?: readonly Job[];
}

function change(files: Files, file: string, how: (text: string) => string): Files {
  const before = files[file] ?? "";
  const after = how(before);
  if (after === before) throw new Error(`the edit changes nothing in ${file}`);
  return { ...files, [file]: after };
}

const inSource =
  (how: (text: string, subject: Subject) => string) =>
  (files: Files, subject: Subject): Files =>
    change(files, source(subject), (text) => how(text, subject));

const inFile =
  (file: string, how: (text: string, subject: Subject) => string) =>
  (files: Files, subject: Subject): Files =>
    change(files, file, (text) => how(text, subject));

/** Lines that are neither directives nor parts of one. */
const eachLine = (text: string, how: (line: string) => string): string => {
  let open = false;
  const lines = text.split("\n").map((line) => {
    const directive = open || line.startsWith("#");
    open = directive && line.endsWith("\\");
    return directive ? line : how(line);
  });
  return lines.join("\n");
};

const none = { edit: (files: Files): Files => files };
const all = (subject: Subject) => subject.kernels;
const constantKernel = ({ constant }: Subject) => [constant.kernel];
const clauseKernel = ({ clauses }: Subject) => [clauses.kernel];

/** What no device compiler needs to see. */
export const harmless: readonly Edit[] = [
  {
    name: "a comment on every line of the source",
    edit: inSource((text) => eachLine(text, (line) => `${line} // noted`)),
  },
  {
    name: "other white space: indentation, empty lines",
    edit: inSource((text) => eachLine(text, (line) => `\n${line.replace(/^ +/, (blank) => blank + blank)}`)),
  },
  {
    name: "host code: one more statement in main",
    edit: inSource((text) => text.replace(/return 0;\n}\s*$/, 'puts("done");\n  return 0;\n}\n')),
  },
  { name: "a comment in a header", edit: inFile(header, (text) => text.replace("Settings", "All settings")) },
  {
    name: "a macro in a header that no kernel uses",
    edit: inFile(header, (text) => text.replace("UNUSED 1", "UNUSED 2")),
  },
  {
    name: "a renamed variable that no region names",
    edit: inSource((text, { variable }) =>
      text.replaceAll(new RegExp(`\\b${variable}\\b`, "g"), `${variable}_`),
    ),
  },
  {
    name: "reordered clauses",
    edit: inSource((text, { clauses }) => text.replace(clauses.text, clauses.reordered)),
  },
  { name: "the OpenMP form of every directive", edit: inSource(inOpenMp) },
  {
    name: "a moved source",
    edit(files, subject) {
      const { [source(subject)]: text = "", ...rest } = files;
      const moved = `moved/${subject.name}.c`;
      return change({ ...rest, [moved]: text }, config, (yaml) => yaml.replaceAll(source(subject), moved));
    },
  },
  {
    name: "arc.yaml re-indented, with comments",
    edit: inFile(config, (text) => `# ours\n${text.replaceAll("\n  ", "\n      ")}`),
  },
  {
    name: "one more variant, not asked for",
    edit: inFile(config, (text) => text.replace("seed: 1 }", "seed: 1, variants: { unroll: [1, 4] } }")),
  },
];

/** What changes kernels or how they are compiled. */
export const effective: readonly Edit[] = [
  {
    name: "a constant in a kernel",
    edit: inSource((text, { constant }) => text.replace("SETTING", constant.other)),
    kernels: constantKernel,
    by: jobs,
  },
  {
    name: "a macro of a header that a kernel uses",
    edit: inFile(header, (text, { constant }) => text.replace(constant.text, `1 + ${constant.text}`)),
    kernels: constantKernel,
    by: jobs,
  },
  {
    name: "a clause that changes the mapping",
    edit: inSource((text, { clauses }) => text.replace(clauses.text, clauses.remapped)),
    kernels: clauseKernel,
    by: jobs,
  },
  { name: "another version of nvcc", ...none, upgrade: "nvcc", kernels: all, by: ["nvcc"] },
  { name: "another version of aoc", ...none, upgrade: "aoc", kernels: all, by: ["aoc -rtl", "aoc"] },
  {
    name: "another board",
    edit: inFile(config, (text) => text.replace("board_a", "board_b")),
    kernels: all,
    by: ["aoc -rtl", "aoc"],
  },
  {
    name: "another seed of place and route",
    edit: inFile(config, (text) => text.replace("seed: 1", "seed: 2")),
    kernels: all,
    by: ["aoc"],
  },
  {
    name: "a flag of the FPGA compiler: `reassociate`",
    edit: inFile(config, (text) => text.replace("seed: 1", "seed: 1, reassociate: true")),
    kernels: all,
    by: ["aoc -rtl", "aoc"],
  },
  {
    name: "another GPU architecture",
    edit: inFile(config, (text) => text.replace("sm_90", "sm_80")),
    kernels: all,
    by: ["nvcc"],
  },
];
