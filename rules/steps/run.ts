/** Runs a program in a folder of its own and stores what it wrote. */
import type {
  Action,
  ActionInput,
  Address,
  Step,
  StepContext,
  StepResult,
  ToolIdentity,
} from "../../core/build/model/action.ts";
import type { Run } from "../../schema/contract/project.ts";
import { codeDigest } from "../inputs/code-digest.ts";
import { optionsOf } from "../inputs/options.ts";

/** Outputs in addition to the files that the run declares. */
export const stdoutName = "arc.stdout";
export const statusName = "arc.status";
/** A JSON line per kernel launch: the counts of a simulated device. */
export const countsName = "arc.counts";

interface RunRequest {
  readonly address: Address;
  readonly title: string;
  readonly program: ActionInput;
  /** Images next to the program, and the files that the run reads. */
  readonly inputs: readonly ActionInput[];
  readonly run: Run;
  /** Variables that arc adds to the run's own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The device used, if the result may depend on it. */
  readonly device?: ToolIdentity;
  /** Token for exclusive use of a device, because parallel runs would disturb measurements. */
  readonly token?: string;
  /** The environment variable that makes a simulated device count. */
  readonly counts?: string;
  readonly skip?: string;
}

/** Variables passed through because drivers need them to find devices; results do not depend on them. */
export const driverEnvironment = [
  "LD_LIBRARY_PATH",
  "CUDA_VISIBLE_DEVICES",
  "ARC_NVML_LIBRARY",
  "OCL_ICD_VENDORS",
  "OCL_ICD_FILENAMES",
  "POCL_CACHE_DIR",
];

export function runAction(request: RunRequest): Action {
  const { address, title, program, inputs, run, env, device, token, counts, skip } = request;
  const own: Options = {
    program: program.name,
    args: run.args,
    env: { ...env, ...run.env, ...(counts === undefined ? {} : { [counts]: countsName }) },
    ...(run.stdin === undefined ? {} : { stdin: run.stdin }),
    ...(run.timeout === undefined ? {} : { timeout: run.timeout }),
  };
  return {
    address,
    step: runStep.name,
    title,
    options: stepOptions.write(own),
    ...(device === undefined ? {} : { tools: [device] }),
    inputs: [program, ...inputs],
    outputs: [
      { name: stdoutName, kind: "file" },
      { name: statusName, kind: "file" },
      ...(counts === undefined ? [] : [{ name: countsName, kind: "file", optional: true } as const]),
      // Optional, because the comparison reports a file that was not written.
      ...run.outputs.map(({ file }) => ({ name: file, kind: "file", optional: true }) as const),
    ],
    ...(token === undefined ? {} : { resources: { tokens: { [token]: 1 } } }),
    // The output may contain times.
    deterministic: false,
    ...(skip === undefined ? {} : { skip }),
  };
}

export const runStep: Step = { name: "run", digest: codeDigest("run"), run };

interface Options {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly timeout?: number;
}

const stepOptions = optionsOf<Options>();

async function run(context: StepContext): Promise<StepResult> {
  const { program, args, env, stdin, timeout } = stepOptions.read(context.action);
  const call = [`./${program}`, ...args];
  const { code, stdout, stderr } = await context.spawn({
    argv:
      stdin === undefined ? call : ["sh", "-c", 'input=$1; shift; exec "$@" <"$input"', "sh", stdin, ...call],
    env,
    passEnv: driverEnvironment,
    ...(timeout === undefined ? {} : { timeoutSeconds: timeout }),
  });
  context.log(stderr.toString("utf8"));
  await context.writeOutput(stdoutName, stdout);
  await context.writeOutput(statusName, String(code));
  return { ok: true };
}
