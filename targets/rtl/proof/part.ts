/** What is said of a part, a module that designs have at many sizes. */
export interface Properties {
  /** For people. */
  readonly claims: readonly string[];
  /** What those around it must keep to; it is assumed. */
  readonly provided?: string;
  /** Verilog for the end of the module. */
  readonly text: string;
}

/** The first cycle is one of reset. */
export const begun = `
  reg begun = 1'b0;
  always @(posedge clk) begun <= 1'b1;
  always @* assume (begun | rst);
`;
