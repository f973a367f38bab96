/**
 * Everything that the page shows, as data. It is embedded as JSON, so that programs can read a report that was sent
 * around.
 */
import type { Address } from "../../../core/build/model/action.ts";
import type { PassStory } from "../../../core/compiler/driver/pass-story.ts";
import type { Diagnostic } from "../../../schema/document/diagnostic.ts";
import type { Differing } from "../../bench/compared-results.ts";
import type { Energy, NoEnergy } from "../../bench/device-energy.ts";
import type { ProfileRow } from "../../bench/device-times.ts";
import type { Summary } from "../../bench/statistics.ts";
import type { BuildRecord } from "./build-record.ts";
import type { VariantReport } from "./report.ts";

export interface PageData {
  readonly format: 3;
  /** arc's version. */
  readonly arc: string;
  readonly project: string;
  /** When the page was made, in ms since the epoch. */
  readonly createdAt: number;
  readonly variants: readonly VariantReport[];
  readonly problems: readonly Problem[];
  readonly kernels: readonly KernelText[];
  /** Each text once; kernels refer to it by index. */
  readonly texts: readonly string[];
  /** Source files that the report refers to, by name. */
  readonly sources: Readonly<Record<string, string>>;
  /** Absent if no action has run since arc keeps such records. */
  readonly build?: BuildRecord;
  /** Earlier reports, the oldest first: this one is compared with the last. */
  readonly earlier?: readonly EarlierReport[];
  /** What the passes did; if there are many variants, for the first ones only. */
  readonly passes?: readonly PassesOfKernel[];
  /** What `arc bench` and `arc explore` measured with exactly these programs. */
  readonly measured?: readonly MeasuredRun[];
}

export interface EarlierReport {
  /** For people: `before.json`, `the report of 2026-11-28 09:14`. */
  readonly name: string;
  readonly variants: readonly VariantReport[];
}

export interface PassesOfKernel {
  readonly variant: Address;
  readonly kernel: string;
  readonly remarks: PassStory["remarks"];
  /** Indexes of the region's text before and after each pass that changed it. */
  readonly changes: readonly { readonly pass: string; readonly before: number; readonly after: number }[];
}

export interface MeasuredRun {
  readonly variant: Address;
  readonly run: string;
  /** Wall time of the program in seconds. */
  readonly program?: Summary;
  /** Wall time of the program without directives. */
  readonly serial?: Summary;
  /** Seconds that the device spent in launches and in transfers. */
  readonly launches?: Summary;
  readonly transfers?: Summary;
  /** Of the device in a run, or why it is not known. */
  readonly energy?: Energy | NoEnergy;
  /** Present if times are not trusted, as runs left different results. */
  readonly differing?: Differing;
  /** Kernels and transfers of the run with device profiling whose time in launches is the median. */
  readonly rows?: readonly ProfileRow[];
  /** Floating-point operations of all launches, by region. */
  readonly operations?: Readonly<Record<string, number>>;
  /** Sizes that were unknown when the operations were counted, and had to be assumed. */
  readonly assumed?: readonly string[];
}

/** An action whose last run failed. */
export interface Problem {
  readonly address: Address;
  readonly message: string;
  readonly findings: readonly Diagnostic[];
  /** The end of its tool's output. */
  readonly log: string;
}

export interface KernelText {
  readonly variant: Address;
  readonly region: string;
  /** Name as in the tables: `edges (src/edges.c:11)`. */
  readonly kernel: string;
  /** Absent if the text is too long for the page. */
  readonly text?: number;
}
