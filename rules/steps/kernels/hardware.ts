/** The tools' reports on a kernel's hardware, with source lines, combined into one report by the kind. */
import type {
  Action,
  ActionInput,
  Address,
  Step,
  StepContext,
  StepResult,
} from "../../../core/build/model/action.ts";
import type { TranslatedKernel } from "../../../core/compiler/driver/kernel-texts.ts";
import { findKind } from "../../../targets/registry.ts";
import {
  availableFile,
  factsFile,
  noFacts,
  type Report,
  type Resources,
  resourceWords,
} from "../../../targets/shared/kind/report.ts";
import { rescheduledFile, rescheduledWords } from "../../../targets/shared/kind/rescheduled.ts";
import { addressOf } from "../../inputs/addresses.ts";
import { codeDigest } from "../../inputs/code-digest.ts";
import { kernelTitle } from "../../inputs/kernel-title.ts";
import { readIfThere } from "../../inputs/optional-input.ts";
import { optionsOf } from "../../inputs/options.ts";
import { siteLocation } from "../../inputs/site-location.ts";

export type { Rescheduled } from "../../../targets/shared/kind/report.ts";
export {
  type CriticalPath,
  type LoopReport,
  type LoopSchedule,
  type Report,
  type Resources,
  resourceWords,
} from "../../../targets/shared/kind/report.ts";
export { rescheduledWords } from "../../../targets/shared/kind/rescheduled.ts";

/** A `Report` as JSON. */
export const hardwareReport = "report.json";

export const hardwareAddress = (kernel: Address): Address => addressOf(kernel, "hardware");

/** Files for the kind's report parser that no tool writes. */
export function readerFiles(
  { facts = noFacts }: TranslatedKernel,
  available: Resources | undefined,
): Readonly<Record<string, string>> {
  return {
    [factsFile]: JSON.stringify(facts),
    ...(available && { [availableFile]: JSON.stringify(available) }),
  };
}

interface HardwareRequest {
  readonly variant: Address;
  readonly kernel: Address;
  readonly translated: TranslatedKernel;
  /** The target kind, which parses the files. */
  readonly kind: string;
  /** The tools' output files. */
  readonly files: readonly ActionInput[];
  /** The action that decides which schedule the kernel keeps. */
  readonly settled?: Address;
  /** Why the tools left nothing more, and the remedy. */
  readonly lacks?: string;
  /** The device's resources, if no tool reports them. */
  readonly available?: Resources;
}

export function hardwareAction({
  variant,
  kernel,
  translated,
  kind,
  files,
  settled,
  lacks,
  available,
}: HardwareRequest): Action {
  const { site } = translated;
  const settles =
    settled === undefined
      ? []
      : [factsFile, rescheduledFile].map((name) => ({ name, from: { action: settled, output: name } }));
  const texts = Object.entries(readerFiles(translated, available)).filter(
    ([name]) => settled === undefined || name !== factsFile,
  );
  return {
    address: hardwareAddress(kernel),
    step: hardwareStep.name,
    title: `report on ${kernelTitle(variant, [translated])}`,
    site: { file: site.file, line: site.line },
    options: stepOptions.write({ kind, ...(lacks !== undefined && { lacks }) }),
    inputs: [...files, ...settles, ...texts.map(([name, text]): ActionInput => ({ name, from: { text } }))],
    outputs: [{ name: hardwareReport, kind: "file" }],
  };
}

const stepOptions = optionsOf<{ readonly kind: string; readonly lacks?: string }>();

export const hardwareStep: Step = { name: "hardware", digest: codeDigest("hardware"), run };

async function run(context: StepContext): Promise<StepResult> {
  const { kind, lacks } = stepOptions.read(context.action);
  const files = new Map<string, string>();
  for (const { name } of context.action.inputs) {
    const file = await readIfThere(context, name);
    if (file !== undefined) files.set(name, file.toString("utf8"));
  }
  const read = await findKind(kind)?.readReport?.(files);
  if (read === undefined) throw new Error(`target kind ${kind} reads no reports`);
  const report: Report = { ...read, ...(lacks !== undefined && { lacks }) };
  await context.writeOutput(hardwareReport, JSON.stringify(report));
  const warnings = [...overCapacity(report), ...missedClock(report)];
  if (warnings.length === 0) return { ok: true };
  const loc = siteLocation(context.action);
  return { ok: true, diagnostics: warnings.map((warning) => ({ severity: "warning", ...warning, loc })) };
}

interface Warning {
  readonly code: string;
  readonly message: string;
}

function overCapacity({ percent }: Report): readonly Warning[] {
  const over = Object.entries(percent).filter(([, share]) => share > 100);
  if (over.length === 0) return [];
  const needs = over
    .map(([what, share]) => `${Math.round(share)} % of the device's ${resourceWords[what] ?? what}`)
    .join(", ");
  return [{ code: "does-not-fit", message: `it would not fit: it needs ${needs}` }];
}

/** Warns if the second schedule misses the clock, too. */
function missedClock({ rescheduled, fmax }: Report): readonly Warning[] {
  if (rescheduled?.margin === undefined || fmax === undefined || fmax >= rescheduled.clock) return [];
  return [{ code: "missed-clock", message: rescheduledWords(rescheduled, fmax) }];
}
