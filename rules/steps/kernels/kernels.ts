/**
 * The images of a variant, known once its sources are translated. The step collects the kernels of all sources; its
 * expansion adds the actions that compile and package each of them and place the images.
 */

import type {
  Action,
  ActionInput,
  Address,
  Expansion,
  Step,
  StepContext,
  StepResult,
} from "../../../core/build/model/action.ts";
import { lastOf } from "../../../core/checked/access.ts";
import type { AuthoredKernels } from "../../../core/compiler/driver/authored-kernels.ts";
import type { TranslatedKernel } from "../../../core/compiler/driver/kernel-texts.ts";
import { findKind } from "../../../targets/registry.ts";
import type { TargetOptions } from "../../../targets/shared/kind/kind.ts";
import { addressOf } from "../../inputs/addresses.ts";
import { codeDigest } from "../../inputs/code-digest.ts";
import { type ImageGroup, imageGroups, sourcesOf, textOf } from "../../inputs/kernel-sources.ts";
import { optionsOf } from "../../inputs/options.ts";
import type { PlannedFabric, PlannedPayload, PlannedReport } from "../../inputs/planned.ts";
import { sourceOptions } from "../../inputs/source-inputs.ts";
import { namedForTools } from "../../inputs/tool-names.ts";
import { authoredList, kernelList, type PlannedTranslation } from "../translate.ts";
import { type AuthoredTools, authoredActions } from "./authored-images.ts";
import { fabricActions } from "./bitstream-flow.ts";
import { packageAction } from "./image.ts";
import { collectAction } from "./images.ts";
import { kernelAction } from "./kernel.ts";
import { type PromisingKernel, promisesAction } from "./promises.ts";
import { type PlannedProver, proofAddress, proveAction } from "./prove.ts";
import { reportActions } from "./report.ts";

interface ImagesRequest {
  /** `target:variant`. */
  readonly variant: Address;
  readonly options: ImagesOptions;
  /** Actions that translated the sources. */
  readonly translations: readonly Address[];
}

/** What the expansion needs beside the kernels. */
export interface ImagesOptions {
  readonly target: string;
  readonly variantName: string;
  readonly backend: string;
  readonly extension: string;
  readonly driverOptions: string;
  /** One image holds all kernels. */
  readonly whole?: boolean;
  readonly report?: PlannedReport;
  readonly fabric?: PlannedFabric;
  /** The translation of each source, if others repeat it: for a second schedule, or for proofs. */
  readonly translated?: readonly PlannedTranslation[];
  /** The prover for the kernels' promises. */
  readonly prover?: PlannedProver;
  readonly payloads: readonly PlannedPayload[];
  /** Where the images are placed for the user; absent: nowhere. */
  readonly place?: string;
  /** The device for which authored kernels are compiled, if they are for this kind. */
  readonly device: { readonly kind: string; readonly options: TargetOptions };
  /** Compilers for authored kernels. */
  readonly authoredTools: AuthoredTools;
}

/** `TranslatedKernel[]` of all sources, as JSON. */
export const allKernels = "kernels.json";
/** `AuthoredKernels[]` of all sources, as JSON. */
const allAuthored = "authored.json";

export const kernelsAddress = (variant: Address): Address => addressOf(variant, "kernels");

export const imagesAddress = (variant: Address): Address => addressOf(variant, "images");
export const imagesFolder = "images";

/** Device configurations, which programs do not need: they run the simulated design. */
export const configurationAddress = (variant: Address): Address => addressOf(variant, "configuration");
const configurationFolder = "configuration";

export function imagesActions({ variant, options, translations }: ImagesRequest): readonly Action[] {
  return [
    {
      address: kernelsAddress(variant),
      step: kernelsStep.name,
      options: stepOptions.write({ variant, ...options }),
      inputs: translations.flatMap((action, i): ActionInput[] => [
        { name: `${i}.json`, from: { action, output: kernelList } },
        { name: authoredOf(i), from: { action, output: authoredList } },
      ]),
      outputs: [
        { name: allKernels, kind: "file" },
        { name: allAuthored, kind: "file" },
      ],
      expand: {
        rule: imagesExpansion.rule,
        promises: [
          imagesAddress(variant),
          ...(options.fabric === undefined ? [] : [configurationAddress(variant)]),
          ...(options.prover === undefined ? [] : [proofAddress(variant)]),
        ],
      },
    },
  ];
}

const authoredOf = (source: number): string => `${source}-${allAuthored}`;

const stepOptions = optionsOf<ImagesOptions & { readonly variant: Address }>();

export const kernelsStep: Step = { name: "kernels", digest: codeDigest("kernels"), run };

async function run(context: StepContext): Promise<StepResult> {
  const kernels = new Map<string, TranslatedKernel>();
  const authored: AuthoredKernels[] = [];
  for (const { name } of context.action.inputs) {
    const source = Number.parseInt(name, 10);
    if (name === authoredOf(source)) {
      authored.push(...(JSON.parse((await context.readInput(name)).toString("utf8")) as AuthoredKernels[]));
      continue;
    }
    for (const kernel of JSON.parse((await context.readInput(name)).toString("utf8")) as TranslatedKernel[]) {
      const other = kernels.get(kernel.region);
      if (other !== undefined && other.text !== kernel.text) {
        const where = (k: TranslatedKernel): string => `${k.site.file}:${k.site.line}`;
        const message = `two different kernels are called ${kernel.region}: ${where(other)} and ${where(kernel)}`;
        return { ok: false, fact: true, message: `${message}; give them names in \`kernels\`` };
      }
      kernels.set(kernel.region, { ...kernel, source });
    }
  }
  const { report, fabric } = stepOptions.read(context.action);
  const takesLong = report !== undefined || fabric !== undefined;
  const named = takesLong ? namedForTools([...kernels.values()]) : [...kernels.values()];
  const first = ({ entries, region }: TranslatedKernel): string => entries[0] ?? region;
  const sorted = [...named].sort((a, b) => (first(a) < first(b) ? -1 : 1));
  await context.writeOutput(allKernels, JSON.stringify(sorted));
  await context.writeOutput(allAuthored, JSON.stringify(authored));
  return { ok: true };
}

export const imagesExpansion: Expansion = {
  rule: "kernels",
  digest: codeDigest("kernels"),
  async expand(action, read) {
    const { variant, ...options } = stepOptions.read(action);
    const kernels = JSON.parse((await read(allKernels)).toString("utf8")) as TranslatedKernel[];
    const images = imageGroups(kernels, options.whole).map((group) => imageOf(group, variant, options));
    const authored = authoredActions({
      variant,
      head: { target: options.target, variant: options.variantName },
      device: options.device,
      tools: options.authoredTools,
      payloads: options.payloads,
      driverOptions: options.driverOptions,
      kernels: JSON.parse((await read(allAuthored)).toString("utf8")) as AuthoredKernels[],
    });
    const packaged = [...images.map((image): ActionInput => image.packaged), ...authored.images];
    return [
      ...images.flatMap((image) => image.actions),
      ...authored.actions,
      collectAction({
        address: imagesAddress(variant),
        inputs: packaged,
        folder: imagesFolder,
        ...(options.place === undefined ? {} : { place: options.place }),
      }),
      ...(options.fabric === undefined
        ? []
        : [
            collectAction({
              address: configurationAddress(variant),
              inputs: images.flatMap((image) => image.products),
              folder: configurationFolder,
              ...(options.fabric.place === undefined ? {} : { place: options.fabric.place }),
            }),
          ]),
      ...proofActions(variant, options, images),
    ];
  },
};

/** Made on demand: they are not products. */
function proofActions(
  variant: Address,
  { prover, translated = [] }: ImagesOptions,
  images: readonly { readonly kernels: readonly SettledKernel[] }[],
): readonly Action[] {
  if (prover === undefined) return [];
  const all = images.flatMap((image) => image.kernels);
  const promises = translated.flatMap((translation, k): Action[] => {
    const kernels = all.filter(({ source = 0 }) => source === k);
    const { file } = sourceOptions.read(translation);
    return kernels.length === 0 ? [] : [promisesAction({ variant, file, translation, kernels })];
  });
  return [
    ...promises,
    proveAction(
      variant,
      promises.map(({ address }) => address),
      prover,
    ),
  ];
}

/** A kernel with the index of its source in the program. */
interface SettledKernel extends PromisingKernel {
  readonly source?: number;
}

/** The actions of an image's kernels, ending in the image. */
function imageOf(
  { name: image, kernels }: ImageGroup,
  variant: Address,
  options: ImagesOptions,
): {
  readonly actions: readonly Action[];
  readonly packaged: ActionInput;
  readonly products: readonly ActionInput[];
  readonly kernels: readonly SettledKernel[];
} {
  const { extension, payloads, target, variantName, backend } = options;
  const [first] = kernels as readonly [TranslatedKernel, ...TranslatedKernel[]];
  const address = `${variant}/${image}`;
  const drafts = sourcesOf(kernels, extension);
  const reports = reportActions(variant, address, drafts, options.report);
  const fabric = fabricActions({
    variant,
    address,
    kernel: first,
    source: `kernel.${extension}`,
    fabric: options.fabric,
    translation: options.translated?.[first.source ?? 0],
  });
  const { settled } = fabric;
  const sources = settled === undefined ? drafts : drafts.map((draft) => ({ ...draft, settled }));
  const actions: Action[] = [...reports.map((report) => report.action)];
  const fitting = payloads.filter(
    ({ connected }) => connected === undefined || connected === (first.connected === true),
  );
  const parts = fitting.map(({ kind, call }) => {
    if (call === undefined) return { kind, input: textOf(lastOf(sources)) };
    const stage = call.stage === undefined ? undefined : fabric.producedFile(call.stage);
    const before = call.before && fabric.stage(call.before);
    const compile = kernelAction({
      address: addressOf(address, kind),
      variant,
      // A call that is impossible here need not wait for place and route.
      sources: call.missing === undefined ? sources : drafts,
      call,
      reports,
      stages: [...(stage ? [stage] : []), ...(before ? outputsOf(before) : [])],
    });
    actions.push(...(before ? [before] : []), compile);
    const output = (name: string): ActionInput => ({ name, from: { action: compile.address, output: name } });
    return {
      kind,
      input: output(call.output),
      ...(call.own === undefined ? {} : { tag: output(call.own.tag) }),
    };
  });
  const name = `${image}.arci`;
  const packaged = packageAction({
    address: addressOf(address, "image"),
    head: {
      backend,
      target,
      variant: variantName,
      options: options.driverOptions,
      ...(findKind(options.device.kind)?.fpga && { fpga: true }),
    },
    manifest: numbered(kernels.map((kernel) => kernel.manifest)),
    parts,
    image: name,
  });
  actions.push(packaged, ...fabric.actions);
  const { products } = fabric;
  const promising = kernels.map(
    ({ region, source, toolNames }): SettledKernel => ({
      region,
      ...(toolNames && { toolNames }),
      ...(source !== undefined && { source }),
      ...(settled !== undefined && { settled }),
    }),
  );
  return {
    actions,
    products,
    kernels: promising,
    packaged: { name, from: { action: packaged.address, output: name } },
  };
}

const outputsOf = ({ address, outputs }: Action): readonly ActionInput[] =>
  outputs.map(({ name }) => ({ name, from: { action: address, output: name } }));

/** Each text numbers its groups of regions that start together from 0; renumbers them for the whole image. */
function numbered(manifests: readonly string[]): string {
  let first = 0;
  return manifests
    .map((text) => {
      let next = first;
      const numbered = text.replace(
        /^((?:together|fused) (?:wait|last) )(\d+)$/gm,
        (_, words: string, number: string) => {
          next = Math.max(next, first + Number(number) + 1);
          return `${words}${first + Number(number)}`;
        },
      );
      first = next;
      return numbered;
    })
    .join("");
}
