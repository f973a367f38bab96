/** All that the page shows, as data: it stands in the page as JSON, so that programs can read a report that people were sent. */
import type { Address } from "../../../core/build/model/action.ts";
import type { Diagnostic } from "../../../schema/document/diagnostic.ts";
import type { BuildRecord } from "./build-record.ts";
import type { VariantReport } from "./report.ts";

export interface PageData {
  readonly format: 1;
  /** arc's version. */
  readonly arc: string;
  readonly project: string;
  /** Milliseconds since the epoch. */
  readonly made: number;
  readonly variants: readonly VariantReport[];
  readonly problems: readonly Problem[];
  readonly kernels: readonly KernelText[];
  /** Each text once; kernels name theirs by its number. */
  readonly texts: readonly string[];
  /** Files that the report speaks of, by their names. */
  readonly sources: Readonly<Record<string, string>>;
  /** Absent where no build has run anything since arc keeps such records. */
  readonly build?: BuildRecord;
  /** An earlier report that this one is compared with. */
  readonly baseline?: { readonly name: string; readonly variants: readonly VariantReport[] };
}

/** An action that failed when it was run last. */
export interface Problem {
  readonly address: Address;
  readonly message: string;
  readonly findings: readonly Diagnostic[];
  /** The end of what its tool said. */
  readonly log: string;
}

export interface KernelText {
  readonly variant: Address;
  readonly region: string;
  /** As in the tables: `edges (src/edges.c:11)`. */
  readonly kernel: string;
  /** Absent where the text is too long to be worth its place. */
  readonly text?: number;
}
