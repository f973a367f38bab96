/** The compiler as the build rules see it: preprocessed text in, host code or kernels out. Pure. */

import type { DeviceProfile } from "../core/ir/device-profile.ts";
import { argumentsElsewhere } from "../core/ir/elsewhere.ts";
import type { Task } from "../core/ir/ir.ts";
import { normalise, tasksOf } from "../core/ir/normalise.ts";
import type { Program } from "../core/ir/program.ts";
import { argumentsOf, spmdOf } from "../core/ir/region.ts";
import { deviceFunctions, type Linkage } from "../core/ir/routines.ts";
import type { Diagnostic, Loc, Symbol } from "../core/lang/ast.ts";
import type { Parsed } from "../core/lang/index.ts";
import type { Assignment } from "../schema/axis.ts";
import type { LoweredRegion } from "../targets/shared/device.ts";
import type { ChannelDeclaration, Emitter } from "../targets/shared/emit.ts";
import { editHostFile } from "../targets/shared/hostedit.ts";
import { clashes, hostNames } from "../targets/shared/hostnames.ts";
import { printHostUnit } from "../targets/shared/hostunit.ts";
import { lower } from "../targets/shared/lower.ts";
import type { LinePlace } from "../targets/shared/places.ts";
import type { Obligation } from "../targets/shared/proof.ts";
import type { DesignFacts } from "../targets/shared/report.ts";
import { type Connected, type Connections, connections } from "./connected.ts";
import { bringersOf, type Fused, fusions } from "./fused.ts";
import { inBringersOrder, kernelTexts, type Unit } from "./kernel-texts.ts";
import { channelDepthAxis } from "./passes/axes.ts";
import { withChannels } from "./passes/channels.ts";
import { afterModel } from "./passes/model.ts";
import type { Remark } from "./passes/pass.ts";
import { type PassesRun, runPasses } from "./passes/pipeline.ts";
import { hasErrors, type Preprocessed, readSource } from "./read-source.ts";

export type { Preprocessed };

export interface TranslatedKernel {
  /** Name of the region: host code launches it by this. */
  readonly region: string;
  /** Canonical kernel text: no comments, no positions. */
  readonly text: string;
  /** Where its lines come from: for messages, in no key. */
  readonly places: readonly LinePlace[];
  /** Functions of the text that are launched. */
  readonly entries: readonly string[];
  /** The place of its source among the program's. */
  readonly source?: number;
  /** The image that its target wants it in; absent: the one of all others. */
  readonly image?: string;
  /** Channels connect its kernels: it has several regions. */
  readonly connected?: true;
  /** What the call that makes the image is told beside the text. */
  readonly links?: readonly string[];
  /** Headers that the call compiles in, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** C that computes what the hardware does, in its order; no step reads it. */
  readonly reference?: string;
  /** What is known of the hardware, where the emitter schedules it itself: for reports, in no key of a tool. */
  readonly facts?: DesignFacts;
  /** What there is to prove of it, where the emitter was asked for that. */
  readonly obligations?: readonly Obligation[];
  /** The region's lines of the image file. */
  readonly manifest: string;
  readonly site: { readonly file: string; readonly line: number; readonly what: string };
}

/** The program's other sources, where routines may be defined: see `Linkage` of core/ir. */
export type Others =
  | { readonly kind: "whole"; readonly others: readonly Preprocessed[] }
  | { readonly kind: "separate"; readonly others?: readonly Preprocessed[] };

const alone: Others = { kind: "whole", others: [] };

interface FrontEnd {
  readonly program: Program;
  readonly parsed: Parsed;
  readonly linkage: Linkage;
}

/** Reads one source up to the normalised IR. */
export function frontEnd(source: Preprocessed, { kind, others }: Others = alone): FrontEnd {
  const { parsed, program } = readSource(source);
  if (failed(program)) return { parsed, program, linkage: { kind: "whole", others: [] } };
  const units = others?.map((other) => readSource(other).program);
  const linkage: Linkage =
    kind === "whole"
      ? { kind, others: units ?? [] }
      : { kind, ...(units === undefined ? {} : { others: units }) };
  return { parsed, program: normalise(program, linkage), linkage };
}

const failed = ({ diagnostics }: { diagnostics: readonly Diagnostic[] }) => hasErrors(diagnostics);

/** What passes go by: values of the axes for all regions and for named ones, and the device's table. */
export interface Shaping {
  readonly device: DeviceProfile;
  readonly all: Assignment;
  readonly named: readonly NamedChoice[];
  /** Images that hold some of the regions; one more holds the others. */
  readonly images?: readonly NamedImage[];
}

/** A region of a function: the `region`-th, or the only one. */
interface NamedRegion {
  readonly function: string;
  readonly region?: number;
}

/** Values of the axes for one region. */
export interface NamedChoice extends NamedRegion {
  readonly choice: Assignment;
}

export interface NamedImage {
  readonly name: string;
  readonly regions: readonly NamedRegion[];
}

export interface Translation {
  readonly kernels: readonly TranslatedKernel[];
  readonly diagnostics: readonly Diagnostic[];
  /** What the passes did, region by region; empty for kinds without passes. */
  readonly stories: readonly Story[];
}

export interface Story extends PassesRun {
  readonly region: string;
  readonly loc: Loc;
}

/** The kernels of a source for one kind of target. */
export function translateKernels(
  source: Preprocessed,
  emitter: Emitter,
  others: Others = alone,
  shaping?: Shaping,
): Translation {
  const { program, linkage } = frontEnd(source, others);
  const diagnostics: Diagnostic[] = [...program.diagnostics];
  if (failed(program)) return { kernels: [], diagnostics, stories: [] };
  const seen = new Set<string>();
  const stories: Story[] = [];
  const asked = tasksOf(program);
  const choices = shaping ? choicesOf(shaping, asked) : new Map<Task, Assignment>();
  const images = shaping ? imagesOf(shaping, asked) : new Map<Task, string>();
  const { inOrder } = emitter.model;

  const lowered = (task: Task): LoweredRegion => {
    const code = deviceFunctions(program, spmdOf(task).body, linkage);
    const globals = argumentsElsewhere(task, code.elsewhere);
    diagnostics.push(...globals.diagnostics);
    return lower({ task, functions: code.functions, globals: globals.arguments, model: emitter.model });
  };
  /** Undefined: a pass refused. */
  const shaped = (task: Task, choice: Assignment = {}, remarks: readonly Remark[] = []): Task | undefined => {
    if (!shaping) return task;
    const run = runPasses(task, choice, shaping.device, inOrder);
    const story = { ...run, remarks: [...remarks, ...run.remarks] };
    stories.push({ ...story, region: task.region as string, loc: task.site.loc });
    diagnostics.push(...run.diagnostics);
    return run.diagnostics.length > 0 ? undefined : run.task;
  };
  const remarksOf = (tasks: readonly Task[]): readonly Remark[] =>
    tasks.flatMap((task) => fused?.remarks.get(task) ?? []);
  const units: Unit[] = [];
  const joined = shaping && connectionsOf(program, shaping, choices, images, inOrder);
  diagnostics.push(...(joined?.diagnostics ?? []));
  const done = new Set<Connected | Fused>();
  const fused =
    shaping &&
    fusions(program, {
      chosen: (task) =>
        afterModel({
          task,
          choice: choices.get(task) ?? {},
          device: shaping.device,
          inOrder: inOrder === true,
        }),
      wanted: (task) => choices.get(task)?.fuse === true,
      images,
      joined: (task) => joined?.groups.has(task) ?? false,
    });
  for (const { task } of asked) {
    const group = emitter.connected && joined?.groups.get(task);
    if (group) {
      if (done.has(group)) continue;
      done.add(group);
      const members = group.tasks.map((member, k) =>
        shaped(withChannels(member, k, group.channels), choices.get(group.origins[k] as Task)),
      );
      if (members.includes(undefined)) continue;
      const regions = members.map((member) => lowered(member as Task));
      const foreign = regions.findIndex((region) => region.globals.length > 0);
      if (foreign >= 0) diagnostics.push(joinedGlobals(group.tasks[foreign] as Task));
      const depth = Number(choices.get(task)?.["channel-depth"] ?? channelDepthAxis.default);
      const channels = group.channels.map(
        ({ name, type, producer, consumer }): ChannelDeclaration => ({
          name,
          type,
          depth,
          from: (regions[producer] as LoweredRegion).region,
          to: (regions[consumer] as LoweredRegion).region,
        }),
      );
      units.push({ regions, channels, ...inImage(images.get(task)) });
      continue;
    }
    const fusion = fused?.groups.get(task);
    if (fusion) {
      if (done.has(fusion)) continue;
      done.add(fusion);
      // Its launches are those of several regions.
      const alone = { ...choices.get(task), "time-steps": 1 };
      const made = shaped(fusion.task, alone, remarksOf(fusion.origins));
      if (!made) continue;
      const region = lowered(made);
      if (region.globals.length > 0) diagnostics.push(joinedGlobals(fusion.task));
      const bringers = bringersOf(fusion);
      const members = fusion.origins.map((origin) => ({
        name: origin.region as string,
        site: { file: origin.site.loc.file, line: origin.site.loc.line, what: origin.site.what },
        args: argumentsOf(origin),
      }));
      units.push({
        regions: [inBringersOrder(region, bringers)],
        channels: [],
        fused: { members, bringers },
        ...inImage(images.get(task)),
      });
      continue;
    }
    if (seen.has(task.region as string)) continue;
    seen.add(task.region as string);
    const made = shaped(task, choices.get(task), remarksOf([task]));
    if (!made) continue;
    units.push({ regions: [lowered(made)], channels: [], ...inImage(images.get(task)) });
  }
  const texts = kernelTexts(units, emitter);
  return { kernels: texts.kernels, diagnostics: [...diagnostics, ...texts.diagnostics], stories };
}

type Asked = ReturnType<typeof tasksOf>;

/** What the variant says of each region. */
function choicesOf(shaping: Shaping, asked: Asked): ReadonlyMap<Task, Assignment> {
  return new Map(inFunctions(asked).map(({ task, name, place }) => [task, choiceOf(shaping, name, place)]));
}

/** The image of each region that one names. */
function imagesOf({ images = [] }: Shaping, asked: Asked): ReadonlyMap<Task, string> {
  return new Map(
    inFunctions(asked).flatMap(({ task, name, place }) => {
      const image = images.find(({ regions }) => regions.some((r) => isRegion(r, name, place)));
      return image ? [[task, image.name] as const] : [];
    }),
  );
}

/** With the function's name, and the region's number in it. */
function inFunctions(asked: Asked) {
  const places = new Map<Symbol, number>();
  return asked.map(({ task, function: sym }) => {
    const place = (places.get(sym) ?? 0) + 1;
    places.set(sym, place);
    return { task, name: sym.name, place };
  });
}

const isRegion = (n: NamedRegion, name: string, place: number): boolean =>
  n.function === name && (n.region ?? place) === place;

function connectionsOf(
  program: Program,
  { device }: Shaping,
  choices: ReadonlyMap<Task, Assignment>,
  images: ReadonlyMap<Task, string>,
  inOrder = false,
): Connections {
  const chosen = (task: Task): Task => afterModel({ task, choice: choices.get(task) ?? {}, device, inOrder });
  return connections(program, chosen, images);
}

const inImage = (image: string | undefined) => (image === undefined ? {} : { image });

/** The axes' values for the `place`-th region of a function. */
export function choiceOf({ all, named }: Shaping, name: string, place: number): Assignment {
  const own = named.find((n) => isRegion(n, name, place));
  return { ...all, ...own?.choice };
}

/**
 * The host code of a source: one text for every target. `original` is the file before preprocessing;
 * where a construct begins or ends inside a macro or an included file the whole unit is printed instead.
 */
export function translateHost(
  source: Preprocessed,
  original: string,
  others: Others = alone,
): { text: string; diagnostics: readonly Diagnostic[] } {
  const { program, parsed } = frontEnd(source, others);
  if (failed(program)) return { text: "", diagnostics: program.diagnostics };
  const clashing = clashes(program.unit);
  if (clashing.length > 0) return { text: "", diagnostics: [...program.diagnostics, ...clashing] };
  const names = hostNames(source.text);
  const edited = editHostFile(program, parsed, original, names);
  if (!("hidden" in edited))
    return { text: edited.text, diagnostics: [...program.diagnostics, ...edited.diagnostics] };
  const note: Diagnostic = {
    severity: "note",
    code: "expanded-host-code",
    loc: edited.hidden,
    message:
      "this construct begins or ends inside a macro or another file: the host code is printed with all macros expanded",
  };
  const printed = printHostUnit(program, names);
  return { text: printed.text, diagnostics: [...program.diagnostics, note, ...printed.diagnostics] };
}

/** The runtime brings such variables for one launch, and these wait for each other. */
function joinedGlobals(task: Task): Diagnostic {
  return {
    severity: "error",
    code: "global-of-another-file",
    loc: task.site.loc,
    message: "a region that channels join to others uses variables of another file",
    why: "they are brought to the device for one region, which would wait for the others",
    remedy: "pass them to the routine as arguments",
  };
}
