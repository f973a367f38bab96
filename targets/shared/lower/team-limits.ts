/** Teams of more threads than a device's groups have. */
import type { Shuffle, Spmd, Task, Threads } from "../../../core/ir/model/ir.ts";
import { findNode, nodesIn } from "../../../core/ir/model/nodes.ts";
import type { Diagnostic } from "../../../core/lang/tree/ast.ts";
import { routinesIn } from "./answers.ts";
import { threadsAsked } from "./geometry/sizes.ts";

interface Limits {
  readonly refused: readonly Diagnostic[];
  readonly remarks: readonly Diagnostic[];
}

/**
 * `num_threads` and `thread_limit` say the most threads that a team may have, so it gets fewer where the device has fewer
 * and the code can tell. Otherwise, and where the device has teams of one thread, the region is refused.
 */
export function teamLimits({ site }: Task, { body }: Spmd, items: number): Limits {
  const asked = threadsAsked(body);
  const shuffle = items === 1 && asked !== 1 ? findNode(body, "shuffle") : undefined;
  if (shuffle) return { refused: [alone(shuffle)], remarks: [] };
  if (asked === undefined || asked === items) return { refused: [], remarks: [] };
  const message = `this region asks for teams of ${asked} threads, and the device has teams of ${items}`;
  const at = { code: "parallel-block", loc: site.loc } as const;
  if (items > 1 && takesFewer([...nodesIn(body, "threads")]))
    return {
      refused: [],
      remarks: [
        { severity: "warning", ...at, message: `${message}: it gets these (OpenMP 5.2, section 10.1.1)` },
      ],
    };
  const remedy =
    items === 1
      ? "remove the number, and share work out by loops"
      : `ask for ${items} at most, or ask omp_get_num_threads() how many there are`;
  return { refused: [{ severity: "error", ...at, message, remedy }], remarks: [] };
}

/**
 * Whether the code is right with any number of threads: one construct has them, and it does not tell them apart by their
 * numbers, or also asks how many there are.
 */
function takesFewer(blocks: readonly Threads[]): boolean {
  const [block] = blocks;
  if (!block || blocks.length > 1) return false;
  if (block.site.pragma?.tokens.some((t) => t.text === "strict") || findNode(block.body, "shuffle"))
    return false;
  const asks = routinesIn(block.body);
  return !asks.includes("omp_get_thread_num") || asks.includes("omp_get_num_threads");
}

/** Shuffles on a device whose teams have one thread each. */
function alone({ site }: Shuffle): Diagnostic {
  return {
    severity: "error",
    code: "shuffle-alone",
    loc: site.loc,
    message: `'${site.what}' needs threads that run side by side, and this device has teams of one thread`,
    remedy: "build the region for a CPU or a GPU, or let one thread have all values in an array",
  };
}
