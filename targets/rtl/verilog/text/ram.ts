/** Memory of a part: the block RAMs that a design uses, and what is left for a board's memory. */
import type { LogicDevice } from "../../../../core/hw/operators/device.ts";

type Block = LogicDevice["blockRam"];

/** Smaller memories become registers or distributed RAM. */
const LEAST_BITS = 82;

/** Number of blocks for the FIFOs, rings, local arrays and tables that a text instantiates. */
function blocksOf(text: string, block: Block): number {
  let blocks = 0;
  for (const [, parameters] of text.matchAll(
    /\barc_(?:fifo|(?:early_)?ring|ram|stream_read) #\(([^;]*?)\) \w+ \(/g,
  )) {
    const value = (name: string) =>
      Number(new RegExp(`\\.${name}\\((\\d+)\\)`).exec(parameters ?? "")?.[1] ?? 0);
    const depth = value("WORDS") || (value("LENGTH") > 0 ? value("LENGTH") + 1 : 2 ** value("LOG2"));
    const width = value("WIDTH") || 8 * value("BYTES");
    if (width * depth >= LEAST_BITS) blocks += blocksFor(width, depth, block);
  }
  for (const [, high = "0", last] of text.matchAll(/^ *reg (?:\[(\d+):0\] )?\w+ \[0:(\d+)\];/gm))
    blocks += blocksFor(Number(high) + 1, Number(last) + 1, block);
  return blocks;
}

function blocksFor(width: number, depth: number, { bits, depths }: Block): number {
  return Math.min(...depths.map((words) => Math.ceil(depth / words) * Math.ceil((width * words) / bits)));
}

export interface BoardMemory {
  /** A power of two. */
  readonly bytes: number;
  readonly module: "arc_memory" | "arc_single_port_memory";
}

/**
 * The largest memory of 32-bit words that fits next to a design: single-port RAM if the part has it, as nothing else
 * uses it; else block RAM, at least one block per lane.
 */
export function roomFor(text: string, device: LogicDevice): BoardMemory {
  const large = Math.floor(Number(device.resources.sprams ?? 0) / 2);
  if (large > 0)
    return { bytes: 2 ** Math.floor(Math.log2(large)) * 65_536, module: "arc_single_port_memory" };
  const lanes = 4;
  const left = Number(device.resources.rams) - blocksOf(text, device.blockRam);
  const deep = Math.max(0, Math.floor(Math.log2(Math.max(1, left / lanes))));
  return { bytes: lanes * 2 ** deep * (device.blockRam.bits / 8), module: "arc_memory" };
}
