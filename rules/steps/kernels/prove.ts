/**
 * Proves the promises of a variant's hardware parts for all inputs, once for each size that the kernels use. Made on
 * demand, by `arc verify --prove`.
 */
import type {
  Action,
  Address,
  Step,
  StepContext,
  StepResult,
  ToolIdentity,
} from "../../../core/build/model/action.ts";
import type { WasmTool } from "../../../targets/shared/kind/kind.ts";
import type { Obligation } from "../../../targets/shared/kind/proof.ts";
import { addressOf } from "../../inputs/addresses.ts";
import { codeDigest } from "../../inputs/code-digest.ts";
import { optionsOf } from "../../inputs/options.ts";
import { runWasm } from "../../tools/wasm-run.ts";
import { identifyPackage } from "../../tools/wasm-tools.ts";
import { promiseList } from "./promises.ts";

/** The result for one part. */
export interface Proof {
  readonly part: string;
  readonly sizes: string;
  readonly claims: readonly string[];
  readonly provided?: string;
  /**
   * Depth of the induction, which covers runs of any length; else the number of cycles after reset that are covered.
   */
  readonly induction?: number;
  readonly cycles?: number;
  /** Neither succeeded within the time limit. */
  readonly unfinished?: true;
  readonly seconds: number;
}

/** Time limit per part, so that a part too large for the prover does not keep others from being proved. */
const SECONDS = 300;

/** `Proof[]` as JSON. */
export const proofName = "proof.json";
export const proofAddress = (variant: Address): Address => addressOf(variant, "proof");

/** The prover to use. */
export interface PlannedProver {
  readonly prover: WasmTool;
  /** Absent: it is not installed. */
  readonly tool?: ToolIdentity;
}

export function planProver(prover: WasmTool): PlannedProver {
  const tool = identifyPackage(prover.package);
  return { prover, ...(tool && { tool }) };
}

interface Options {
  readonly prover: WasmTool;
}

const stepOptions = optionsOf<Options>();

/** `promises`: the actions that list the obligations. */
export function proveAction(
  variant: Address,
  promises: readonly Address[],
  { prover, tool }: PlannedProver,
): Action {
  const options: Options = { prover };
  return {
    address: proofAddress(variant),
    step: proveStep.name,
    title: `prove the parts of ${variant} with ${prover.package}`,
    options: stepOptions.write(options),
    ...(tool === undefined
      ? { skip: `${prover.package} is not here: npm install ${prover.package}` }
      : { tools: [tool] }),
    inputs: promises.map((action, i) => ({ name: `${i}.json`, from: { action, output: promiseList } })),
    outputs: [{ name: proofName, kind: "file" }],
  };
}

export const proveStep: Step = { name: "prove", digest: codeDigest("prove"), run, typicalSeconds: 10 };

async function run(context: StepContext): Promise<StepResult> {
  const { prover } = stepOptions.read(context.action);
  const proofs: Proof[] = [];
  for (const obligation of await obligationsOf(context)) {
    const { part, sizes } = obligation;
    context.progress(`${part}: ${sizes}`);
    const { code, log, seconds, unfinished } = await prove(context, prover, obligation);
    const outcome = unfinished ? { unfinished } : outcomeOf(code, log);
    if (outcome === undefined) {
      context.log(counterexample(log));
      return { ok: false, fact: true, message: `${part} (${sizes}) does not keep its promises` };
    }
    const { claims, provided } = obligation;
    proofs.push({ part, sizes, claims, ...(provided !== undefined && { provided }), ...outcome, seconds });
  }
  await context.writeOutput(proofName, JSON.stringify(proofs));
  return { ok: true };
}

/** The obligations of all sources, each once. */
async function obligationsOf(context: StepContext): Promise<readonly Obligation[]> {
  const lists = await Promise.all(
    context.action.inputs.map(
      async ({ name }) => JSON.parse((await context.readInput(name)).toString("utf8")) as Obligation[],
    ),
  );
  return [...new Map(lists.flat().map((one) => [`${one.part} ${one.sizes}`, one])).values()];
}

interface Run {
  readonly code: number;
  readonly log: string;
  readonly seconds: number;
  readonly unfinished?: true;
}

async function prove(context: StepContext, prover: WasmTool, { script, text }: Obligation): Promise<Run> {
  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1000;
  const limit = AbortSignal.timeout(SECONDS * 1000);
  try {
    const { code, log } = await runWasm({
      ...prover,
      args: ["-p", script],
      files: { "part.v": new TextEncoder().encode(text) },
      listen: () => {},
      signal: AbortSignal.any([context.signal, limit]),
    });
    return { code, log, seconds: seconds() };
  } catch (problem) {
    if (context.signal.aborted || !limit.aborted) throw problem;
    return { code: 1, log: "", seconds: seconds(), unfinished: true };
  }
}

/** Undefined: there is a counterexample, or the tool failed. */
function outcomeOf(code: number, log: string): Pick<Proof, "induction" | "cycles"> | undefined {
  const last = (pattern: RegExp): number => Number([...log.matchAll(pattern)].at(-1)?.[1] ?? 0);
  if (code === 0) return { induction: last(/^\[induction step (\d+)\]/gm) };
  const shown = /Reached maximum number of time steps/.test(log);
  return shown ? { cycles: last(/^\[base case (\d+)\]/gm) } : undefined;
}

/** The tool's output from the counterexample on, else its last lines. */
function counterexample(log: string): string {
  const from = log.indexOf("model found for base case");
  return `${(from < 0 ? log : log.slice(from))
    .split("\n")
    .slice(from < 0 ? -12 : 0, 400)
    .join("\n")}\n`;
}
