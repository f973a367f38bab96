/**
 * The baseline of a report: a file that `arc report --json` wrote, here or in a commit of git, or what arc kept of an
 * earlier report.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { UsageError } from "../call/usage-error.ts";
import { parseReport } from "./document.ts";
import type { EarlierReport } from "./model/page-data.ts";
import type { VariantReport } from "./model/report.ts";
import { lastOther, type StoredReport, storedReports } from "./stored.ts";

/** What a project has for comparisons. */
export interface Sources {
  /** The project's folder. */
  readonly root: string;
  /** `budgets: { baseline }` of arc.yaml. */
  readonly baseline: string | undefined;
}

/** Reads an earlier report; undefined if there is no such file, in the folder or in a commit. */
export function readBaseline(words: string, cwd: string): readonly VariantReport[] | undefined {
  const file = path.resolve(cwd, words);
  if (existsSync(file)) return parseReport(readFileSync(file, "utf8"), words);
  // A file in a git commit: `main:report.json`, `HEAD~3:bench/report.json`.
  const text = words.includes(":") ? git(cwd, "show", words) : undefined;
  return text === undefined ? undefined : parseReport(text, words);
}

/** For `--compare` alone: arc.yaml's baseline, else the last report that had other figures. */
export function lastBaseline({ root, baseline }: Sources, variants: readonly VariantReport[]): EarlierReport {
  if (baseline !== undefined) {
    const read = readBaseline(baseline, root);
    if (read !== undefined) return { name: baseline, variants: read };
    throw new UsageError(
      `the baseline ${baseline} of arc.yaml's budgets is not there`,
      `\`arc report --all --json > ${baseline}\` writes one`,
    );
  }
  const stored = storedReports(root);
  const last = lastOther(stored, variants);
  if (last !== undefined) return { name: nameOf(last), variants: last.variants };
  throw new UsageError(
    stored.length === 0 ? "arc has kept no earlier report" : "no earlier report has other figures",
    "`arc report` keeps what it sees: call it, change and build, and compare then; or name a FILE, a REV or a variant",
  );
}

/** For a commit of git, named like `main` or `HEAD~3`; undefined if there is none of that name. */
export function baselineOfCommit(rev: string, { root, baseline }: Sources): EarlierReport | undefined {
  const commit = commitOf(rev, root);
  if (commit === undefined) return undefined;
  const isFile = baseline !== undefined && !baseline.includes(":");
  if (isFile) {
    const name = `${rev}:./${baseline}`;
    const variants = readBaseline(name, root);
    if (variants !== undefined) return { name, variants };
  }
  const stored = storedReports(root).findLast(({ commits }) => commits.includes(commit));
  if (stored !== undefined) return { name: `${nameOf(stored)} at ${rev}`, variants: stored.variants };
  throw new UsageError(
    `there is no report of commit ${commit.slice(0, 10)} (${rev})`,
    isFile
      ? `${baseline} is not in that commit: \`arc report --all --json > ${baseline}\` writes it, to be committed`
      : "check it out, build it, and call `arc report --all`, which keeps one; or keep one in git and name it as REV:FILE",
  );
}

export const isCommit = (rev: string, root: string): boolean => commitOf(rev, root) !== undefined;

const commitOf = (rev: string, root: string): string | undefined =>
  git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", `${rev}^{commit}`)?.trim();

/** The commit that the project's folder is unchanged from. */
export function cleanCommit(root: string): string | undefined {
  const changes = git(root, "status", "--porcelain", "--untracked-files=no", "--", ".");
  return changes === "" ? git(root, "rev-parse", "--verify", "--quiet", "HEAD")?.trim() : undefined;
}

/** What git prints; undefined where it fails or is not installed. */
function git(cwd: string, ...args: readonly string[]): string | undefined {
  try {
    return execFileSync("git", args, {
      cwd,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 2 ** 28,
    });
  } catch {
    return undefined;
  }
}

function nameOf({ at }: StoredReport): string {
  const date = new Date(at);
  const two = (n: number): string => String(n).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `the report of ${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
