/**
 * Runs the passes on the regions of a source and prepares them for emitters: alone, connected by channels, or fused.
 */

import type { Assignment } from "../../../schema/document/axis.ts";
import type { LoweredRegion } from "../../../targets/shared/device/device.ts";
import type { ChannelDeclaration, Emitter } from "../../../targets/shared/kind/emit.ts";
import { withStrayCalls } from "../../../targets/shared/legalise/stray-calls.ts";
import { lower } from "../../../targets/shared/lower/lower.ts";
import { firstOf, itemAt } from "../../checked/access.ts";
import { addressed, keptParameters } from "../../ir/analysis/addressed.ts";
import { constantsOf } from "../../ir/analysis/constants.ts";
import { argumentsElsewhere } from "../../ir/analysis/external-variables.ts";
import { deviceFunctions, recursionRefused } from "../../ir/analysis/routines.ts";
import type { Task } from "../../ir/model/ir.ts";
import type { Program } from "../../ir/model/program.ts";
import { argumentsOf, regionName, spmdOf } from "../../ir/model/region.ts";
import { tasksOf } from "../../ir/normalise/normalise.ts";
import type { Diagnostic, Init, Loc, Symbol } from "../../lang/tree/ast.ts";
import { channelDepthAxis } from "../passes/axes.ts";
import { withChannels } from "../passes/channels.ts";
import { afterModel } from "../passes/model.ts";
import { type PassesRun, runPasses } from "../passes/pipeline.ts";
import type { Remark } from "../passes/rewrite/pass.ts";
import { type Connected, type Connections, connections } from "./connected.ts";
import { inDialect, lostOptions } from "./dialect.ts";
import type { FrontEnd } from "./front-end.ts";
import { bringersOf, type Fused, type Fusions, fusions } from "./fused.ts";
import { type GroupStory, groupStory } from "./group-story.ts";
import { inGroups, plain, unrolled } from "./groups.ts";
import { inBringersOrder, type Unit } from "./kernel-texts.ts";
import { choicesOf, imagesOf, type Shaping, type SourceTasks } from "./region-choices.ts";

/** What the passes did to a region. */
export interface Story extends PassesRun {
  readonly region: string;
  readonly loc: Loc;
}

interface RegionUnits {
  readonly units: readonly Unit[];
  /** In addition to the program's own. */
  readonly diagnostics: readonly Diagnostic[];
  /** By region; empty if no pass runs. */
  readonly stories: readonly Story[];
  /** Only for kernels with items in groups. */
  readonly groups: readonly GroupStory[];
}

/** Without a device in `shaping` no pass runs, and every region is alone. */
export function regionUnits(
  read: Pick<FrontEnd, "program" | "linkage">,
  emitter: Emitter,
  shaping?: Shaping,
): RegionUnits {
  const regions = new Regions(read, emitter, shaping);
  const units = regions.units();
  const { diagnostics, stories, groups } = regions;
  return { units, diagnostics, stories, groups };
}

class Regions {
  readonly diagnostics: Diagnostic[] = [];
  readonly stories: Story[] = [];
  readonly groups: GroupStory[] = [];
  /** Said of one region, which is enough for all. */
  private readonly lost = new Set<string>();
  private readonly program: Program;
  private readonly linkage: FrontEnd["linkage"];
  private readonly emitter: Emitter;
  private readonly addressed: (sym: Symbol) => boolean;
  private readonly isRetained: (sym: Symbol) => boolean;
  private readonly constants: ReadonlyMap<Symbol, Init>;
  private readonly shaping: Shaping | undefined;
  private readonly sourceTasks: SourceTasks;
  private readonly choices: ReadonlyMap<Task, Assignment>;
  private readonly images: ReadonlyMap<Task, string>;
  private readonly connections: Connections | undefined;
  private readonly fusions: Fusions | undefined;

  constructor(
    { program, linkage }: Pick<FrontEnd, "program" | "linkage">,
    emitter: Emitter,
    shaping?: Shaping,
  ) {
    this.program = program;
    this.linkage = linkage;
    this.emitter = emitter;
    this.shaping = shaping;
    this.addressed = addressed(program);
    this.isRetained = keptParameters(program);
    this.constants = emitter.model.constants ? constantsOf(program) : new Map();
    this.sourceTasks = tasksOf(program);
    this.choices = shaping ? choicesOf(shaping, this.sourceTasks) : new Map();
    this.images = shaping ? imagesOf(shaping, this.sourceTasks) : new Map();
    const device = shaping?.device;
    if (!device) return;
    const { images, choices } = this;
    const inOrder = emitter.model.inOrder === true;
    const chosen = (task: Task): Task =>
      afterModel({ task, choice: choices.get(task) ?? {}, device, inOrder });
    const joined = connections(program, chosen, images);
    this.diagnostics.push(...joined.diagnostics);
    this.connections = joined;
    this.fusions = fusions(program, {
      chosen,
      requested: (task) => choices.get(task)?.fuse === true,
      images,
      joined: (task) => joined.groups.has(task),
    });
  }

  units(): readonly Unit[] {
    const done = new Set<Connected | Fused | string>();
    return this.sourceTasks.flatMap(({ task }): readonly Unit[] => {
      const connected = this.emitter.connected && this.connections?.groups.get(task);
      const fused = this.fusions?.groups.get(task);
      const what = connected ?? fused ?? regionName(task);
      if (done.has(what)) return [];
      done.add(what);
      const unit = connected ? this.connected(connected) : fused ? this.fused(fused) : this.alone(task);
      const image = this.images.get(task);
      return unit ? [{ ...unit, ...(image !== undefined && { image }) }] : [];
    });
  }

  private alone(task: Task): Unit | undefined {
    const shape = this.shaped(task, this.choices.get(task), this.fusionRemarks([task]));
    const region = shape && this.lowered(shape, this.choices.get(task));
    return region && { regions: [region], channels: [] };
  }

  private connected(group: Connected): Unit | undefined {
    const members = group.tasks.map((member, k) =>
      this.shaped(withChannels(member, k, group.channels), this.choices.get(itemAt(group.origins, k))),
    );
    if (members.includes(undefined)) return undefined;
    const regions = members.flatMap((member) => this.lowered(member as Task) ?? []);
    if (regions.length < members.length) return undefined;
    const foreign = regions.findIndex((region) => region.globals.length > 0);
    if (foreign >= 0) this.diagnostics.push(joinedGlobals(itemAt(group.tasks, foreign)));
    const depth = Number(
      this.choices.get(firstOf(group.origins))?.["channel-depth"] ?? channelDepthAxis.default,
    );
    const channels = group.channels.map(
      ({ name, type, producer, consumer }): ChannelDeclaration => ({
        name,
        type,
        depth,
        from: itemAt(regions, producer).region,
        to: itemAt(regions, consumer).region,
      }),
    );
    return { regions, channels };
  }

  private fused(fusion: Fused): Unit | undefined {
    // It stands for launches of several regions.
    const choice = { ...this.choices.get(firstOf(fusion.origins)), "time-steps": 1 };
    const shape = this.shaped(fusion.task, choice, this.fusionRemarks(fusion.origins));
    if (!shape) return undefined;
    const region = this.lowered(shape);
    if (!region) return undefined;
    if (region.globals.length > 0) this.diagnostics.push(joinedGlobals(fusion.task));
    const bringers = bringersOf(fusion);
    const members = fusion.origins.map((origin) => ({
      name: regionName(origin),
      site: { file: origin.site.loc.file, line: origin.site.loc.line, what: origin.site.what },
      args: argumentsOf(origin),
    }));
    return { regions: [inBringersOrder(region, bringers)], channels: [], fused: { members, bringers } };
  }

  private fusionRemarks(tasks: readonly Task[]): readonly Remark[] {
    return tasks.flatMap((task) => this.fusions?.remarks.get(task) ?? []);
  }

  /** The task after the passes; undefined: a pass refused. `remarks`: those known before the passes. */
  private shaped(task: Task, choice: Assignment = {}, remarks: readonly Remark[] = []): Task | undefined {
    const device = this.shaping?.device;
    if (!device) return task;
    const run = runPasses(task, choice, device, this.emitter.model.inOrder);
    this.stories.push({
      ...run,
      remarks: [...remarks, ...run.remarks],
      region: regionName(task),
      loc: task.site.loc,
    });
    this.diagnostics.push(...run.diagnostics);
    return run.diagnostics.length > 0 ? undefined : run.task;
  }

  /** `choice`: for the lowering, if no pass runs. Undefined: the device cannot run its functions. */
  private lowered(origin: Task, choice: Assignment = {}): LoweredRegion | undefined {
    const { model: usual } = this.emitter;
    const code = deviceFunctions(this.program, spmdOf(origin).body, this.linkage);
    const refused = usual.recursion ? [] : recursionRefused(code.functions);
    if (refused.length > 0) {
      this.diagnostics.push(...refused);
      return undefined;
    }
    const functions = [...code.functions.values()];
    const called = functions.map((f) => f.def.body);
    const dialect = [...new Set([this.program, ...functions].flatMap((of) => of.dialect ?? []))];
    const unsaid = lostOptions(origin, dialect, this.emitter).filter((d) => !this.lost.has(d.message));
    for (const d of unsaid) this.lost.add(d.message);
    this.diagnostics.push(...unsaid);
    const shape = this.shaping?.device ? plain(origin, usual) : inGroups(origin, usual, choice, called);
    const { task, model } = shape;
    const globals = argumentsElsewhere(task, code.elsewhere);
    this.diagnostics.push(...globals.diagnostics, ...shape.diagnostics);
    const plainly = lower({
      task,
      functions: code.functions,
      globals: globals.arguments,
      model: shape.unroll === undefined ? model : { ...model, loads: shape.unroll, loadsAsked: true },
      constants: this.constants,
      addressed: this.addressed,
      isRetained: this.isRetained,
    });
    const region = model.noEnd ? withStrayCalls(plainly) : plainly;
    this.diagnostics.push(...(region.refused ?? []), ...(region.remarks ?? []));
    if (usual.teams) this.groups.push(groupStory(region, task.site.loc));
    const apart = this.program.apart || functions.some((f) => f.apart);
    const made = inDialect(apart ? { ...region, apart: true as const } : region, dialect, this.emitter);
    return shape.unroll === undefined ? made : unrolled(made, shape.unroll);
  }
}

/** The error for such variables: the runtime supplies them per launch, but connected launches are started together. */
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
