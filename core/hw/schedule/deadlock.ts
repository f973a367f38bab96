/** Detects kernels connected by channels that may deadlock. */

import { firstOf } from "../../checked/access.ts";
import type { HardwarePlan } from "../binding/process.ts";
import { Unsupported } from "../dfg/region.ts";
import type { Value } from "../dfg/value.ts";

/** Channels from one kernel to another that pass a value in the same iterations. */
interface Link {
  readonly channel: string;
  readonly from: number;
  readonly to: number;
  readonly send: Value;
  readonly receive: Value;
  readonly loc: Unsupported["diagnostic"]["loc"];
}

/**
 * If every iteration passes a value, the kernels stay in step and old iterations always finish, so that there is no
 * deadlock. An iteration that passes none shifts the steps: if another path connects the same kernels, it would have to
 * hold as many values as the shift, which is unknown. Throws Unsupported then.
 */
export function refuseDeadlocks(plans: readonly HardwarePlan[]): void {
  const links = linksOf(plans);
  for (const link of links) {
    if (always(link.send) && always(link.receive)) continue;
    const others = links.filter((other) => other !== link && !alike(link, other));
    if (!connected(link.from, link.to, others)) continue;
    throw new Unsupported(
      "channel-deadlock",
      link.loc,
      `it cannot be shown that '${link.channel}' never stops its kernels: some iterations pass nothing`,
      "another way leads from the one kernel to the other, and would have to hold what the first one lags behind",
      "do without a window here (window: 0), or leave out the pipe",
    );
  }
}

function linksOf(plans: readonly HardwarePlan[]): readonly Link[] {
  const takers = plans.flatMap((plan, to) =>
    plan.pipelines.flatMap(({ pipeline }) => pipeline.graph.receives.map((value) => ({ value, to }))),
  );
  return plans.flatMap((plan, from) =>
    plan.pipelines.flatMap(({ pipeline }) =>
      pipeline.graph.sends.flatMap(({ channel, guard, loc }) =>
        takers
          .filter(({ value }) => value.channel === channel)
          .map(
            ({ value, to }): Link => ({
              channel,
              from,
              to,
              send: guard,
              receive: firstOf(value.args),
              loc,
            }),
          ),
      ),
    ),
  );
}

const always = (guard: Value): boolean => guard.op === "const";

const alike = (a: Link, b: Link): boolean =>
  a.from === b.from && a.to === b.to && a.send === b.send && a.receive === b.receive;

/** Whether links connect the two kernels, in any direction. */
function connected(from: number, to: number, links: readonly Link[]): boolean {
  const reached = new Set([from]);
  for (let size = 0; size !== reached.size; ) {
    size = reached.size;
    for (const link of links) {
      if (reached.has(link.from)) reached.add(link.to);
      if (reached.has(link.to)) reached.add(link.from);
    }
  }
  return reached.has(to);
}
