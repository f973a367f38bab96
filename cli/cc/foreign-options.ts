/** Options by which other compilers choose devices: refused, with arc's way to say the same. */
import { foreignTarget } from "../../rules/plan/whole-program.ts";
import { type Asks, foreignOption } from "../../schema/contract/foreign-options.ts";
import { UsageError } from "../call/usage-error.ts";

/** The kinds of target that a list of other compilers' words means. */
function targets(value: string): string {
  const kinds = value.split(/[,=]/).flatMap((word) => foreignTarget(word) ?? []);
  const named = [...new Set(kinds)].filter((kind, _, all) => !all.some((one) => one.startsWith(`${kind}:`)));
  return named.length === 0 ? "-target KIND" : named.map((kind) => `-target ${kind}`).join(" ");
}

/** Words of arc's that say the same. */
const ours: Readonly<Record<Asks, (option: string, value: string) => string>> = {
  devices: (_, value) => targets(value),
  "openacc-devices": (_, value) => `-acc ${targets(value)}`,
  "openmp-devices": (option, value) => `${option.startsWith("-mp") ? "-fopenmp" : "-omp"} ${targets(value)}`,
  "device-options": () => "-target KIND:OPTION=VALUE",
  "host-threads": () => "-fopenmp",
};

/** Those that gcc takes without a word where nothing is offloaded. */
const harmless = /^-foffload(-options)?=/;

/** Throws UsageError at the first; `directives`: a switch of arc's is among the arguments. */
export function refuseForeignOptions(options: readonly string[], directives: boolean): void {
  for (const option of options) {
    const foreign = harmless.test(option) && !directives ? undefined : foreignOption(option);
    if (!foreign) continue;
    throw new UsageError(
      `${option} is an option of ${foreign.of}, and would choose no device here`,
      `write ${ours[foreign.asks](option, foreign.value)} instead`,
    );
  }
}
