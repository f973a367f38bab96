/** Decides when iterations enter a process. */

import { conjunction, disjunction, literal, range, zeros } from "../text/text.ts";
import type { PipelineText, Placed } from "./pipeline.ts";

/** The entry condition, and the valid bits of the process's cycles. */
export function entry(
  { module, scheduled, start }: PipelineText,
  { process, prefix, text, busy }: Placed,
): void {
  const { pipeline, ii } = scheduled;
  const looping = pipeline.loop !== undefined;
  module.declare(`reg ${prefix}_running;`);
  for (const signal of ["ready", "enter"]) module.declare(`wire ${prefix}_${signal};`);
  const terms = [`${prefix}_running`];
  if (ii > 1) {
    const bits = Math.ceil(Math.log2(ii));
    module.declare(`reg ${range(bits)}${prefix}_wait;`);
    module.declare(`wire ${prefix}_slot;`);
    module.assign(`${prefix}_slot`, `${prefix}_wait == ${zeros(bits)}`);
    // If operations take turns, intervals continue without an entry while an iteration is under way.
    const under = process.aligned ? Math.floor(process.depth / ii) : 0;
    const entries = Array.from({ length: under }, (_, k) => text.valid((k + 1) * ii));
    module.always([
      `if (rst | ${start}) ${prefix}_wait <= ${zeros(bits)};`,
      `else if (${disjunction([`${prefix}_enter`, ...entries.map((entry) => `(${prefix}_slot & ${entry})`)])}) ${prefix}_wait <= ${literal(BigInt(ii - 1), bits)};`,
      `else if (~${prefix}_slot) ${prefix}_wait <= ${prefix}_wait - ${literal(1n, bits)};`,
    ]);
    if (looping) terms.push(`${prefix}_slot`);
  }
  let ends = `${prefix}_enter`;
  if (pipeline.loop) {
    module.declare(`wire ${prefix}_more;`);
    module.assign(`${prefix}_more`, text.operand(pipeline.loop.more, 0, 1));
    ends = conjunction([...terms, `~${prefix}_more`]);
    terms.push(`${prefix}_more`);
  }
  module.assign(`${prefix}_enter`, conjunction([...terms, `${prefix}_ready`]));
  module.always([
    `if (rst) ${prefix}_running <= 1'b0;`,
    `else if (${start}) ${prefix}_running <= 1'b1;`,
    `else if (${ends}) ${prefix}_running <= 1'b0;`,
  ]);
  busy.push(`${prefix}_running`);
  for (let cycle = 1; cycle <= process.depth; cycle++) {
    module.declare(`reg ${text.valid(cycle)};`);
    busy.push(text.valid(cycle));
  }
  if (process.depth > 0) {
    const cycles = Array.from({ length: process.depth }, (_, k) => k + 1);
    module.always([
      "if (rst) begin",
      ...cycles.map((c) => `  ${text.valid(c)} <= 1'b0;`),
      "end else begin",
      ...cycles.map((c) => `  ${text.valid(c)} <= ${text.valid(c - 1)};`),
      "end",
    ]);
  }
}
