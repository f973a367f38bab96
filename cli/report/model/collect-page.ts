/** Collects everything that the HTML page shows from what builds left. Builds nothing. */
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { Engine } from "../../../core/build/engine-interface.ts";
import type { Address } from "../../../core/build/model/action.ts";
import { EngineError } from "../../../core/build/model/error.ts";
import type { TranslatedKernel } from "../../../core/compiler/driver/kernel-texts.ts";
import { allKernels, kernelsAddress } from "../../../rules/steps/kernels/kernels.ts";
import { functionOf, kernelNames } from "../../hardware/names.ts";
import { explanation, resultOf } from "../../project/results.ts";
import type { Workspace } from "../../project/workspace.ts";
import { type BuildRecord, recordFile } from "./build-record.ts";
import { measuredRuns } from "./measured-runs.ts";
import type { EarlierReport, KernelText, MeasuredRun, PageData, Problem } from "./page-data.ts";
import { passStories } from "./pass-stories.ts";
import type { VariantReport } from "./report.ts";

declare const ARC_VERSION: string;

/** Longer texts are left out, in characters. */
const LONGEST_KERNEL = 300_000;
const LONGEST_SOURCE = 500_000;
/** How many characters of a failed tool's log are shown: its end says what went wrong. */
const LOG = 8000;

export async function collectPage(
  workspace: Workspace,
  variants: readonly VariantReport[],
  earlier: readonly EarlierReport[],
  now: number,
): Promise<PageData> {
  const { engine, project } = workspace;
  const texts = new Map<string, number>();
  const numberOf = (text: string): number => {
    const number = texts.get(text) ?? texts.size;
    texts.set(text, number);
    return number;
  };
  const kernels = variants.flatMap(({ address }) => kernelTexts(engine, address, project.kernels, numberOf));
  const passes = await passStories(workspace, variants, numberOf);
  const measured = await measuredRuns(workspace, new Set(variants.map(({ address }) => address)));
  const build = recordOf(project.root);
  return {
    format: 3,
    arc: ARC_VERSION,
    project: project.name,
    createdAt: now,
    variants,
    problems: problemsOf(workspace),
    kernels,
    texts: [...texts.keys()],
    sources: sourcesOf(project.root, variants, kernels, measured),
    ...(build && { build }),
    ...(earlier.length > 0 && { earlier }),
    ...(passes.length > 0 && { passes }),
    ...(measured.length > 0 && { measured }),
  };
}

function kernelTexts(
  engine: Engine,
  variant: Address,
  names: Workspace["project"]["kernels"],
  numberOf: (text: string) => number,
): readonly KernelText[] {
  const kernels = resultOf<TranslatedKernel[]>(engine, kernelsAddress(variant), allKernels) ?? [];
  const called = kernelNames(kernels, names);
  return kernels.map(({ region, text, site }) => {
    const kernel = `${called.get(region) ?? functionOf(region)} (${site.file}:${site.line})`;
    if (text.length > LONGEST_KERNEL) return { variant, region, kernel };
    return { variant, region, kernel, text: numberOf(text) };
  });
}

/** Problems of the shown variants' actions and everything they need, including actions added by expansions. */
function problemsOf({ engine, plan }: Workspace): readonly Problem[] {
  const addresses = new Set<Address>();
  const gather = (address: Address): void => {
    if (addresses.has(address)) return;
    addresses.add(address);
    for (const { address: later } of grown(engine, address)) gather(later);
  };
  for (const { address } of plan.actions) gather(address);
  return [...addresses].flatMap((address): readonly Problem[] => {
    const failure = explanation(engine, address)?.result.failure;
    if (failure === undefined) return [];
    return [
      {
        address,
        message: failure.message,
        findings: failure.diagnostics ?? [],
        log: unlessGone(() => engine.log(address), "").slice(-LOG),
      },
    ];
  });
}

const grown = (engine: Engine, address: Address) => unlessGone(() => engine.grown(address), []);

/** Results that were never built or have left the store are skipped. */
function unlessGone<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof EngineError) return otherwise;
    throw error;
  }
}

function recordOf(root: string): BuildRecord | undefined {
  try {
    return JSON.parse(readFileSync(path.join(root, recordFile), "utf8")) as BuildRecord;
  } catch {
    // There is no record, or an interrupted build left half of one.
    return undefined;
  }
}

/** The source files that kernels, loops and area by line refer to. */
function sourcesOf(
  root: string,
  variants: readonly VariantReport[],
  kernels: readonly KernelText[],
  measured: readonly MeasuredRun[],
): PageData["sources"] {
  const places = [
    ...kernels.map(({ kernel }) => /\((.*):\d+\)$/.exec(kernel)?.[1]),
    ...variants.flatMap(({ hardware = [] }) =>
      hardware.flatMap(({ lines = [], loops }) => [
        ...lines.map(({ file }) => file),
        ...loops.map(({ place }) => /^(.*):\d+$/.exec(place)?.[1]),
      ]),
    ),
    ...measured.flatMap(({ rows = [] }) => rows.map(({ file }) => file)),
  ];
  const files = [...new Set(places)].filter((file) => file !== undefined);
  return Object.fromEntries(files.flatMap((file) => readIfSmall(path.resolve(root, file), file)));
}

function readIfSmall(file: string, name: string): readonly (readonly [string, string])[] {
  try {
    const stat = statSync(file);
    return stat.isFile() && stat.size <= LONGEST_SOURCE ? [[name, readFileSync(file, "utf8")]] : [];
  } catch {
    return [];
  }
}
