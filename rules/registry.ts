/** All steps and expansions there are. */
import type { Registry } from "../core/build/action.ts";
import { collectStep } from "./steps/collect.ts";
import { commandStep } from "./steps/command.ts";
import { compileStep } from "./steps/compile.ts";
import { deviceExpansion, deviceStep } from "./steps/device.ts";
import { embedStep } from "./steps/embed.ts";
import { estimateStep } from "./steps/estimate.ts";
import { fabricStep } from "./steps/fabric.ts";
import { hardwareStep } from "./steps/hardware.ts";
import { imagesExpansion, imagesStep } from "./steps/images.ts";
import { kernelStep } from "./steps/kernel.ts";
import { linkStep } from "./steps/link.ts";
import { packageStep } from "./steps/package.ts";
import { preprocessStep } from "./steps/preprocess.ts";
import { promisesStep } from "./steps/promises.ts";
import { proveStep } from "./steps/prove.ts";
import { reportStep } from "./steps/report.ts";
import { runStep } from "./steps/run.ts";
import { runtimeStep } from "./steps/runtime.ts";
import { settleStep } from "./steps/settle.ts";
import { synthesisStep } from "./steps/synthesis.ts";
import { translateStep } from "./steps/translate.ts";
import { translateHostStep } from "./steps/translate-host.ts";
import { verifyStep } from "./steps/verify.ts";

const steps = [
  commandStep,
  preprocessStep,
  translateHostStep,
  translateStep,
  estimateStep,
  imagesStep,
  kernelStep,
  fabricStep,
  promisesStep,
  settleStep,
  proveStep,
  hardwareStep,
  reportStep,
  synthesisStep,
  packageStep,
  collectStep,
  embedStep,
  compileStep,
  runtimeStep,
  linkStep,
  deviceStep,
  runStep,
  verifyStep,
];

export const registry: Registry = {
  steps: new Map(steps.map((step) => [step.name, step])),
  expansions: new Map([imagesExpansion, deviceExpansion].map((expansion) => [expansion.rule, expansion])),
};
