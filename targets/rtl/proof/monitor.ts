/** What is said of a module, as the text that Yosys reads beside it. */
export interface Monitor {
  readonly declarations: readonly string[];
  /** Statements of each cycle. */
  readonly clocked: readonly string[];
  readonly assumed: readonly string[];
  readonly asserted: readonly string[];
}

export function monitorText({ declarations, clocked, assumed, asserted }: Monitor): string {
  return [
    ...declarations,
    "always @(posedge clk) begin",
    ...clocked.map((line) => `  ${line}`),
    "end",
    "always @* begin",
    ...assumed.map((a) => `  assume (${a});`),
    ...asserted.map((a) => `  assert (${a});`),
    "end",
    "",
  ].join("\n");
}
