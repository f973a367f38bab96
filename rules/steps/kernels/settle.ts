/**
 * Timing closure: decides the schedule that a kernel keeps. If the layout of its first schedule meets the clock, the
 * schedule stays byte for byte, so that everything after it is already made. Otherwise there is one second schedule,
 * with delays scaled up to those that the layout showed. Whatever clock that reaches is reported.
 */
import type {
  Action,
  ActionInput,
  Address,
  Step,
  StepContext,
  StepResult,
} from "../../../core/build/model/action.ts";
import type { Finding } from "../../../core/build/model/finding.ts";
import type { TranslatedKernel } from "../../../core/compiler/driver/kernel-texts.ts";
import { findKind } from "../../../targets/registry.ts";
import type { Rescheduled } from "../../../targets/shared/kind/report.ts";
import { factsFile, noFacts } from "../../../targets/shared/kind/report.ts";
import {
  type Measured,
  marginsFor,
  rescheduledFile,
  rescheduledWords,
  slowerLoops,
} from "../../../targets/shared/kind/rescheduled.ts";
import { addressOf } from "../../inputs/addresses.ts";
import { codeDigest } from "../../inputs/code-digest.ts";
import { kernelTitle } from "../../inputs/kernel-title.ts";
import { readIfThere } from "../../inputs/optional-input.ts";
import { optionsOf } from "../../inputs/options.ts";
import { siteLocation } from "../../inputs/site-location.ts";
import { inToolNames, type ToolNames } from "../../inputs/tool-names.ts";
import { type PlannedTranslation, translated, translationOptions } from "../translate.ts";

interface SettleRequest {
  readonly variant: Address;
  /** The kernel's address. */
  readonly address: Address;
  readonly kernel: TranslatedKernel;
  /** Name of its text. */
  readonly source: string;
  /** The clock that it must reach, in MHz. */
  readonly clock: number;
  /** The tools' reports on its first schedule. */
  readonly reports: readonly ActionInput[];
  readonly translation: PlannedTranslation;
}

/** In addition to the options of the translation that it may repeat. */
interface Options {
  readonly region: string;
  readonly toolNames: ToolNames;
  readonly source: string;
  readonly clock: number;
  readonly reports: readonly string[];
}

const stepOptions = optionsOf<Options>();

/** The first schedule. */
type Draft = Pick<TranslatedKernel, "text" | "headers" | "facts" | "manifest">;

/** Inputs: its text, and everything else about it. */
const draftText = "draft";
const draftRest = "draft.json";

/** Outputs beside the kernel's text and headers: facts about the schedule that stays, and how it was reached. */
export { type DesignFacts, factsFile } from "../../../targets/shared/kind/report.ts";
export { rescheduledFile } from "../../../targets/shared/kind/rescheduled.ts";

export const settleAddress = (kernel: Address): Address => addressOf(kernel, "settle");

export function settleAction({
  variant,
  address,
  kernel,
  source,
  clock,
  reports,
  translation,
}: SettleRequest): Action {
  const { region, site, text, headers = {}, facts, manifest, toolNames = {} } = kernel;
  const rest: Omit<Draft, "text"> = { headers, manifest, ...(facts && { facts }) };
  const own = { region, toolNames, source, clock, reports: reports.map(({ name }) => name) };
  return {
    address: settleAddress(address),
    step: settleStep.name,
    title: `see whether ${kernelTitle(variant, [kernel])} reaches its clock`,
    site: { file: site.file, line: site.line },
    options: { ...translation.options, ...stepOptions.write(own) },
    inputs: [
      { name: draftText, from: { text } },
      { name: draftRest, from: { text: JSON.stringify(rest) } },
      ...reports,
      ...translation.inputs,
    ],
    outputs: [
      ...[source, factsFile, ...Object.keys(headers)].map((name) => ({ name, kind: "file" }) as const),
      { name: rescheduledFile, kind: "file", optional: true },
    ],
  };
}

export const settleStep: Step = { name: "settle", digest: codeDigest("settle"), run };

async function run(context: StepContext): Promise<StepResult> {
  const { source, clock, reports } = stepOptions.read(context.action);
  const { kind, shaping } = translationOptions.read(context.action);
  const text = (await context.readInput(draftText)).toString("utf8");
  const rest = JSON.parse((await context.readInput(draftRest)).toString("utf8")) as Omit<Draft, "text">;
  const draft: Draft = { ...rest, text };
  const files = new Map<string, string>();
  for (const name of reports) {
    // A design that does not fit has no report.
    const report = await readIfThere(context, name);
    if (report !== undefined) files.set(name, report.toString("utf8"));
  }
  const measured = await findKind(kind)?.measured?.(files, shaping?.target ?? {});
  if (measured === undefined || measured.reached >= clock) {
    await write(context, draft, source);
    return { ok: true };
  }
  const second = await rescheduled(context, draft, measured);
  const { facts = noFacts } = draft;
  const became: Rescheduled = {
    clock,
    reached: measured.reached,
    ...(second && { margin: second.margin }),
    slower: second ? slowerLoops(facts.loops, second.kernel.facts?.loops ?? []) : [],
  };
  await write(context, second?.kernel ?? draft, source);
  await context.writeOutput(rescheduledFile, JSON.stringify(became));
  const message = rescheduledWords(became);
  const warning: Finding = {
    severity: "warning",
    code: "missed-clock",
    message,
    loc: siteLocation(context.action),
  };
  return { ok: true, diagnostics: [warning] };
}

/** Undefined: longer delays do not change the schedule. */
async function rescheduled(
  context: StepContext,
  draft: Draft,
  measured: Measured,
): Promise<{ readonly margin: number; readonly kernel: Draft } | undefined> {
  const { region, toolNames, clock } = stepOptions.read(context.action);
  for (const margin of marginsFor(clock, measured)) {
    context.progress(`scheduling with ${margin.toFixed(2)}x delays`);
    const { kernels } = (await translated(context, { margin })).translation;
    const found = kernels.find((k) => k.region === region);
    // A region that is impossible with longer delays keeps its schedule.
    if (found === undefined || found.text === "") return undefined;
    const kernel = inToolNames(found, toolNames);
    if (kernel.text === draft.text) continue;
    if (kernel.manifest !== draft.manifest)
      throw new Error(`another schedule changes how ${region} is launched`);
    return { margin, kernel };
  }
  return undefined;
}

async function write(
  context: StepContext,
  { text, headers = {}, facts }: Draft,
  source: string,
): Promise<void> {
  await context.writeOutput(source, text);
  await context.writeOutput(factsFile, JSON.stringify(facts ?? noFacts));
  for (const [name, header] of Object.entries(headers)) await context.writeOutput(name, header);
}
