/** Options by which other compilers choose devices: refused, with arc's way to say the same. */
import { foreignTarget } from "../../rules/plan/whole-program.ts";
import { UsageError } from "../call/usage-error.ts";

interface Foreign {
  readonly option: RegExp;
  /** Whose it is. */
  readonly of: string;
  /** Words of arc's that say the same, for its value. */
  readonly ours: (value: string) => string;
}

/** The kinds of target that a list of other compilers' words means. */
function targets(value: string): string {
  const kinds = value.split(/[,=]/).flatMap((word) => foreignTarget(word) ?? []);
  const named = [...new Set(kinds)].filter((kind, _, all) => !all.some((one) => one.startsWith(`${kind}:`)));
  return named.length === 0 ? "-target KIND" : named.map((kind) => `-target ${kind}`).join(" ");
}

const table: readonly Foreign[] = [
  { option: /^-fopenmp-targets=(.*)$/, of: "clang", ours: (value) => `-omp ${targets(value)}` },
  { option: /^--?offload-arch=(.*)$/, of: "clang", ours: (value) => `-omp ${targets(value)}` },
  { option: /^-Xopenmp-target(?:=.*)?$/, of: "clang", ours: () => "-target KIND:OPTION=VALUE" },
  { option: /^-foffload=(.*)$/, of: "gcc", ours: targets },
  { option: /^-foffload-options=(.*)$/, of: "gcc", ours: () => "-target KIND:OPTION=VALUE" },
  { option: /^-ta=(.*)$/, of: "nvc", ours: (value) => `-acc ${targets(value)}` },
  { option: /^-acc=(.*)$/, of: "nvc", ours: (value) => `-acc ${targets(value)}` },
  { option: /^-mp=((?:gpu|nvidia).*)$/, of: "nvc", ours: (value) => `-fopenmp ${targets(value)}` },
  { option: /^-mp(?:=.*)?$/, of: "nvc", ours: () => "-fopenmp" },
  { option: /^-gpu=(.*)$/, of: "nvc", ours: targets },
  { option: /^-(?:qopenmp|fiopenmp)$/, of: "icx", ours: () => "-fopenmp" },
  { option: /^-qsmp(?:=.*)?$/, of: "xlc", ours: () => "-fopenmp" },
  { option: /^-homp$/, of: "Cray's compiler", ours: () => "-fopenmp" },
];

/** Those that gcc takes without a word where nothing is offloaded. */
const harmless = /^-foffload(-options)?=/;

/** Throws UsageError at the first; `directives`: a switch of arc's is among the arguments. */
export function refuseForeignOptions(options: readonly string[], directives: boolean): void {
  for (const option of options) {
    if (harmless.test(option) && (!directives || option === "-foffload=disable")) continue;
    for (const { option: pattern, of, ours } of table) {
      const found = pattern.exec(option);
      if (found === null) continue;
      throw new UsageError(
        `${option} is an option of ${of}, and would choose no device here`,
        `write ${ours(found[1] ?? "")} instead`,
      );
    }
  }
}
