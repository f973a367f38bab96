/** Values that are linear in the iteration number: start + step * k in iteration k. */
import { type AffineForm, affineForm } from "./affine.ts";
import type { Graph } from "./graph.ts";
import type { Ranges } from "./ranges.ts";
import type { PipelinedLoop } from "./region.ts";
import { interpret, type Value, type Variable } from "./value.ts";

export interface Line {
  readonly start: bigint;
  readonly step: bigint;
}

export class Lines {
  private readonly graph: Graph;
  private readonly loop: PipelinedLoop;
  /** Upper bound of the pipeline's iterations. */
  readonly trips: bigint;

  constructor(graph: Graph, loop: PipelinedLoop, ranges: Ranges) {
    this.graph = graph;
    this.loop = loop;
    const { counter } = loop;
    const copies = BigInt(counter?.copies ?? 1);
    this.trips = counter ? (ranges.of(counter.trips).max + copies - 1n) / copies : 0n;
  }

  ofVariable(variable: Variable): Line | undefined {
    const { before } = this.loop;
    const first = before.updates.get(variable);
    if (first?.op !== "const" || first.shape.float) return undefined;
    const start = interpret(first.constant, first.shape);
    const update = this.graph.updates.get(variable);
    if (!update) return { start, step: 0n };
    const { constant, terms } = affineForm(update);
    const [[term, factor] = []] = terms;
    const steps = terms.size === 1 && term?.op === "read" && term.variable === variable && factor === 1n;
    // Adding 2^n - 1 is subtracting 1.
    return steps ? { start, step: BigInt.asIntN(update.shape.bits, constant) } : undefined;
  }

  /** The line of a value that stays within its shape in all iterations, including the step after the last. */
  of(value: Value): Line | undefined {
    const line = this.ofForm(affineForm(value));
    const isRepresentable = (x: bigint) => interpret(BigInt.asUintN(value.shape.bits, x), value.shape) === x;
    return line && isRepresentable(line.start) && isRepresentable(line.start + line.step * this.trips)
      ? line
      : undefined;
  }

  /** a - b. */
  difference(a: Value, b: Value): Line | undefined {
    const [x, y] = [this.of(a), this.of(b)];
    return x && y && { start: x.start - y.start, step: x.step - y.step };
  }

  private ofForm({ constant, terms }: AffineForm): Line | undefined {
    let [start, step] = [constant, 0n];
    for (const [term, factor] of terms) {
      const line = term.op === "read" ? this.ofVariable(term.variable) : undefined;
      if (!line) return undefined;
      start += line.start * factor;
      step += line.step * factor;
    }
    return { start, step };
  }
}
