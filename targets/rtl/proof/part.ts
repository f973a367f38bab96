/** Properties of a part, a module that designs use in many sizes. */
export interface Properties {
  /** For display. */
  readonly claims: readonly string[];
  /** Assumptions about the part's environment. */
  readonly provided?: string;
  /** Verilog to append to the module. */
  readonly text: string;
}

/** The first cycle is a reset. */
export const hasBegun = `
  reg begun = 1'b0;
  always @(posedge clk) begun <= 1'b1;
  always @* assume (begun | rst);
`;
