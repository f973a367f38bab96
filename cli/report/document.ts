/** The JSON that `arc report --json` writes and `--compare` reads. */
import { UsageError } from "../call/usage-error.ts";
import { withoutSchedules } from "../hardware/rows.ts";
import type { VariantReport } from "./model/report.ts";

/** Raised when variants of an older report can no longer be compared with those of a newer one. */
export const reportFormat = 1;

interface ReportDocument {
  readonly type: "report";
  readonly format: number;
  /** The arc that wrote it. */
  readonly arc: string;
  readonly variants: readonly VariantReport[];
}

/** `arc`: its version. */
export function reportText(variants: readonly VariantReport[], arc: string): string {
  const document: ReportDocument = { type: "report", format: reportFormat, arc, variants };
  return `${JSON.stringify(document, withoutSchedules)}\n`;
}

const remedy = "write one with `arc report --all --json > FILE`";

/** `name`: as the user wrote it. */
export function parseReport(text: string, name: string): readonly VariantReport[] {
  let read: Partial<ReportDocument> | readonly unknown[] | null;
  try {
    read = JSON.parse(text);
  } catch {
    throw new UsageError(`${name} is no report: it is not JSON`, remedy);
  }
  if (Array.isArray(read) && read.every((row) => typeof row?.address === "string"))
    throw new UsageError(
      `${name} is a report without a format, as arc wrote before version 0.2`,
      "write it again: build its sources with this arc, then `arc report --all --json > FILE`",
    );
  const { type, format, arc, variants } = (read ?? {}) as Partial<ReportDocument>;
  if (type !== "report" || typeof format !== "number")
    throw new UsageError(`${name} is no report of arc's`, remedy);
  if (format !== reportFormat)
    throw new UsageError(
      `${name} is a report of format ${format} by arc ${arc ?? "of an unknown version"}, and this arc reads format ${reportFormat}`,
      format > reportFormat
        ? "compare with that version of arc, or write the report again with this one"
        : "write it again: build its sources with this arc, then `arc report --all --json > FILE`",
    );
  if (!Array.isArray(variants) || !variants.every(isVariant))
    throw new UsageError(`${name} is damaged: it has variants without totals`, remedy);
  return variants;
}

const isVariant = (row: Partial<VariantReport> | null): boolean =>
  typeof row?.address === "string" && typeof row.totals?.resources === "object";
