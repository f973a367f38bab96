/** Refuses options with which other compilers choose devices, and names arc's equivalent; and those that would do nothing. */
import { foreignTarget } from "../../rules/plan/whole-program.ts";
import { type Asks, foreignOption } from "../../schema/contract/foreign-options.ts";
import { linksStatically, lostOption, staticLink } from "../../schema/contract/lost-options.ts";
import { UsageError } from "../call/usage-error.ts";

/** `-target` options for a list of device names of other compilers. */
function targets(value: string): string {
  const kinds = value.split(/[,=]/).flatMap((word) => foreignTarget(word) ?? []);
  const named = [...new Set(kinds)].filter((kind, _, all) => !all.some((one) => one.startsWith(`${kind}:`)));
  return named.length === 0 ? "-target KIND" : named.map((kind) => `-target ${kind}`).join(" ");
}

/** arc's equivalent of each kind of option. */
const ours: Readonly<Record<Asks, (option: string, value: string) => string>> = {
  devices: (_, value) => targets(value),
  "openacc-devices": (_, value) => `-acc ${targets(value)}`,
  "openmp-devices": (option, value) => `${option.startsWith("-mp") ? "-fopenmp" : "-omp"} ${targets(value)}`,
  "device-options": () => "-target KIND:OPTION=VALUE",
  "host-threads": () => "-fopenmp",
};

/** Options that gcc accepts silently when nothing is offloaded. */
const harmless = /^-foffload(-options)?=/;

/** Throws UsageError at the first such option; `directives`: arc honours directives in this call. */
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

/** For calls in which arc compiles. Throws UsageError at the first option whose result would be missed; names others. */
export function refuseLostOptions(options: readonly string[], warn: (text: string) => void): void {
  for (const option of options) {
    const lost = lostOption(option);
    if (lost?.isOnlyLog) warn(`arc: warning: ${option} does nothing here: ${lost.why}\n`);
    else if (lost) throw new UsageError(`arc cannot compile with ${option}: ${lost.why}`, lost.remedy);
  }
}

/** Throws UsageError for an option with which no program with regions can be linked. */
export function refuseStaticLink(options: readonly string[]): void {
  const option = options.find(linksStatically);
  if (option !== undefined)
    throw new UsageError(
      `a program with regions cannot be linked with ${option}: ${staticLink.why}`,
      staticLink.remedy,
    );
}
