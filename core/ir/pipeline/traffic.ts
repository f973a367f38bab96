/** Global memory traffic of a pipeline's iterations. */
import { firstOf } from "../../checked/access.ts";
import type { Symbol } from "../../lang/tree/ast.ts";
import type { NodeId } from "./graph.ts";
import type { MemoryAccess, Pipeline } from "./pipeline.ts";

/** Adjacent accesses that are merged into one wide access. */
interface Stream {
  /** Per iteration of the graph. */
  readonly bytes: number;
  /** Bytes that memory transfers for it: whole bursts if iterations do not access memory in order. */
  readonly moved: number;
}

/**
 * `burst`: smallest memory transfer in bytes. `item`: the loop variable that distinguishes neighbouring work-items;
 * they enter a pipeline one after the other, even a loop that each of them runs.
 */
export function streamsOf(p: Pipeline, burst: number, item?: Symbol): readonly Stream[] {
  // Copies of a body access memory at the same source location.
  const groups = new Map<string, MemoryAccess[]>();
  for (const access of p.accesses) {
    const { file, line, col } = access.loc;
    const key = [access.array.id, access.path, access.write, file, line, col].join(" ");
    groups.set(key, [...(groups.get(key) ?? []), access]);
  }
  return [...groups.values()].flatMap((group) => streams(p, group, burst, item));
}

function streams(
  p: Pipeline,
  group: readonly MemoryAccess[],
  burst: number,
  item: Symbol | undefined,
): readonly Stream[] {
  const [{ bytes, index }] = group as [MemoryAccess];
  const copies = new Set(group.map((a) => a.index)).size;
  const stride = strideOf(p, index, item);
  const step = stride === undefined ? undefined : Math.abs(Number(stride));
  // If the copies' combined step equals their number, they leave no gaps and form one wide access.
  if (step !== undefined && step > 1 && copies >= step)
    return [{ bytes: copies * bytes, moved: copies * bytes }];
  const transfer = Math.max(burst, bytes);
  const moved = step === undefined ? transfer : Math.min(step * bytes, transfer);
  return Array.from({ length: copies }, () => ({ bytes, moved }));
}

/** Elements between the accesses of consecutive iterations; undefined: unknown. */
function strideOf(p: Pipeline, id: NodeId, item: Symbol | undefined): bigint | undefined {
  let total = 0n;
  for (const [term, c] of p.graph.linear(id).terms) {
    const stride = strideOfTerm(p, term, item);
    if (stride === undefined) return undefined;
    total += c * stride;
  }
  return total;
}

function strideOfTerm(p: Pipeline, id: NodeId, item: Symbol | undefined): bigint | undefined {
  const node = p.graph.at(id);
  if (node.kind === "constant") return 0n;
  if (node.kind === "invariant") return item !== undefined && node.sym === item ? 1n : 0n;
  if (node.kind === "counter") {
    if (item !== undefined && node.sym !== item && !p.shared) return 0n;
    return p.strides.get(id) ?? 0n;
  }
  if (node.kind === "carried") return p.strides.get(id);
  if (node.kind !== "operator") return undefined;
  if (node.op === "?:") {
    // A counter that starts a new row is set to a constant.
    const ways = node.args.slice(1).filter((arg) => p.graph.at(arg).kind !== "constant");
    const strides = ways.map((arg) => strideOf(p, arg, item));
    return strides.includes(undefined)
      ? undefined
      : strides.reduce((a, b) => ((a as bigint) < (b as bigint) ? a : b), strides[0]);
  }
  if (node.op === "cast" || node.op === "wires") return strideOf(p, firstOf(node.args), item);
  // A product of loop-invariant values, such as a row's length known only at run time.
  return node.args.every((arg) => strideOf(p, arg, item) === 0n) ? 0n : undefined;
}
