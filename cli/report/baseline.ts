/** The baseline of a report: a variant of the same project, or an earlier output of `arc report --json`. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { UsageError } from "../call/usage-error.ts";
import type { VariantReport } from "./model/report.ts";

/** Reads an earlier report; undefined if there is no such file, in the folder or in a commit. */
export function readBaseline(words: string, cwd: string): readonly VariantReport[] | undefined {
  const file = path.resolve(cwd, words);
  if (existsSync(file)) return parse(readFileSync(file, "utf8"), words);
  // A file in a git commit: `main:report.json`, `HEAD~3:bench/report.json`.
  if (!words.includes(":")) return undefined;
  try {
    const text = execFileSync("git", ["show", words], {
      cwd,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 2 ** 28,
    });
    return parse(text, words);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return undefined;
  }
}

const remedy = "write one with `arc report --all --json > FILE`";

function parse(text: string, words: string): readonly VariantReport[] {
  let rows: unknown;
  try {
    rows = JSON.parse(text);
  } catch {
    throw new UsageError(`${words} is no report: it is not JSON`, remedy);
  }
  const isReport = (row: Partial<VariantReport> | null): boolean =>
    typeof row?.address === "string" && typeof row.totals?.resources === "object";
  if (!Array.isArray(rows)) throw new UsageError(`${words} is no report of arc's`, remedy);
  if (!rows.every(isReport))
    throw new UsageError(`${words} is a report of another arc version, without totals of variants`, remedy);
  return rows as readonly VariantReport[];
}
