/** Runs the build's step that proves, on what there is to prove. */
import type { StepContext } from "../../../core/build/model/action.ts";
import { type Proof, proofName, proveStep } from "../../../rules/steps/kernels/prove.ts";
import { rtl } from "../../../targets/rtl/kind.ts";
import type { Obligation } from "../../../targets/shared/kind/proof.ts";

export async function prove(...lists: readonly (readonly Obligation[])[]) {
  const messages: string[] = [];
  const written = new Map<string, string>();
  const context = {
    action: {
      options: { prover: rtl.proofs?.prover },
      inputs: lists.map((_, k) => ({ name: String(k) })),
    },
    readInput: async (name: string) => Buffer.from(JSON.stringify(lists[Number(name)])),
    writeOutput: async (name: string, bytes: string) => void written.set(name, bytes),
    progress: () => {},
    log: (text: string) => messages.push(text),
    signal: new AbortController().signal,
  } as unknown as StepContext;
  const result = await proveStep.run?.(context);
  return {
    result,
    messages: messages.join(""),
    proofs: JSON.parse(written.get(proofName) ?? "[]") as Proof[],
  };
}

/** Looks for a counterexample only. */
export const searched = (obligations: readonly Obligation[]): readonly Obligation[] =>
  obligations.map((one) => ({
    ...one,
    script: one.script.replace("-tempinduct", "-tempinduct -tempinduct-baseonly"),
  }));
