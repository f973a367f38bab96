/** Depths of channels with which kernels that run together never wait for space. */

import { entryOf, itemAt } from "../../checked/access.ts";
import type { HardwarePlan } from "../binding/process.ts";
import { CHANNEL_CYCLES } from "./predict.ts";

/** The sending end of a channel. */
interface Sender {
  readonly kernel: number;
  /** The cycle of an iteration in which it sends. */
  readonly cycle: number;
  readonly ii: number;
}

/**
 * Depths by channel. If paths of different length meet again, the shorter one must hold what is under way on the longer
 * one. `plans` must be in an order in which values flow. The number of iterations is assumed not to matter.
 */
export function channelDepths(plans: readonly HardwarePlan[]): ReadonlyMap<string, number> {
  const senders = new Map<string, Sender>();
  /** The receiving kernels. */
  const takers = new Map<string, Set<number>>();
  plans.forEach((plan, kernel) => {
    for (const { processes, ii } of plan.pipelines)
      for (const process of processes) {
        for (const send of process.sends) {
          const cycle = entryOf(process.when, send);
          const known = senders.get(send.channel);
          if (!known || known.cycle < cycle) senders.set(send.channel, { kernel, cycle, ii });
        }
        for (const { op, channel } of process.inputs)
          if (op === "receive") takers.set(channel, (takers.get(channel) ?? new Set()).add(kernel));
      }
  });
  // The earliest arrival of each kernel's first value, and thus when its iterations enter.
  const enters = plans.map(() => 0);
  const arrives = (channel: string): number => {
    const from = senders.get(channel);
    return from ? itemAt(enters, from.kernel) + from.cycle + CHANNEL_CYCLES : 0;
  };
  for (let kernel = 0; kernel < plans.length; kernel++)
    for (const [channel, ends] of takers)
      if (ends.has(kernel)) enters[kernel] = Math.max(itemAt(enters, kernel), arrives(channel));
  return new Map(
    [...senders].map(([channel, from]) => {
      const lastEntry = Math.max(...[...(takers.get(channel) ?? [])].map((end) => itemAt(enters, end)));
      // From the entry of the iteration that fills a place to that of the next one that may fill it.
      const depth = lastEntry - itemAt(enters, from.kernel) + 1;
      return [channel, Math.ceil(depth / from.ii) + 1] as const;
    }),
  );
}
