/** Words of local arrays in block RAM, as one iteration reads and changes them. */
import { itemAt } from "../../../checked/access.ts";
import type { Loc } from "../../../lang/tree/ast.ts";
import { addressDifference } from "../../dfg/affine.ts";
import type { Graph } from "../../dfg/graph.ts";
import type { Ram, RamWrite, Value } from "../../dfg/value.ts";

/** The word at an index: the iteration's own write where it is certain, otherwise the array's word. */
export function fetched(graph: Graph, ram: Ram, index: Value, at: Loc): Value {
  const address = addressIn(graph, ram, index);
  const fixed = address.op === "const" ? ram.contents?.[Number(address.constant)] : undefined;
  if (fixed !== undefined) return graph.constant(fixed, ram.cell.shape);
  const reading = (after: number) => graph.fetch(address, { ram, after, before: graph.writes.length }, at);
  const from = (end: number): Value => {
    for (let k = end - 1; k >= 0; k--) {
      const write = itemAt(graph.writes, k);
      if (write.ram !== ram) continue;
      const apart = addressDifference(address, write.address);
      if (apart === undefined) return reading(k + 1);
      if (apart !== 0n) continue;
      return write.guard.op === "const" ? write.data : graph.mux(write.guard, write.data, from(k));
    }
    return reading(0);
  };
  return from(graph.writes.length);
}

export function addWrite(graph: Graph, write: Omit<RamWrite, "address"> & { readonly index: Value }): void {
  const { index, ...rest } = write;
  graph.writes.push({ ...rest, address: addressIn(graph, write.ram, index) });
}

export const addressBits = ({ words }: Ram): number => Math.max(1, Math.ceil(Math.log2(words)));

function addressIn(graph: Graph, ram: Ram, index: Value): Value {
  return graph.resize(index, { bits: addressBits(ram), signed: false });
}
