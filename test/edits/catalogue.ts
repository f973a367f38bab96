/** Edits that people make, as changes of a project's files, and what a build after each may run. */
import { inOpenMp } from "../programs/openmp-form.ts";
import { allJobs, type Job, type Tool } from "./devices.ts";
import { config, type Files, header, type Subject, source } from "./subjects.ts";

export interface Edit {
  readonly name: string;
  edit(files: Files, subject: Subject): Files;
  /** A new version of a tool. */
  readonly upgrade?: Tool;
}

/** An edit that concerns kernels. */
export interface EffectiveEdit extends Edit {
  readonly kernels: (subject: Subject) => readonly string[];
  /** The work that is repeated for these kernels. */
  readonly by: readonly Job[];
}

/** A row whose time has not come. */
interface Awaited {
  readonly name: string;
  /** Why it is not run. */
  readonly lacks: string;
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
    edit: inFile(config, (text) => text.replace("seed: 1", "seed: 1, variants: { unroll: [1, 4] }")),
  },
];

export const awaited: readonly Awaited[] = [
  {
    name: "the OmpSs form of every directive",
    lacks: "it has none for loops: a task's regions are OpenACC's or OpenMP's",
  },
];

/** What changes kernels or how they are compiled. */
export const effective: readonly EffectiveEdit[] = [
  {
    name: "a constant in a kernel",
    edit: inSource((text, { constant }) => text.replace("SETTING", constant.other)),
    kernels: constantKernel,
    by: allJobs,
  },
  {
    name: "a macro of a header that a kernel uses",
    edit: inFile(header, (text, { constant }) => text.replace(constant.text, `1 + ${constant.text}`)),
    kernels: constantKernel,
    by: allJobs,
  },
  {
    name: "a clause that changes the mapping",
    edit: inSource((text, { mapping }) => text.replace(mapping.text, mapping.other)),
    kernels: ({ mapping }) => [mapping.kernel],
    by: allJobs,
  },
  {
    name: "other sizes of a launch: `vector_length`",
    edit: inSource((text, { clauses }) => text.replace(clauses.text, `vector_length(64) ${clauses.text}`)),
    kernels: clauseKernel,
    by: ["nvcc"],
  },
  {
    name: "other data that is moved: `copyin` for `present`",
    edit: inSource((text, { clauses }) =>
      text.replace(clauses.text, clauses.text.replace("present(", "copyin(")),
    ),
    kernels: clauseKernel,
    by: ["nvcc"],
  },
  { name: "another version of nvcc", ...none, upgrade: "nvcc", kernels: all, by: ["nvcc"] },
  { name: "another version of aoc", ...none, upgrade: "aoc", kernels: all, by: ["aoc -rtl", "aoc"] },
  { name: "another version of v++", ...none, upgrade: "v++", kernels: all, by: ["v++ -c", "v++ -l"] },
  { name: "another version of Yosys", ...none, upgrade: "yosys", kernels: all, by: ["yosys", "nextpnr"] },
  { name: "another version of nextpnr", ...none, upgrade: "nextpnr-ice40", kernels: all, by: ["nextpnr"] },
  { name: "another version of Verilator", ...none, upgrade: "verilator", kernels: all, by: ["verilator"] },
  {
    name: "another board",
    edit: inFile(config, (text) => text.replaceAll("board_a", "board_b")),
    kernels: all,
    by: ["aoc -rtl", "aoc", "v++ -c", "v++ -l"],
  },
  {
    name: "another part",
    edit: inFile(config, (text) => text.replace("ice40-hx8k", "ice40-lp8k")),
    kernels: all,
    by: ["yosys", "nextpnr", "verilator"],
  },
  {
    name: "another seed of place and route",
    edit: inFile(config, (text) => text.replaceAll("seed: 1", "seed: 2")),
    kernels: all,
    by: ["aoc", "nextpnr"],
  },
  {
    name: "a flag of aoc: `reassociate`",
    edit: inFile(config, (text) => text.replace("seed: 1", "seed: 1, reassociate: true")),
    kernels: all,
    by: ["aoc -rtl", "aoc"],
  },
  {
    name: "another clock of the kernels",
    edit: inFile(config, (text) =>
      text.replace("frequency: 200", "frequency: 210").replace("clock: 20", "clock: 21"),
    ),
    kernels: all,
    by: ["v++ -c", "v++ -l", "yosys", "nextpnr", "verilator"],
  },
  {
    name: "another GPU architecture",
    edit: inFile(config, (text) => text.replace("sm_90", "sm_80")),
    kernels: all,
    by: ["nvcc"],
  },
];
