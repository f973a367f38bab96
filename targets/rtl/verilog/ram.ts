/** Memory of an iCE40: the block RAMs that a design takes, and what is left for a board's memory. */
import type { LogicDevice } from "../../../core/hw/device.ts";

/** Bits of a block. */
const BLOCK = 4096;
/** Words that a block can be cut into: 16, 8, 4 or 2 bits wide. */
const DEPTHS = [256, 512, 1024, 2048];
/** Smaller memories become registers. */
const LEAST = 0.02 * BLOCK;

/** Blocks of the FIFOs, rings and local arrays that a text instantiates, and of its tables. */
export function blocksOf(text: string): number {
  let blocks = 0;
  for (const [, parameters] of text.matchAll(
    /\barc_(?:fifo|(?:early_)?ring|ram|stream_read) #\(([^;]*?)\) \w+ \(/g,
  )) {
    const value = (name: string) =>
      Number(new RegExp(`\\.${name}\\((\\d+)\\)`).exec(parameters ?? "")?.[1] ?? 0);
    const depth = value("WORDS") || (value("LENGTH") > 0 ? value("LENGTH") + 1 : 2 ** value("LOG2"));
    const width = value("WIDTH") || 8 * value("BYTES");
    if (width * depth >= LEAST) blocks += blocksFor(width, depth);
  }
  for (const [, high = "0", last] of text.matchAll(/^ *reg (?:\[(\d+):0\] )?\w+ \[0:(\d+)\];/gm))
    blocks += blocksFor(Number(high) + 1, Number(last) + 1);
  return blocks;
}

function blocksFor(width: number, depth: number): number {
  return Math.min(...DEPTHS.map((words) => Math.ceil(depth / words) * Math.ceil((width * words) / BLOCK)));
}

export interface BoardMemory {
  /** A power of two. */
  readonly bytes: number;
  readonly module: "arc_memory" | "arc_single_port_memory";
}

/**
 * The largest memory of 32-bit words that fits beside a design: single-port RAM where the part has it, which nothing else
 * uses; else block RAM, at least one block per lane.
 */
export function roomFor(text: string, device: LogicDevice): BoardMemory {
  const large = Math.floor(Number(device.resources.sprams ?? 0) / 2);
  if (large > 0)
    return { bytes: 2 ** Math.floor(Math.log2(large)) * 65_536, module: "arc_single_port_memory" };
  const lanes = 4;
  const left = Number(device.resources.rams) - blocksOf(text);
  const deep = Math.max(0, Math.floor(Math.log2(Math.max(1, left / lanes))));
  return { bytes: lanes * 2 ** deep * (BLOCK / 8), module: "arc_memory" };
}
