/**
 * The stages from a kernel's text to a device configuration. If a design may be scheduled again, a trial runs first,
 * with the same stages up to the one that reports the clock. If the trial meets the clock, the final stages have the
 * same inputs and are taken from the cache. Separate from the step itself, so that a change of the compiler never runs
 * a tool again.
 */
import { extname } from "node:path";
import type { Action, ActionInput, Address } from "../../../core/build/model/action.ts";
import type { TranslatedKernel } from "../../../core/compiler/driver/kernel-texts.ts";
import type { PlannedFabric, PlannedStage } from "../../inputs/planned.ts";
import type { PlannedTranslation } from "../translate.ts";
import { filesOf, stageAction } from "./fabric.ts";
import { hardwareAction, hardwareReport } from "./hardware.ts";
import { settleAction } from "./settle.ts";

interface FabricRequest {
  readonly variant: Address;
  /** The kernel's address. */
  readonly address: Address;
  readonly kernel: TranslatedKernel;
  /** Name of its text. */
  readonly source: string;
  readonly fabric: PlannedFabric | undefined;
  /** The translation, if the kernel may be scheduled again. */
  readonly translation: PlannedTranslation | undefined;
}

interface FabricActions {
  readonly actions: readonly Action[];
  /** The action that decides which schedule the kernel keeps; absent: there is only one. */
  readonly settled?: Address;
  /** Output files that the user wants. */
  readonly products: readonly ActionInput[];
  /** A file made by one of the actions. */
  producedFile(name: string): ActionInput | undefined;
  /** Another stage, which may read their outputs. */
  stage(planned: PlannedStage): Action;
}

/** The actions of one kernel. */
export function fabricActions(request: FabricRequest): FabricActions {
  const { variant, address, kernel, source, fabric } = request;
  const trial = trialActions(request);
  const producers = new Map<string, Address>();
  if (trial) producers.set(source, trial.settle.address);
  const stages = fabric?.stages ?? [];
  const own = chain(request, producers);
  const read = stages.flatMap(({ reports }) => filesFrom(producers, reports));
  const products = stages.flatMap(({ product }) =>
    filesFrom(producers, product === undefined ? [] : [product]).map(
      ({ name, from }): ActionInput => ({ name: `${kernel.region}${extname(name)}`, from }),
    ),
  );
  const stage = (planned: PlannedStage): Action =>
    stageAction({ variant, address, kernel, source, producers, planned });
  const output = (name: string): ActionInput | undefined => filesFrom(producers, [name])[0];
  const actions = [...(trial ? [...trial.stages, trial.settle] : []), ...own];
  const settled = trial && { settled: trial.settle.address };
  if (fabric === undefined) return { actions, products, producedFile: output, stage };
  const { kind, available, lacks } = fabric;
  const report = hardwareAction({
    variant,
    kernel: address,
    translated: kernel,
    kind,
    files: read,
    ...settled,
    ...(lacks === undefined ? {} : { lacks }),
    ...(available === undefined ? {} : { available }),
  });
  const product = {
    name: `${kernel.region}.report.json`,
    from: { action: report.address, output: hardwareReport },
  };
  return {
    actions: [...actions, report],
    ...settled,
    products: [...products, product],
    producedFile: output,
    stage,
  };
}

/** The first stages with the first schedule, and the action that decides whether it stays. */
function trialActions(
  request: FabricRequest,
): { readonly stages: readonly Action[]; readonly settle: Action } | undefined {
  const { variant, address, kernel, source, fabric, translation } = request;
  const { reschedule, stages: all = [] } = fabric ?? {};
  const last = all.findIndex(({ name }) => name === reschedule?.stage);
  if (reschedule === undefined || translation === undefined || last < 0) return undefined;
  const producers = new Map<string, Address>();
  const stages = chain(request, producers, last + 1, (planned) => ({
    ...planned,
    name: trialStage(planned.name),
    does: `${planned.does} a trial of`,
  }));
  const reports = filesFrom(producers, all[last]?.reports ?? []);
  const { clock } = reschedule;
  const settle = settleAction({ variant, address, kernel, source, clock, reports, translation });
  return { stages, settle };
}

/**
 * The first `count` stages as actions, each of which may read the outputs of those before; `producers` records the
 * producers.
 */
function chain(
  { variant, address, kernel, source, fabric }: FabricRequest,
  producers: Map<string, Address>,
  count?: number,
  as: (planned: PlannedStage) => PlannedStage = (planned) => planned,
): readonly Action[] {
  const all = fabric?.stages ?? [];
  return all.slice(0, count).map((planned, k) => {
    const ahead = all[k + 1]?.wasm;
    const action = stageAction({
      variant,
      address,
      kernel,
      source,
      producers,
      planned: as(planned),
      ...(ahead && { ahead }),
    });
    for (const name of filesOf(planned)) producers.set(name, action.address);
    return action;
  });
}

function filesFrom(
  producers: ReadonlyMap<string, Address>,
  names: readonly string[],
): readonly ActionInput[] {
  return names.flatMap((name) => {
    const action = producers.get(name);
    return action === undefined ? [] : [{ name, from: { action, output: name } }];
  });
}

/** Name of a stage in the trial with a kernel's first schedule. */
export const trialStage = (name: string): string => `trial-${name}`;
