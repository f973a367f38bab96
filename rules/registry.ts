/** The registry of all steps and expansions. */
import type { Registry } from "../core/build/model/action.ts";
import { checkStep } from "./steps/check.ts";
import { commandStep } from "./steps/command.ts";
import { compileStep } from "./steps/compile.ts";
import { deviceExpansion, deviceStep } from "./steps/device.ts";
import { embedStep } from "./steps/embed.ts";
import { estimateStep } from "./steps/estimate.ts";
import { authoredStep } from "./steps/kernels/authored.ts";
import { fabricStep } from "./steps/kernels/fabric.ts";
import { hardwareStep } from "./steps/kernels/hardware.ts";
import { imageStep } from "./steps/kernels/image.ts";
import { imagesStep } from "./steps/kernels/images.ts";
import { kernelStep } from "./steps/kernels/kernel.ts";
import { imagesExpansion, kernelsStep } from "./steps/kernels/kernels.ts";
import { promisesStep } from "./steps/kernels/promises.ts";
import { proveStep } from "./steps/kernels/prove.ts";
import { reportStep } from "./steps/kernels/report.ts";
import { settleStep } from "./steps/kernels/settle.ts";
import { synthesisStep } from "./steps/kernels/synthesis.ts";
import { linkStep } from "./steps/link.ts";
import { preprocessStep } from "./steps/preprocess.ts";
import { runStep } from "./steps/run.ts";
import { runtimeStep } from "./steps/runtime.ts";
import { translateStep } from "./steps/translate.ts";
import { translateHostStep } from "./steps/translate-host.ts";
import { verifyStep } from "./steps/verify.ts";

const steps = [
  commandStep,
  preprocessStep,
  checkStep,
  translateHostStep,
  translateStep,
  estimateStep,
  kernelsStep,
  kernelStep,
  authoredStep,
  fabricStep,
  promisesStep,
  settleStep,
  proveStep,
  hardwareStep,
  reportStep,
  synthesisStep,
  imageStep,
  imagesStep,
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
