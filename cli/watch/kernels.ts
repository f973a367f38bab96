/** The kernels that a build emitted, and how an edit changed them. */

import type { BuildResult } from "../../core/build/graph/build-result.ts";
import type { Address } from "../../core/build/model/action.ts";
import { lineDiff } from "../show/line-diff.ts";

/** Kernel texts by `target:variant/kernel`, or by image and file if an image has several. */
type Kernels = ReadonlyMap<string, string>;

/** By the action whose expansion added them: after a partial build, all others are unchanged. */
export type KernelGroups = ReadonlyMap<Address, Kernels>;

/** Kernel texts are inputs of the actions that compile or package them. */
export function kernelsOf({ graph }: BuildResult): KernelGroups {
  const groups = new Map<Address, Map<string, string>>();
  for (const { action, parent = "" } of graph.nodes()) {
    if (action.expand !== undefined && !groups.has(action.address)) groups.set(action.address, new Map());
    for (const { name, from } of action.inputs) {
      if (!("text" in from) || !/^kernel\d*\.\w+$/.test(name)) continue;
      const image = action.address.replace(/#.*/, "");
      const kernel = /^kernel\d/.test(name) ? `${image} ${name}` : image;
      const group = groups.get(parent) ?? new Map<string, string>();
      groups.set(parent, group.set(kernel, from.text));
    }
  }
  return groups;
}

export const allKernels = (groups: KernelGroups): Kernels =>
  new Map([...groups.values()].flatMap((kernels) => [...kernels]));

export interface KernelDiff {
  readonly kernel: string;
  readonly diff: string;
}

/**
 * Differences of changed kernels. A region without a name of its own is called by its function and a digest, which an
 * edit changes: such kernels are compared with the most similar one of the same function.
 */
export function kernelDiffs(before: Kernels, after: Kernels): readonly KernelDiff[] {
  const removed = new Map([...before].filter(([kernel, text]) => after.get(kernel) !== text));
  const fresh = [...after].filter(([kernel, text]) => before.get(kernel) !== text);
  const diffs = fresh.sort().map(([kernel, text]): KernelDiff => {
    const [old, diff] = mostSimilar(kernel, text, removed);
    if (old !== undefined) removed.delete(old);
    return { kernel, diff };
  });
  return [...diffs, ...[...removed].map(([kernel, text]) => ({ kernel, diff: lineDiff(text, "") }))];
}

function mostSimilar(
  kernel: string,
  text: string,
  others: Kernels,
): readonly [other: string | undefined, diff: string] {
  let best: readonly [string | undefined, string] = [undefined, lineDiff("", text)];
  for (const [other, otherText] of others) {
    if (stemOf(other) !== stemOf(kernel)) continue;
    const diff = lineDiff(nameless(other, otherText), nameless(kernel, text));
    if (other === kernel || best[0] === undefined || diff.length < best[1].length) best = [other, diff];
    if (other === kernel) break;
  }
  return best;
}

const stemOf = (kernel: string): string => kernel.replace(/_[0-9a-f]{8}$/, "");

/** The text with the digest removed from all names of the kernel. */
function nameless(kernel: string, text: string): string {
  const stem = stemOf(kernel.slice(kernel.lastIndexOf("/") + 1));
  // In an image's name some characters of the function's name may be replaced.
  const digests = new RegExp(`\\b${stem.replaceAll(/\W/g, "\\$&")}_[0-9a-f]{8}(?![A-Za-z0-9])`, "g");
  return text.replaceAll(digests, stem);
}
