/** Plans the serial program, the runs of it and of every target, and the comparisons. */
import type { Action, ActionInput, Address } from "../../core/build/model/action.ts";
import type { Run } from "../../schema/contract/project.ts";
import { addressOf, runAddress, verifyAddress } from "../inputs/addresses.ts";
import { deviceAction } from "../steps/device.ts";
import { linkAction } from "../steps/link.ts";
import { runAction } from "../steps/run.ts";
import { runtimeLibraries, runtimeTool, serialObjects } from "../steps/runtime.ts";
import { verifyAction } from "../steps/verify.ts";
import type { ProgramPlan } from "./program.ts";
import type { VariantPlan } from "./variant.ts";

const serial = "serial";

export function planVerification(
  program: ProgramPlan,
  variants: readonly VariantPlan[],
  skipMissing: boolean,
): { readonly actions: readonly Action[]; readonly comparisons: readonly Address[] } {
  const { runs, verify } = program.project;
  const verified = runs.filter((run) => verify.runs.includes(run.name));
  if (verified.length === 0) return { actions: [], comparisons: [] };
  const onVariants = variants.map((variant) => variantRuns(program, variant, verified, skipMissing));
  return {
    actions: [...serialRuns(program, verified), ...onVariants.flatMap((runsOfOne) => runsOfOne.actions)],
    comparisons: onVariants.flatMap((runsOfOne) => runsOfOne.comparisons),
  };
}

function serialRuns(program: ProgramPlan, runs: readonly Run[]): readonly Action[] {
  const { project, hostOptions, hostOpenMp, compiler } = program;
  const { actions, objects } = program.serial(`${serial}/`);
  const link = linkAction({
    address: addressOf(serial, "link"),
    title: `link the serial ${project.name}`,
    objects: [...objects, ...serialObjects(hostOpenMp)],
    compiler,
    // Files without device directives are compiled once for all programs.
    options: hostOptions.link,
    libraries: [...project.ldflags, ...project.libs.map((name) => `-l${name}`), ...runtimeLibraries],
    program: project.name,
  });
  const executable: ActionInput = {
    name: project.name,
    from: { action: link.address, output: project.name },
  };
  return [
    ...actions,
    link,
    ...runs.map((run) =>
      runAction({
        address: runAddress(serial, run.name),
        title: `run ${run.name} serially`,
        program: executable,
        inputs: program.origins.inputs(run.inputs),
        run,
        env: {},
      }),
    ),
  ];
}

/** The runs of one variant; on a device they are added when the device is known. */
function variantRuns(
  program: ProgramPlan,
  variant: VariantPlan,
  runs: readonly Run[],
  skipMissing: boolean,
): { readonly actions: readonly Action[]; readonly comparisons: readonly Address[] } {
  const { kind, target, address } = variant;
  const need = kind.device(target.options);
  const env = { ...need.strictEnvironment, ...need.environment, ARC_TARGET: address };
  const images = variant.images === undefined ? [] : [variant.images];
  const actions = runs.flatMap((run) => [
    runAction({
      address: runAddress(address, run.name),
      title: `run ${run.name} on ${address}`,
      program: variant.program,
      inputs: [...images, ...program.origins.inputs(run.inputs)],
      run,
      env,
      ...(need.counts === undefined ? {} : { counts: need.counts }),
      ...(need.always === true ? {} : { token: `${need.backend} device` }),
    }),
    verifyAction({
      address: verifyAddress(address, run.name),
      title: `compare ${run.name} on ${address} with the serial program`,
      run,
      verify: program.project.verify,
      serial: runAddress(serial, run.name),
      target: runAddress(address, run.name),
    }),
  ]);
  const comparisons = runs.map((run) => verifyAddress(address, run.name));
  if (need.always === true) return { actions, comparisons };
  program.needTool("devices");
  const look = deviceAction({
    address: addressOf(address, "device"),
    program: runtimeTool("devices"),
    need,
    skipMissing,
    runs: actions,
  });
  return { actions: [look], comparisons };
}
