/** Commands that build, and run or measure what was built. */

import { addresses, type CommandSpec, type OptionSpec } from "./command-spec.ts";

/** Options of commands that build. */
const places: readonly OptionSpec[] = [
  {
    name: "remote-cache",
    value: "URL",
    help: "share results with this cache (default: $ARC_REMOTE_CACHE, arc.yaml's; `off`: none)",
  },
  {
    name: "remote-mode",
    value: "MODE",
    words: ["read", "readwrite"],
    help: "`read` takes results only, `readwrite` sends them too",
  },
  {
    name: "executor",
    value: "WHERE",
    help: "where actions run: `local`, `slurm`, or by step: `kernel=slurm,run=local`",
  },
];

const trace: OptionSpec = {
  name: "trace",
  value: "FILE",
  writes: true,
  help: "write a timeline of the build, for ui.perfetto.dev or chrome://tracing",
};

const notify: OptionSpec = {
  name: "notify",
  help: "tell of the end of a build that took a minute or more, by the desktop or the terminal",
};

/** Options for reports to code hosts. */
const findingsFiles: readonly OptionSpec[] = [
  {
    name: "sarif",
    value: "FILE",
    writes: true,
    help: "write what is found as SARIF 2.1.0, for GitHub and editors",
  },
  { name: "code-quality", value: "FILE", writes: true, help: "the same as GitLab's code quality report" },
];

const skipMissing: OptionSpec = {
  name: "skip-missing",
  help: "leave out what needs a tool or a device that is not here, though it was asked for by name",
};

const choice: readonly OptionSpec[] = [
  { name: "all", help: "every variant, not only the first of each target" },
  { name: "keep-going", short: "k", help: "after a failure, go on with all that does not depend on it" },
];

export const buildCommands = [
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
        name: "declare-inputs",
        help: "trace inputs, and write those that are missing into arc.yaml's `actions`",
      },
      {
        name: "sandbox",
        help: "actions reach no network and write nothing but their outputs (bubblewrap must be installed)",
      },
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
        writes: true,
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
      { name: "junit", value: "FILE", writes: true, help: "write what was compared as JUnit XML, for CI" },
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
its own. Measurements are kept in the store by program, input, device and driver: a second call adds repetitions.`,
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
processors and NVIDIA GPUs by joules. It ends when the budget is spent, or nothing left promises 1 %. What was built or
measured before counts as known: a second call goes on. A winner that was measured is compared with the serial program.
\`arc tune\` is the same.`,
    examples: [
      ["arc explore fpga --budget 10", "the fastest variant, with ten builds at most"],
      ["arc explore gpu large", "the fastest in run `large`, measured for a minute"],
      ["arc explore fpga --goal pareto --budget '2 h'", "the front of time and area"],
      ["arc explore cpu large --goal time,energy", "the front of time and energy"],
      ["arc explore fpga --goal pareto --choose product --apply", "of the front, the least product of both"],
      ["arc explore gpu --apply", "writes the winner into arc.yaml, as the target's first variant"],
    ],
    options: [
      {
        name: "goal",
        value: "GOAL",
        words: ["time", "area", "energy", "pareto"],
        help: "time (default), area of hardware, energy (counted, or of iCE40 parts by a model), several as `time,energy`, or pareto: time and one of these",
      },
      {
        name: "choose",
        value: "RULE",
        words: ["time", "area", "energy", "product"],
        help: "of a front, the variant with the least of one goal, or the least product of all",
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
] as const satisfies readonly CommandSpec[];
