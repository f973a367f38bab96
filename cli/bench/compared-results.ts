/** Compares the results of a variant's runs, and says in how many of them they differ. */
import { digestBytes } from "../../core/build/key/digest.ts";
import type { Digest } from "../../core/build/model/action.ts";
import { compareResults, ignoreWords, type Results, rowWords } from "../../rules/steps/compare-results.ts";
import type { Run, Verify } from "../../schema/contract/project.ts";
import { plural } from "../show/words.ts";

/** How a run's results are beside those of the serial program, or of the variant's first run. */
export interface ComparedResults {
  readonly with: "serial" | "first";
  /** Digest of what arc.yaml's `verify` says of comparisons: by other words another result may be right. */
  readonly settings: Digest;
  /** Number of the run in its call, from 1. */
  readonly run: number;
  /** Where they differ first, and from what. */
  readonly differs?: string;
  /** What arc.yaml can say of a line that is no result. */
  readonly remedy?: string;
}

export const settingsOf = ({ tolerance, ignore }: Verify, { outputs }: Run): Digest =>
  digestBytes(JSON.stringify({ tolerance, ignore, outputs }));

export async function compared(
  expected: Results,
  found: Results,
  verify: Verify,
  run: Run,
): Promise<Pick<ComparedResults, "differs" | "remedy">> {
  const comparison = await compareResults(expected, found, { ...verify, outputs: run.outputs });
  if (typeof comparison === "string") return { differs: comparison };
  const [first] = comparison.differences;
  if (first === undefined) return {};
  const more = comparison.different - 1;
  const remedy = ignoreWords(comparison.differences).trim();
  return {
    differs: `${first.where}: ${first.target}, ${expected.by} ${first.serial}${rowWords(first.row)}${more > 0 ? `, and ${more} more` : ""}`,
    ...(remedy !== "" && { remedy }),
  };
}

/** A variant whose results are not those of its other runs, or of the serial program: its times are not trusted. */
export interface Differing extends Omit<ComparedResults, "settings" | "run"> {
  /** With the number of the run. */
  readonly differs: string;
  /** How many runs differ, and how many were compared. */
  readonly runs: number;
  readonly of: number;
}

/** Undefined if no run's results differ by what arc.yaml says now. */
export function differingOf(
  measured: readonly { readonly compared?: ComparedResults }[],
  settings: Digest,
): Differing | undefined {
  const all = measured.flatMap(({ compared }) => (compared?.settings === settings ? [compared] : []));
  const differing = all.filter(({ differs }) => differs !== undefined);
  const [first] = differing;
  if (first === undefined) return undefined;
  return {
    with: first.with,
    differs: `run ${first.run}: ${first.differs}`,
    ...(first.remedy !== undefined && { remedy: first.remedy }),
    runs: differing.length,
    of: all.length,
  };
}

export const differingWords = ({ with: other, differs, runs, of, remedy }: Differing): string =>
  `its results are not those of ${other === "serial" ? "the serial program" : "its first run"} in ${runs} of ${plural(of, "run")}, so its times are not trusted: ${differs}${remedy === undefined ? "" : `\n  try: ${remedy}`}`;
