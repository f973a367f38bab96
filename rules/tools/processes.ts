/** Steps that start processes, which executors can run elsewhere; all others run within arc. */
export const processSteps: readonly string[] = [
  "command",
  "preprocess",
  "compile",
  "kernel",
  "authored",
  "report",
  "fabric",
  "synthesis",
  "embed",
  "runtime",
  "link",
  "device",
  "run",
];
