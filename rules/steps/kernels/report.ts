/**
 * The report stage: says in minutes what the hardware will be, before hours of compilation. The vendor's compiler stops
 * after its reports, and a design that does not fit fails here. If it leaves an object, the next call continues from
 * that.
 */
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type {
  Action,
  ActionInput,
  Address,
  Step,
  StepContext,
  StepResult,
} from "../../../core/build/model/action.ts";
import type { Diagnostic, Loc } from "../../../core/lang/tree/ast.ts";
import { findKind } from "../../../targets/registry.ts";
import type { Report } from "../../../targets/shared/kind/report.ts";
import { addressOf } from "../../inputs/addresses.ts";
import { codeDigest } from "../../inputs/code-digest.ts";
import { type KernelSource, siteOf, sourcesOf, textOf, withSources } from "../../inputs/kernel-sources.ts";
import { optionsOf } from "../../inputs/options.ts";
import type { PlannedReport } from "../../inputs/planned.ts";
import { kernelWord } from "../../inputs/stage-words.ts";
import { regionName } from "../../inputs/tool-names.ts";
import { toolResult } from "../../tools/tool-result.ts";
import { runTool } from "../../tools/tool-run.ts";

export interface ReportStage {
  readonly action: Action;
  /** A `Report` as JSON: it exists only if the design is worth continuing. */
  readonly verdict: ActionInput;
  readonly object?: ActionInput;
}

interface Options {
  readonly kind: string;
  readonly source: string;
  readonly argv: readonly string[];
  readonly folders: readonly string[];
  readonly object?: string;
}

const stepOptions = optionsOf<Options>();

const verdictName = "report.json";
const reportsName = "reports";

/** Address of a report, if it was made: on one kernel of the image, or on all together. */
export const vendorReportOf = (
  variant: Address,
  image: string,
  region?: string,
): { readonly address: Address; readonly output: string } => ({
  address: addressOf(`${variant}/${image}`, "report", region),
  output: verdictName,
});

/** One for each kernel text, or one for all. */
export function reportActions(
  variant: Address,
  address: Address,
  sources: readonly KernelSource[],
  planned: PlannedReport | undefined,
): readonly ReportStage[] {
  if (planned === undefined) return [];
  const entries = sources.flatMap(({ kernel }) =>
    kernel.entries.map((entry) => ({ entry, name: regionName(entry, kernel), kernel })),
  );
  if (planned.each === "image")
    return [stage(variant, addressOf(address, "report"), sources, entries[0]?.entry ?? "", planned)];
  const extension = (sources[0]?.name ?? "").split(".").at(-1) ?? "";
  return entries.map(({ entry, name, kernel }) =>
    stage(
      variant,
      addressOf(address, "report", entries.length > 1 ? name : undefined),
      sourcesOf([kernel], extension),
      entry,
      planned,
    ),
  );
}

function stage(
  variant: Address,
  address: Address,
  sources: readonly KernelSource[],
  entry: string,
  { kind, argv, folders, object, tool, missing, each }: PlannedReport,
): ReportStage {
  const named = (text: string): string => text.replaceAll(kernelWord, entry);
  const options: Options = {
    kind,
    source: sources.at(-1)?.name ?? "",
    argv: withSources(argv, sources).map(named),
    folders: folders.map(named),
    ...(object === undefined ? {} : { object: named(object) }),
  };
  const { site, what } = siteOf(variant, sources);
  const action: Action = {
    address,
    step: reportStep.name,
    title: `estimate ${each === "kernel" ? `${entry} for ${variant}` : what} with ${argv[0]}`,
    ...(site && { site }),
    options: stepOptions.write(options),
    ...(tool === undefined ? {} : { tools: [tool] }),
    inputs: sources.map(textOf),
    outputs: [
      { name: verdictName, kind: "file" },
      { name: reportsName, kind: "folder", optional: true },
      ...(options.object === undefined ? [] : [{ name: options.object, kind: "file" } as const]),
    ],
    // Objects and reports contain the time at which they were made.
    deterministic: false,
    ...(missing === undefined ? {} : { skip: missing }),
  };
  const output = (name: string, as = name): ActionInput => ({
    name: as,
    from: { action: action.address, output: name },
  });
  return {
    action,
    verdict: output(verdictName, `${entry}.${verdictName}`),
    ...(options.object === undefined ? {} : { object: output(options.object) }),
  };
}

export const reportStep: Step = { name: "report", digest: codeDigest("report"), run, typicalSeconds: 60 };

async function run(context: StepContext): Promise<StepResult> {
  const { kind, source, argv, folders } = stepOptions.read(context.action);
  const { code, messages } = await runTool(context, { argv });
  const done = toolResult(context, {
    code: "kernel-compiler",
    name: argv[0] ?? "",
    exitCode: code,
    messages,
    fact: true,
  });
  if (!done.ok) return done;
  const staged = dirname(context.output(verdictName));
  const folder = folders.map((name) => join(staged, name)).find((path) => existsSync(path));
  const files = folder === undefined ? new Map<string, string>() : filesIn(folder);
  const report = await findKind(kind)?.readReport?.(files);
  if (report === undefined) throw new Error(`target kind ${kind} reads no reports`);
  if (folder !== undefined) cpSync(folder, context.output(reportsName), { recursive: true });
  const diagnostics = [...(done.diagnostics ?? []), ...slowLoops(report, source)];
  const over = Object.entries(report.percent).filter(([, percent]) => percent > 100);
  if (over.length > 0) {
    const needs = over
      .map(([what, percent]) => `${Math.round(percent)} % of the device's ${what}`)
      .join(", ");
    return { ok: false, fact: true, message: `the design does not fit: it needs ${needs}`, diagnostics };
  }
  await context.writeOutput(verdictName, JSON.stringify(report));
  return { ok: true, diagnostics };
}

/** By path below the folder. */
function filesIn(folder: string): ReadonlyMap<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), "utf8")]),
  );
}

/** Warns about loops that do not start an iteration in every cycle, at their lines in the kernel text. */
function slowLoops({ loops, problems }: Report, source: string): readonly Diagnostic[] {
  const slow = loops.flatMap(({ name, line, ii, pipelined, details }): Diagnostic[] => {
    const loc = { file: source, line: line ?? 1, col: 1 };
    const why = details === undefined ? "" : `: ${details}`;
    if (ii !== undefined && ii > 1)
      return [warning("slow-loop", `loop ${name} starts an iteration every ${ii} cycles${why}`, loc)];
    return pipelined === false ? [warning("slow-loop", `loop ${name} is not pipelined${why}`, loc)] : [];
  });
  const unread = problems.map((problem) =>
    warning("unread-report", problem, { file: source, line: 1, col: 1 }),
  );
  return [...slow, ...unread];
}

const warning = (code: string, message: string, loc: Loc): Diagnostic => ({
  severity: "warning",
  code,
  message,
  loc,
});
