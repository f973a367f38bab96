/**
 * Reports that arc keeps in the project: what `arc report` saw, whenever it differs from before. `--compare` alone and
 * `--compare REV` find their baselines here.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { withoutSchedules } from "../hardware/rows.ts";
import { reportFormat } from "./document.ts";
import { figures } from "./model/figures.ts";
import type { VariantReport } from "./model/report.ts";

export interface StoredReport {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Commits of git whose unchanged sources were seen with it. */
  readonly commits: readonly string[];
  readonly variants: readonly VariantReport[];
}

/** Below the project's folder. */
const storedFile = ".arc/reports.json";
const MOST = 10;

/** The oldest first; none where another version of arc wrote them. */
export function storedReports(root: string): readonly StoredReport[] {
  try {
    const { format, reports } = JSON.parse(readFileSync(path.join(root, storedFile), "utf8"));
    return format === reportFormat && Array.isArray(reports) ? reports : [];
  } catch {
    return [];
  }
}

/** Keeps what a report saw. A folder that cannot be written keeps nothing. */
export function keepReport(
  root: string,
  variants: readonly VariantReport[],
  { at, commit }: { readonly at: number; readonly commit: string | undefined },
): void {
  const before = storedReports(root);
  const reports = withReport(before, variants, { at, commit });
  if (reports === before) return;
  const file = path.join(root, storedFile);
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, JSON.stringify({ format: reportFormat, reports }));
    renameSync(`${file}.new`, file);
  } catch {
    // The report itself is still shown.
  }
}

/** Variants that were not looked at stay as they were. */
export function withReport(
  before: readonly StoredReport[],
  variants: readonly VariantReport[],
  { at, commit }: { readonly at: number; readonly commit: string | undefined },
): readonly StoredReport[] {
  const known = variants.filter((variant) => figures.some(({ of }) => of(variant) !== undefined));
  if (known.length === 0) return before;
  const last = before.at(-1);
  const commits = commit === undefined ? [] : [commit];
  if (last === undefined || differs(last, known))
    return [...before, { at, commits, variants: merged(last, known) }].slice(-MOST);
  // What was built but not run yet may have lost figures: it is not kept in place of what is complete.
  const kept = known.filter((variant) => !isMissing(variant, variantOf(last, variant.address)));
  const next = {
    at: last.at,
    commits: kept.length < known.length ? last.commits : [...new Set([...last.commits, ...commits])],
    variants: merged(last, kept),
  };
  return JSON.stringify(next) === JSON.stringify(last) ? before : [...before.slice(0, -1), next];
}

/** The last report with other figures of these variants. */
export const lastOther = (
  reports: readonly StoredReport[],
  variants: readonly VariantReport[],
): StoredReport | undefined => reports.findLast((one) => differs(one, variants));

/** Whether a figure that both know has changed. */
function differs(report: StoredReport, variants: readonly VariantReport[]): boolean {
  return variants.some((variant) => {
    const before = variantOf(report, variant.address);
    return figures.some(({ of }) => {
      const [old, now] = [before && of(before), of(variant)];
      return old !== undefined && now !== undefined && old !== now;
    });
  });
}

const isMissing = (variant: VariantReport, before: VariantReport | undefined): boolean =>
  before !== undefined && figures.some(({ of }) => of(before) !== undefined && of(variant) === undefined);

const variantOf = (report: StoredReport, address: string): VariantReport | undefined =>
  report.variants.find((one) => one.address === address);

/** In a constant order, so that equal reports have equal texts. */
const merged = (
  last: StoredReport | undefined,
  variants: readonly VariantReport[],
): readonly VariantReport[] =>
  [
    ...(last?.variants ?? []).filter(({ address }) => variants.every((one) => one.address !== address)),
    ...(JSON.parse(JSON.stringify(variants, withoutSchedules)) as readonly VariantReport[]),
  ].sort((a, b) => (a.address < b.address ? -1 : 1));
