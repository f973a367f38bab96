/** The modules around a kernel. */

/** The module that simulators see, with ports for a memory. */
export const shellName = "arc_design";

/**
 * What is between the kernel and the pins of a part. `uart`: on-chip memory and a serial line to a host. `frame`: shift
 * registers, to measure the kernel alone.
 */
export type Wrapper = "uart" | "frame";

/** Signals of the top-level module at the pins. */
export const boardSignals = {
  uart: ["clk", "rx", "tx"],
  frame: ["clk", "shift_in", "take", "shift_out"],
} as const satisfies Readonly<Record<Wrapper, readonly string[]>>;

/** The top-level module. */
export const boardName = "arc_board";

/** Keeps the kernel separate in synthesis, so that its cells can be told from its wrapper's. */
export const keepHierarchy = "(* keep_hierarchy *)";
