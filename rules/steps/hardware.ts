/** What the tools say of a kernel's hardware, with the lines of the source: read by the kind into one report. */
import type {
  Action,
  ActionInput,
  Address,
  Json,
  Step,
  StepContext,
  StepResult,
} from "../../core/build/action.ts";
import { findKind } from "../../targets/registry.ts";
import { availableFile, factsFile, noFacts, type Resources } from "../../targets/shared/report.ts";
import { codeDigest } from "../code-digest.ts";
import type { TranslatedKernel } from "../translate.ts";

export type { CriticalPath, LoopReport, Report, Resources } from "../../targets/shared/report.ts";

/** A `Report` as JSON. */
export const hardwareReport = "report.json";

export const hardwareAddress = (kernel: Address): Address => `${kernel}#hardware`;

/** The files for a kind's reader that no tool leaves. */
export function readerFiles(
  { facts = noFacts }: TranslatedKernel,
  available: Resources | undefined,
): Readonly<Record<string, string>> {
  return {
    [factsFile]: JSON.stringify(facts),
    ...(available && { [availableFile]: JSON.stringify(available) }),
  };
}

export interface HardwareRequest {
  readonly kernel: Address;
  readonly translated: TranslatedKernel;
  /** The target kind, which reads the files. */
  readonly kind: string;
  /** What the tools left. */
  readonly files: readonly ActionInput[];
  /** What the device has, where no tool says it. */
  readonly available?: Resources;
}

export function hardwareAction({ kernel, translated, kind, files, available }: HardwareRequest): Action {
  const { site, region } = translated;
  const texts = Object.entries(readerFiles(translated, available));
  return {
    address: hardwareAddress(kernel),
    step: hardwareStep.name,
    title: `report on ${region} (${site.file}:${site.line})`,
    site: { file: site.file, line: site.line },
    options: { kind },
    inputs: [...files, ...texts.map(([name, text]): ActionInput => ({ name, from: { text } }))],
    outputs: [{ name: hardwareReport, kind: "file" }],
  };
}

export const hardwareStep: Step = { name: "hardware", digest: codeDigest("hardware"), run };

async function run(context: StepContext): Promise<StepResult> {
  const { kind } = context.action.options as { readonly kind: string };
  const files = await Promise.all(
    context.action.inputs.map(
      async ({ name }) => [name, (await context.readInput(name)).toString("utf8")] as const,
    ),
  );
  const report = await findKind(kind)?.readReport?.(new Map(files));
  if (report === undefined) throw new Error(`target kind ${kind} reads no reports`);
  await context.writeOutput(hardwareReport, JSON.stringify(report));
  const over = Object.entries(report.percent).filter(([, percent]) => percent > 100);
  if (over.length === 0) return { ok: true };
  const message = `it would not fit: it needs ${over.map(([what, percent]) => `${Math.round(percent)} % of the device's ${what}`).join(", ")}`;
  const diagnostics = [
    { severity: "warning", code: "does-not-fit", message, loc: { ...context.action.site, col: 1 } },
  ];
  return { ok: true, diagnostics: diagnostics as unknown as Json };
}
