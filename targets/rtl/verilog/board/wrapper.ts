/** What stands around a kernel. */

/** The module that simulators see, with ports for a memory. */
export const shellName = "arc_design";

/** What stands between it and the pins of a part. `uart`: memory on the chip and a serial line to a host. `frame`: shift registers, to measure the kernel alone. */
export type Wrapper = "uart" | "frame";

/** Signals of the module at the pins. */
export const boardSignals = {
  uart: ["clk", "rx", "tx"],
  frame: ["clk", "shift_in", "take", "shift_out"],
} as const satisfies Readonly<Record<Wrapper, readonly string[]>>;

/** The module at the pins. */
export const boardName = "arc_board";

/** Synthesis keeps the kernel apart, so that its cells can be told from its wrapper's. */
export const kept = "(* keep_hierarchy *)";
