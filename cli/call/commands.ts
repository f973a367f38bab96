/** The table of all commands and their options, used for help, parsing and dispatch. */

import { kindNames } from "./kind-names.ts";

export interface OptionSpec {
  /** `--json`. */
  readonly name: string;
  readonly short?: string;
  /** Placeholder of the value in help: `DIR`; absent for a switch. */
  readonly value?: string;
  /** The value may be left out: `--compare`, and `--compare WITH`. An option or nothing follows then. */
  readonly optional?: true;
  /** It may be repeated: `Arguments.repeated` has all values. */
  readonly repeats?: true;
  readonly help: string;
}

export interface CommandSpec {
  readonly name: string;
  /** Another name of it. */
  readonly also?: string;
  /** What follows the name in help: `[ADDRESS…]`. */
  readonly arguments: string;
  /** How many arguments it takes. */
  readonly count: readonly [least: number, most: number];
  readonly summary: string;
  readonly options: readonly OptionSpec[];
  /** More text for `arc NAME --help`: paragraphs, and lines of two columns. */
  readonly details?: string;
  /** Calls, and what each does. */
  readonly examples: readonly (readonly [call: string, meaning: string])[];
  /** The arguments belong to another program; arc parses no options of its own among them. */
  readonly verbatim?: true;
}

export const globalOptions = [
  {
    name: "directory",
    short: "C",
    value: "DIR",
    help: "the project's folder (default: the nearest with an arc.yaml)",
  },
  { name: "json", help: "machine-readable output" },
  { name: "jobs", short: "j", value: "N", help: "actions at a time (default: one per processor core)" },
  {
    name: "store",
    value: "DIR",
    help: "where results are kept (default: $ARC_STORE, or the user's cache folder)",
  },
  { name: "help", short: "h", help: "this text" },
] as const satisfies readonly OptionSpec[];

const addresses = `An ADDRESS is target[:variant][/kernel][#stage]; * and ? are wildcards. Without one, the first
variant of every target is meant.`;

/** `host (default), opencl or cuda`. */
const anyKind = `${kindNames[0]} (default), ${kindNames.slice(1, -1).join(", ")} or ${kindNames.at(-1)}`;

/** Options of commands that build. */
const places: readonly OptionSpec[] = [
  {
    name: "remote-cache",
    value: "URL",
    help: "share results with this cache (default: $ARC_REMOTE_CACHE, arc.yaml's; `off`: none)",
  },
  { name: "remote-mode", value: "MODE", help: "`read` takes results only, `readwrite` sends them too" },
  {
    name: "executor",
    value: "WHERE",
    help: "where actions run: `local`, `slurm`, or by step: `kernel=slurm,run=local`",
  },
];

const trace: OptionSpec = {
  name: "trace",
  value: "FILE",
  help: "write a timeline of the build, for ui.perfetto.dev or chrome://tracing",
};

const notify: OptionSpec = {
  name: "notify",
  help: "tell of the end of a build that took a minute or more, by the desktop or the terminal",
};

/** Options for reports to code hosts. */
const findingsFiles: readonly OptionSpec[] = [
  { name: "sarif", value: "FILE", help: "write what is found as SARIF 2.1.0, for GitHub and editors" },
  { name: "code-quality", value: "FILE", help: "the same as GitLab's code quality report" },
];

const skipMissing: OptionSpec = {
  name: "skip-missing",
  help: "leave out what needs a tool or a device that is not here, though it was asked for by name",
};

const choice: readonly OptionSpec[] = [
  { name: "all", help: "every variant, not only the first of each target" },
  { name: "keep-going", short: "k", help: "after a failure, go on with all that does not depend on it" },
];

export const commands = [
  {
    name: "build",
    arguments: "[ADDRESS…]",
    count: [0, Number.POSITIVE_INFINITY],
    summary: "bring programs up to date",
    details: addresses,
    examples: [
      ["arc build", "the first variant of every target"],
      ["arc build gpu", "one target"],
      ["arc build --all -k", "every variant, whatever fails"],
      ["arc build -n", "what would run, and why"],
    ],
    options: [
      ...choice,
      skipMissing,
      ...places,
      trace,
      ...findingsFiles,
      notify,
      { name: "dry-run", short: "n", help: "say what would run and why, run nothing" },
      { name: "force", help: "run what was asked for though nothing changed" },
      {
        name: "trace-inputs",
        help: "say which files actions that run read, look for and write beside what they declare (with --force: all)",
      },
      {
        name: "sandbox",
        help: "actions reach no network and write nothing but their outputs (bubblewrap must be installed)",
      },
      { name: "declare-inputs", help: "the same, and write what is missing into arc.yaml's `actions`" },
      { name: "plain", help: "lines of text even on a terminal" },
    ],
  },
  {
    name: "watch",
    arguments: "[ADDRESS…]",
    count: [0, Number.POSITIVE_INFINITY],
    summary: "rebuild on save; say what the edit changed and what it did not",
    details: `${addresses}

A save while a build is running stops that build. Actions that are to finish go on beside the newer one:
syntheses, and those of arc.yaml's \`actions\` that say \`finish: true\`.`,
    examples: [
      ["arc watch", "build at every save"],
      ["arc watch gpu --diff", "one target, with what each save makes of its kernels"],
    ],
    options: [
      ...choice,
      ...places,
      notify,
      { name: "diff", help: "show what each edit makes of the kernels; else `d` and Enter does" },
      { name: "cancel", help: "a newer save stops even actions that are marked to finish" },
    ],
  },
  {
    name: "run",
    arguments: "ADDRESS [RUN] [-- ARGS]",
    count: [1, Number.POSITIVE_INFINITY],
    summary: "build a target and run its program",
    details: `RUN is one of arc.yaml's \`runs\`; ARGS replace its arguments. Exits as the program does. With --json what
follows the event \`end\` is the program's.`,
    examples: [
      ["arc run gpu", "the program of a target"],
      ["arc run gpu large", "with the arguments of the run `large`"],
      ["arc run gpu -- 1000 10", "with these arguments"],
      ["arc run gpu --profile", "and what each kernel and transfer took"],
    ],
    options: [
      ...places,
      trace,
      {
        name: "profile",
        help: "say at the end what each kernel and transfer took (ARC_PROFILE=1; =FILE.json writes it for programs)",
      },
      {
        name: "waves",
        value: "FILE",
        help: "write what the signals of a simulated design do, to a .vcd or .fst file",
      },
    ],
  },
  {
    name: "verify",
    arguments: "[ADDRESS…]",
    count: [0, Number.POSITIVE_INFINITY],
    summary: "run and compare with the serial program",
    details: addresses,
    examples: [
      ["arc verify", "all targets, in the run that arc.yaml verifies"],
      ["arc verify gpu --strict", "fails if there is no GPU"],
      ["arc verify --junit results.xml", "for CI"],
    ],
    options: [
      ...choice,
      skipMissing,
      ...places,
      trace,
      ...findingsFiles,
      notify,
      { name: "strict", help: "what cannot run here is a failure" },
      { name: "junit", value: "FILE", help: "write what was compared as JUnit XML, for CI" },
      {
        name: "prove",
        help: "of kind rtl: also show, for all inputs, what the parts of the hardware promise",
      },
    ],
  },
  {
    name: "bench",
    arguments: "[ADDRESS…] [RUN]",
    count: [0, Number.POSITIVE_INFINITY],
    summary: "run again and again, and say how long programs and their devices take",
    details: `${addresses}

RUN is one of arc.yaml's \`runs\` (default: the one that is verified). Programs run one at a time, each run in a folder of
its own. Measurements are kept in the store by program, input, device and driver: a second call adds repetitions.

  arc bench cpu gpu large           two targets, the run \`large\`
  arc bench 'gpu:*' -n 30           every variant of a target, 30 times`,
    examples: [
      ["arc bench cpu gpu large", "two targets, the run `large`"],
      ["arc bench 'gpu:*' -n 30", "every variant of a target, 30 times"],
    ],
    options: [
      ...choice,
      skipMissing,
      ...places,
      { name: "repetitions", short: "n", value: "N", help: "runs that count (default: 10)" },
      { name: "warm-up", value: "N", help: "runs before them that do not (default: 1)" },
      { name: "watched", value: "N", help: "more runs, whose launches and transfers are timed (default: 3)" },
    ],
  },
  {
    name: "explore",
    also: "tune",
    arguments: "[TARGET [RUN]]",
    count: [0, 2],
    summary: "find the best variant of a target by few builds or measurements",
    details: `All variants are translated; those that promise most are tried, and each result corrects what is expected of the
others. Hardware (rtl, intel-fpga, vitis) is built, after an estimate. Kernels that run here (opencl, cuda, hip, host) are
built in parallel and measured one at a time: by the median time of their launches, which the device measures, and on
processors by joules. It ends when the budget is spent, or nothing left promises 1 %. What was built or measured before
counts as known: a second call goes on. A winner that was measured is compared with the serial program. \`arc tune\` is the
same.`,
    examples: [
      ["arc explore fpga --budget 10", "the fastest variant, with ten builds at most"],
      ["arc explore gpu large", "the fastest in run `large`, measured for a minute"],
      ["arc explore fpga --goal pareto --budget '2 h'", "the front of time and area"],
      ["arc explore cpu large --goal pareto", "the front of time and energy"],
      ["arc explore gpu --apply", "writes the winner into arc.yaml, as the target's first variant"],
    ],
    options: [
      {
        name: "goal",
        value: "GOAL",
        help: "time (default); of hardware area (share of the device); of what is measured energy; or pareto: both",
      },
      {
        name: "budget",
        value: "N|TIME",
        help: "designs to try, or time as `2 h` (default: a third of the designs of hardware, else 60 s)",
      },
      {
        name: "repetitions",
        short: "n",
        value: "N",
        help: "runs of a variant that count, where it is measured (default: 5)",
      },
      { name: "warm-up", value: "N", help: "runs before them that do not (default: 1)" },
      { name: "seed", value: "N", help: "decides between variants that look alike (default: 1)" },
      { name: "apply", help: "make the winner the target's first variant in arc.yaml" },
      ...places,
    ],
  },
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
      { name: "format", value: "FORMAT", help: "gcc (default), json, or sarif: SARIF 2.1.0" },
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
  -target KIND      compile device code for ${anyKind}; repeatable;
                    KIND:OPTION=VALUE gives options as in arc.yaml: -target vitis:platform=xilinx_u250
  -check            make a program that ARC_CHECK=kernels,transfers can watch while it runs
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
which flags they are compiled. What not all of them have in common is named, and not taken over.

  arc init --from build/compile_commands.json
  arc init --from Makefile          what \`make -n -B\` would run`,
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
  {
    name: "explain",
    arguments: "ADDRESS",
    count: [1, 1],
    summary: "why something was built last, and what would happen now",
    examples: [
      ["arc explain gpu", "why its program was built last"],
      ["arc explain src/a.c#compile", "of one step, as `arc graph` names it"],
    ],
    options: [],
  },
  {
    name: "graph",
    arguments: "[ADDRESS…]",
    count: [0, Number.POSITIVE_INFINITY],
    summary: "print the action graph",
    examples: [["arc graph gpu", "what a target needs"]],
    options: [
      { name: "all", help: "every variant, not only the first of each target" },
      {
        name: "format",
        value: "FORMAT",
        help: "text (default), dot for Graphviz, mermaid, json, or compile-commands: for clangd",
      },
    ],
  },
  {
    name: "report",
    arguments: "[ADDRESS…]",
    count: [0, Number.POSITIVE_INFINITY],
    summary: "what was built: times, resources, comparisons, of one variant or all",
    details: `${addresses}

KEY is a figure of a variant: time, speedup, cycles, clock, area (share of the device's scarcest resource), images
(bytes), tools (seconds they took), or a resource: lcs, alms, luts, ffs, rams, dsps and the like.`,
    examples: [
      ["arc report --all --sort time", "all variants, the fastest first"],
      ["arc report 'fpga:*' --best pareto", "those that no other beats in time and area"],
      ["arc report --compare", "what changed since the last report"],
      ["arc report --all --compare main", "what changed since that commit"],
      ["arc report --all --compare fpga:sw1", "every variant against one of them"],
      ["arc report --all --json > before.json", "a baseline; later: arc report --all --compare before.json"],
      ["arc report --all --format csv > variants.csv", "for a spreadsheet"],
      ["arc report --all --html report.html", "a page with tables, pictures, sources and the last build"],
      [
        "arc report --all --html r.html --compare old.json --compare before.json",
        "how figures went from report to report",
      ],
    ],
    options: [
      { name: "all", help: "every variant, not only the first of each target" },
      { name: "sort", value: "KEY", help: "variants in the order of this figure, the best first" },
      {
        name: "best",
        value: "KEY",
        help: "of each target only the best variant; `pareto`: those in time and area",
      },
      {
        name: "compare",
        value: "WITH",
        optional: true,
        repeats: true,
        help: "changes against a variant, or against an earlier report: a FILE, a REV of git, or REV:FILE; alone: arc.yaml's baseline, or the last report with other figures; --html takes several, the oldest first",
      },
      { name: "format", value: "FORMAT", help: "text (default), csv, markdown, or json" },
      { name: "budgets", help: "fail where a variant breaks one of arc.yaml's `budgets`" },
      { name: "html", value: "FILE", help: "write a page for a browser: one file that needs no network" },
    ],
  },
  {
    name: "cache",
    arguments: "[stats|prune|verify|serve]",
    count: [0, 1],
    summary: "the store: what it holds, keeping it small and sound, offering it to others",
    details: `stats   how much there is, and since when it was not used (default)
prune   removes what was not used for longest, down to --limit; nothing that a running build uses
verify  reads everything, and removes what is damaged: exit status 1 if anything was
serve   offers the store to other machines over Bazel's HTTP cache protocol, until it is stopped`,
    examples: [
      ["arc cache", "how much there is"],
      ["arc cache prune --limit '10 GB'", "to this size"],
      ["arc cache prune --unused '30 d'", "what was not used for a month"],
    ],
    options: [
      {
        name: "limit",
        value: "SIZE",
        help: "prune: to this size, such as `10 GB` (default: arc.yaml's, or 50 GB)",
      },
      { name: "unused", value: "TIME", help: "prune: what was not used for so long, such as `30 d`" },
      { name: "host", value: "HOST", help: "serve: the address to listen on (default: 127.0.0.1)" },
      { name: "port", value: "N", help: "serve: the port (default: 8123; 0: any)" },
      { name: "read-only", help: "serve: take nothing from clients" },
      { name: "public-read", help: "serve: ask only those for the token who write" },
      {
        name: "token-from",
        value: "VARIABLE",
        help: "serve: environment variable with the token that clients must send (default: ARC_REMOTE_CACHE_TOKEN)",
      },
    ],
  },
  {
    name: "doctor",
    arguments: "",
    count: [0, 0],
    summary: "tools found, what is missing and how to install it",
    examples: [["arc doctor", "all tools and devices"]],
    options: [],
  },
  {
    name: "clean",
    arguments: "",
    count: [0, 0],
    summary: "remove what arc wrote into the project",
    examples: [["arc clean", "what was built stays in the store: the next build is quick"]],
    options: [],
  },
  {
    name: "completion",
    arguments: "SHELL",
    count: [0, 1],
    summary: "a script by which bash, zsh or fish completes calls of arc",
    details: `bash  eval "$(arc completion bash)" in ~/.bashrc
zsh   eval "$(arc completion zsh)" in ~/.zshrc, behind compinit
fish  arc completion fish | source, in ~/.config/fish/config.fish`,
    examples: [],
    options: [],
  },
] as const satisfies readonly CommandSpec[];

export type CommandName = (typeof commands)[number]["name"];

export function findCommand(name: string): CommandSpec | undefined {
  return commands.find((command: CommandSpec) => command.name === name || command.also === name);
}
