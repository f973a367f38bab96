/** All that the page shows, as data: it stands in the page as JSON, so that programs can read a report that people were sent. */
import type { Address } from "../../../core/build/model/action.ts";
import type { PassStory } from "../../../core/compiler/driver/pass-story.ts";
import type { Diagnostic } from "../../../schema/document/diagnostic.ts";
import type { ProfileRow } from "../../bench/device-times.ts";
import type { Summary } from "../../bench/statistics.ts";
import type { BuildRecord } from "./build-record.ts";
import type { VariantReport } from "./report.ts";

export interface PageData {
  readonly format: 2;
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
  /** Earlier reports, the oldest first: this one is compared with the last. */
  readonly earlier?: readonly EarlierReport[];
  /** What the passes did; of the first variants of many. */
  readonly passes?: readonly PassesOfKernel[];
  /** What `arc bench` and `arc tune` measured of these very programs. */
  readonly measured?: readonly MeasuredRun[];
}

export interface EarlierReport {
  readonly name: string;
  readonly variants: readonly VariantReport[];
}

export interface PassesOfKernel {
  readonly variant: Address;
  readonly kernel: string;
  readonly told: PassStory["told"];
  /** The region's text before and after each pass that changed it, by number. */
  readonly changes: readonly { readonly pass: string; readonly before: number; readonly after: number }[];
}

export interface MeasuredRun {
  readonly variant: Address;
  readonly run: string;
  /** Seconds of the program, start to end. */
  readonly program?: Summary;
  /** The same of the program without directives. */
  readonly serial?: Summary;
  /** Seconds of the device in launches and in transfers. */
  readonly launches?: Summary;
  readonly transfers?: Summary;
  /** Of the last run whose device was watched: the kernels, and what was moved. */
  readonly rows?: readonly ProfileRow[];
  /** Floating-point operations of all launches, by region. */
  readonly operations?: Readonly<Record<string, number>>;
  /** Sizes that were not known when those were counted. */
  readonly assumed?: readonly string[];
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
