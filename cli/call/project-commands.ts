/** Commands that answer for what was built, and look after the store, the tools and the shell. */

import { addresses, type CommandSpec } from "./command-spec.ts";

export const projectCommands = [
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
        words: ["text", "dot", "mermaid", "json", "compile-commands"],
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

FIGURE is one of a variant: time, speedup, cycles, clock, energy, area (share of the device's scarcest resource), images
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
      { name: "sort", value: "FIGURE", help: "variants in the order of this figure, the best first" },
      {
        name: "best",
        value: "FIGURE",
        help: "of each target only the best of all variants; the front of several as `time,area`; `pareto`: of time and area, or energy where there is no area",
      },
      {
        name: "compare",
        value: "WITH",
        optional: true,
        repeats: true,
        help: "changes against a variant, or against an earlier report: a FILE, a REV of git, or REV:FILE; alone: arc.yaml's baseline, or the last report with other figures; --html takes several, the oldest first",
      },
      {
        name: "format",
        value: "FORMAT",
        words: ["text", "csv", "markdown", "json"],
        help: "text (default), csv, markdown, or json",
      },
      { name: "budgets", help: "fail where a variant breaks one of arc.yaml's `budgets`" },
      {
        name: "html",
        value: "FILE",
        writes: true,
        help: "write a page for a browser: one file that needs no network",
      },
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
