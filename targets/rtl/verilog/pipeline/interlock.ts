/** Interlocks for loop-carried dependences through memory. */
import { lastOf } from "../../../../core/checked/access.ts";
import type { CarriedDependence } from "../../../../core/hw/dfg/memory.ts";
import { disjunction, literal, range, zeros } from "../text/text.ts";
import type { PipelineText, Placed } from "./pipeline.ts";

/** An input of kernels: all pointers passed lead to disjoint memory. Stable while they run. */
export const apartSignal = "apart";

export const asksApart = ({ ports }: { readonly ports: readonly { readonly name: string }[] }): boolean =>
  ports.some(({ name }) => name === apartSignal);

/** Iterations enter in groups of `distance`; the next group waits until the stores of the last one have arrived. */
export function interlock(
  { module, placed, scheduled, start }: PipelineText,
  { distance, unlessApart }: CarriedDependence,
): void {
  const pipeline = scheduled.pipeline.name;
  const [first] = placed as [Placed];
  const last = lastOf(placed);
  const bits = Math.ceil(Math.log2(distance + 1));
  const openName = `${pipeline}_open`;
  const group = `${pipeline}_group`;
  const wide = 16;
  module.declare(`reg ${range(bits)}${group};`);
  module.declare(`reg ${range(wide)}${openName};`);
  const one = (signal: string) => `{${zeros(wide - 1)}, ${signal}}`;
  const retires = last.text.valid(last.process.depth);
  const stores = last.busy.filter((b) => b.includes("_flight"));
  module.always([
    `if (rst) ${openName} <= ${zeros(wide)};`,
    `else ${openName} <= ${openName} + ${one(`${first.prefix}_enter`)} - ${one(retires)};`,
  ]);
  module.declare(`wire ${pipeline}_settled;`);
  module.assign(`${pipeline}_settled`, `~(${disjunction([`(${openName} != ${zeros(wide)})`, ...stores])})`);
  const full = `${group} == ${literal(BigInt(distance), bits)}`;
  module.always([
    `if (rst | ${start}) ${group} <= ${zeros(bits)};`,
    `else if (${first.prefix}_enter) ${group} <= ${group} + ${literal(1n, bits)};`,
    `else if ((${full}) & ${pipeline}_settled) ${group} <= ${zeros(bits)};`,
  ]);
  const opened = `${group} != ${literal(BigInt(distance), bits)}`;
  first.ready.push(unlessApart ? `((${opened}) | ${apartSignal})` : `(${opened})`);
}
