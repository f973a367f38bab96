/** What an edit could reach in a build, which of that ran, and what early cutoff spared. */

import type { BuildResult } from "../../core/build/graph/build-result.ts";
import type { Address } from "../../core/build/model/action.ts";

interface Reach {
  readonly ran: readonly Address[];
  /** Actions after one whose result stayed the same: up to date without running. */
  readonly cutOff: readonly Address[];
}

/** `files`: relative to the project, or absolute. */
export function reachOf(files: readonly string[], result: BuildResult): Reach {
  const { graph, outcomes } = result;
  const reached = new Set(readers(files, result));
  // The set grows during the iteration.
  for (const address of reached) {
    for (const consumer of graph.consumersOf(address)) reached.add(consumer);
    for (const promised of graph.find(address)?.action.expand?.promises ?? []) reached.add(promised);
    for (const child of graph.addedBy(address)) reached.add(child);
  }
  const ran: Address[] = [];
  const cutOff: Address[] = [];
  for (const { address, how } of outcomes.values()) {
    if (how === "ran") ran.push(address);
    else if (how === "up-to-date" && reached.has(address)) cutOff.push(address);
  }
  return { ran, cutOff };
}

/** Whether any action of a build read one of the files, or looked for it. */
export const isRead = (files: readonly string[], result: BuildResult): boolean => {
  for (const _ of readers(files, result)) return true;
  return false;
};

function* readers(files: readonly string[], { graph, outcomes }: BuildResult): Generator<Address> {
  for (const { action } of graph.nodes()) {
    const outcome = outcomes.get(action.address);
    const { files: found = [], missing = [] } = outcome?.result?.discovered ?? {};
    const read = [
      ...action.inputs.flatMap(({ from }) => ("file" in from ? [from.file] : [])),
      ...found.map(([file]) => file),
      ...missing,
      ...(outcome?.read ?? []),
    ];
    if (read.some((file) => files.some((changed) => concerns(changed, file)))) yield action.address;
  }
}

/** An action may read a whole folder, and a folder may appear or disappear with its files. */
const concerns = (changed: string, read: string): boolean =>
  changed === read || changed.startsWith(`${read}/`) || read.startsWith(`${changed}/`);
