/** Commands of the directive compiler, which need no project. */

import type { CommandSpec } from "./command-spec.ts";
import { kindNames } from "./kind-names.ts";

/** `host (default), opencl or cuda`. */
const anyKind = `${kindNames[0]} (default), ${kindNames.slice(1, -1).join(", ")} or ${kindNames.at(-1)}`;

export const compilerCommands = [
  {
    name: "translate",
    arguments: "[FILE…]",
    count: [0, Number.POSITIVE_INFINITY],
    summary: "the directive compiler alone: print what it makes of C, CUDA or IR files",
    examples: [
      ["arc translate src/a.c --to opencl", "its kernels as OpenCL C"],
      ["arc translate src/a.c --to cuda --explain", "and why they are as they are"],
      ["arc translate --to openmp -o omp", "the project's sources with OpenMP's directives"],
    ],
    options: [
      {
        name: "to",
        value: "KIND",
        help: `${anyKind}; ir: the regions themselves; mlir: these in dialects of MLIR; openmp or openacc: the source with directives of that language`,
      },
      {
        name: "openmp",
        value: "VERSION",
        help: "with --to openmp: 5.0 (default) or 5.1, whose words may be used",
      },
      {
        name: "map",
        value: "NAME",
        help: "with --to openmp or openacc: which loops are shared out: as written (default), or for cpu, gpu, gcc, clang, nvc, cce",
      },
      { name: "variant", value: "NAME", help: "for FPGAs and GPUs: choices, as in names of variants" },
      { name: "device", value: "NAME", help: "for FPGAs: the device whose table the passes go by" },
      { name: "output", short: "o", value: "DIR", help: "write files instead of printing" },
      {
        name: "standalone",
        help: "with -o, for host, opencl, cuda and hip: all that builds without arc: host code, kernels, runtime, Makefile",
      },
      { name: "host-code", help: "print the host program instead of the kernels" },
      { name: "lines", help: "mark the kernels' lines with the source lines that they were made from" },
      {
        name: "explain",
        help: "tell what each pass did to each region; of GPUs how groups and accesses meet the device; or what became of each directive",
      },
      { name: "code", help: "with --explain: the region after each pass that changed it" },
    ],
    details: `A file in a project is read with the project's options. More for the C preprocessor (-I, -D, -U, -std=…) may follow
after --. Without FILE, --to openmp or openacc with -o DIR translates the project's sources and copies its headers.`,
  },
  {
    name: "check",
    arguments: "[FILE…]",
    count: [0, Number.POSITIVE_INFINITY],
    summary: "find what is wrong with directives, without running anything",
    details: `Without FILE, the sources of the project. A file in a project is read with the project's options; more for the
C compiler may follow after --.
A comment \`// arc-check: ignore RULE\` silences a rule on its line, or on the next where it stands alone;
\`// arc-check: ignore-file RULE\` does so in the file. Exits with 0 where nothing was found, 1 where something was,
2 where a file could not be read. docs/check.md has a section for each rule.`,
    examples: [
      ["arc check", "the project's sources"],
      ["arc check src/a.c --advice -- -Iinclude", "one file, with more flags"],
      ["arc check --fix", "mends what has a sure remedy"],
    ],
    options: [
      {
        name: "format",
        value: "FORMAT",
        words: ["gcc", "json", "sarif"],
        help: "gcc (default), json, or sarif: SARIF 2.1.0",
      },
      { name: "maybe", help: "also what looks wrong and is not proved to be" },
      { name: "advice", help: "also what is right, and slow or without effect" },
      { name: "fix", help: "change the files where an edit surely mends what was found" },
      { name: "list", help: "the rules there are" },
    ],
  },
  {
    name: "lsp",
    arguments: "",
    count: [0, 0],
    summary: "language server for editors: findings while you type, meanings of clauses",
    details: `Speaks the Language Server Protocol on standard input and output: starts from an editor, not from a shell.
Shows what \`arc check\`, a translation and the schema of arc.yaml say of texts that are open, saved or not;
docs/editors.md says how editors start it.`,
    examples: [],
    options: [],
  },
  {
    name: "cc",
    arguments: "ARG…",
    count: [0, Number.POSITIVE_INFINITY],
    verbatim: true,
    summary: "C compiler that knows directives: a drop-in for cc",
    details: `Takes what the C compiler takes, and
  -acc, -fopenacc   honour directives: OpenACC's, and OpenMP's for devices
  -omp              the same, and define _OPENMP
  -fopenmp          the same; OpenMP's directives for the host's threads are the C compiler's
  -target KIND      compile device code for ${anyKind}; repeatable; implies -acc;
                    KIND:OPTION=VALUE gives options as in arc.yaml: -target vitis:platform=xilinx_u250
  -check            make a program that ARC_CHECK=kernels,transfers can watch while it runs; implies -acc
CC="arc cc -acc" makes existing makefiles build with arc. Exits as the compiler does.`,
    examples: [
      ["arc cc -acc -O2 a.c -o a", "for this machine's processor"],
      ["arc cc -acc -target cuda a.c -o a", "with kernels for NVIDIA's GPUs, too"],
    ],
    options: [],
  },
  {
    name: "init",
    arguments: "[FILE…]",
    count: [0, Number.POSITIVE_INFINITY],
    summary: "write an arc.yaml from the directives found in the sources",
    details: `Without FILE, the C files below the folder; a compile_commands.json there, or in build/, says which they are and with
which flags they are compiled. What not all of them have in common is named, and not taken over.`,
    examples: [
      ["arc init", "from the C files below this folder"],
      ["arc init --from build/compile_commands.json", "their flags as CMake knows them"],
      ["arc init --from Makefile", "what `make -n -B` would run"],
    ],
    options: [
      { name: "force", help: "replace an arc.yaml that exists" },
      { name: "from", value: "FILE", help: "take files and flags of a compile_commands.json or a Makefile" },
    ],
  },
] as const satisfies readonly CommandSpec[];
