/** Plans one variant of a target: its kernels, images and program. */
import type { Action, ActionInput, Address } from "../../core/build/model/action.ts";
import type { NamedChoice, NamedImage } from "../../core/compiler/driver/region-choices.ts";
import type { Project, Target } from "../../schema/contract/project.ts";
import type { Variant } from "../../schema/contract/variants.ts";
import { outputFolder } from "../../schema/document/places.ts";
import { findKind } from "../../targets/registry.ts";
import type { TargetKind } from "../../targets/shared/kind/kind.ts";
import { addressOf } from "../inputs/addresses.ts";
import { withOptions } from "../inputs/option-axes.ts";
import { estimateAction } from "../steps/estimate.ts";
import {
  configurationAddress,
  imagesActions,
  imagesAddress,
  imagesFolder,
} from "../steps/kernels/kernels.ts";
import { planProver, proofAddress } from "../steps/kernels/prove.ts";
import { synthesisAction } from "../steps/kernels/synthesis.ts";
import { linkAction } from "../steps/link.ts";
import { runtimeArchives, runtimeLibraries } from "../steps/runtime.ts";
import { type PlannedShaping, plannedTranslation, translateAction } from "../steps/translate.ts";
import type { ProgramPlan } from "./program.ts";
import { plannedShaping } from "./shaping.ts";

export interface VariantPlan {
  /** Includes the options that the variant chooses. */
  readonly target: Target;
  readonly kind: TargetKind;
  readonly variant: Variant;
  /** `target:variant`. */
  readonly address: Address;
  readonly actions: readonly Action[];
  /** What `arc build` brings up to date: the program, its images, and the estimate for kinds that have one. */
  readonly products: readonly Address[];
  /** The proofs about its hardware, made on demand. */
  readonly proof?: Address;
  /** Path of the program for the user. */
  readonly place: string;
  readonly program: ActionInput;
  /** Its images, next to the program where libarcrt looks for them; absent if there are no kernels. */
  readonly images?: ActionInput;
}

export function planVariant(
  program: ProgramPlan,
  declared: Target,
  kind: TargetKind,
  requested: Variant,
): VariantPlan {
  const { target, variant } = withOptions(declared, requested);
  const { project, hostOptions, hostOpenMp } = program;
  const address = `${target.name}:${variant.name}`;
  const place = `${outputFolder}/${target.name}/${variant.name}/${project.name}`;
  const imageFolder = `${project.name}.arc/${target.name}/${variant.name}`;
  const link = linkAction({
    address: addressOf(address, "link"),
    title: `link ${project.name} for ${address}`,
    objects: [...program.objects, ...runtimeArchives(hostOpenMp)],
    compiler: program.compiler,
    options: hostOptions.link,
    libraries: [...project.ldflags, ...project.libs.map((name) => `-l${name}`), ...runtimeLibraries],
    program: project.name,
    place,
  });
  const kernels = kernelActions(
    program,
    target,
    kind,
    variant,
    `${outputFolder}/${target.name}/${variant.name}/${imageFolder}`,
  );
  const estimates = kind.estimated && kernels.length > 0 ? [estimateOf(program, target, variant)] : [];
  const counted = kernels.length > 0 ? synthesisOf(program, target, kind, variant) : [];
  return {
    target,
    kind,
    variant: requested,
    address,
    actions: [link, ...kernels, ...estimates, ...counted],
    ...(kernels.length > 0 && kind.proofs && { proof: proofAddress(address) }),
    products: [
      link.address,
      ...(kernels.length === 0 ? [] : [imagesAddress(address)]),
      ...(kernels.length === 0 || !kind.toolchain(target.options).fabric
        ? []
        : [configurationAddress(address)]),
      ...estimates.map((action) => action.address),
    ],
    place,
    program: { name: project.name, from: { action: link.address, output: project.name } },
    ...(kernels.length === 0
      ? {}
      : { images: { name: imageFolder, from: { action: imagesAddress(address), output: imagesFolder } } }),
  };
}

function kernelActions(
  program: ProgramPlan,
  target: Target,
  kind: TargetKind,
  variant: Variant,
  place: string,
): readonly Action[] {
  const address = `${target.name}:${variant.name}`;
  const toolchain = kind.toolchain(target.options, program.options.compile);
  const translations = program.sources.map(([source, others]) =>
    translateAction({
      address: addressOf(`${address}/${source.file}`, "translate"),
      name: address,
      source,
      others,
      kind: target.kind,
      ...plannedShaping(kind, shapingOf(program.project, target, variant, source.file)),
    }),
  );
  if (translations.length === 0) return [];
  const report = program.report(toolchain, target.kind);
  const fabric = program.fabric(toolchain, target.kind);
  const images = imagesActions({
    variant: address,
    translations: translations.map((action) => action.address),
    options: {
      target: target.name,
      variantName: variant.name,
      backend: kind.device(target.options).backend,
      extension: toolchain.extension,
      driverOptions: toolchain.driverOptions ?? "",
      ...(toolchain.whole && { whole: true }),
      ...(report && { report }),
      ...(fabric && {
        fabric: { ...fabric, place: `${outputFolder}/${address.replace(":", "/")}/configuration` },
      }),
      ...(kind.proofs && { prover: planProver(kind.proofs.prover) }),
      ...((fabric?.reschedule || kind.proofs) && {
        translated: translations.map(plannedTranslation),
      }),
      device: { kind: target.kind, options: target.options },
      authoredTools: program.authoredTools,
      payloads: program.payloads(toolchain),
      place,
    },
  });
  return [...translations, ...images];
}

function estimateOf(program: ProgramPlan, target: Target, variant: Variant): Action {
  const { project } = program;
  const runs = project.runs.map(({ name, args }) => ({ name, args }));
  return estimateAction({
    variant: `${target.name}:${variant.name}`,
    kind: target.kind,
    sources: program.sources.map(([source]) => ({
      source,
      shaping: shapingOf(project, target, variant, source.file),
    })),
    runs: runs.length === 0 ? [{ name: "without arguments", args: [] }] : runs,
  });
}

/** Made on demand: it is not a product. */
function synthesisOf(
  program: ProgramPlan,
  target: Target,
  { counted }: TargetKind,
  variant: Variant,
): readonly Action[] {
  const kind = counted && findKind(counted.kind);
  const fabric = kind && program.fabric(kind.toolchain(counted.options), counted.kind);
  if (counted === undefined || fabric === undefined) return [];
  const sources = program.sources.map(([source]) => ({
    source,
    shaping: shapingOf(program.project, target, variant, source.file),
  }));
  return [synthesisAction({ variant: `${target.name}:${variant.name}`, counted, fabric, sources })];
}

/** What a variant, as arc.yaml declares its target, chooses for the kernels of one source. */
export function variantShaping(
  project: Project,
  declared: Target,
  requested: Variant,
  file: string,
): { readonly shaping?: PlannedShaping } {
  const { target, variant } = withOptions(declared, requested);
  const kind = findKind(target.kind);
  return kind === undefined ? {} : plannedShaping(kind, shapingOf(project, target, variant, file));
}

/** The variant's choices for the regions of one source. */
function shapingOf(project: Project, target: Target, variant: Variant, file: string): PlannedShaping {
  const named = project.kernels.flatMap((kernel): NamedChoice[] => {
    const choice = variant.kernels[kernel.name];
    if (choice === undefined || kernel.source !== file) return [];
    const { function: name, region } = kernel;
    return [{ function: name, ...(region === undefined ? {} : { region }), choice }];
  });
  const images = imagesOf(project, target, file);
  return { target: target.options, all: variant.all, named, ...(images.length > 0 && { images }) };
}

/** The target's images, each with its regions in one source. */
function imagesOf(project: Project, target: Target, file: string): readonly NamedImage[] {
  return (target.images ?? []).flatMap((members): NamedImage[] => {
    const kernels = project.kernels.filter((k) => k.source === file && members.includes(k.name));
    const regions = kernels.map(({ function: name, region }) => ({
      function: name,
      ...(region === undefined ? {} : { region }),
    }));
    return regions.length > 0 ? [{ name: members.join("+"), regions }] : [];
  });
}
