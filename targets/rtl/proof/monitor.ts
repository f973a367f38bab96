/** Properties of a module's inside, with placeholders for what is connected to its instances. */
export interface ModuleProperties {
  readonly module: string;
  /** The part of the module that they are about, for display. */
  readonly part: string;
  readonly sizes: string;
  readonly claims: readonly string[];
  readonly provided?: string;
  /** Verilog to append to the module. */
  readonly text: string;
  /** Longest induction that is tried: what does not hold shows within as many cycles. */
  readonly steps: number;
}

/** Claims about a module, collected as text for Yosys: it grows as signals are named and claims are made. */
export abstract class Monitor {
  /** Prefix of all added names. */
  protected readonly prefix: string;
  /** False in the first cycle. */
  protected readonly hasBegun: string;
  protected readonly declarations: string[] = [];
  /** Statements executed in each cycle. */
  protected readonly clocked: string[] = [];
  protected readonly assumed: string[] = [];
  protected readonly asserted: string[] = [];
  private count = 0;

  constructor(prefix: string) {
    this.prefix = prefix;
    this.hasBegun = `${prefix}_begun`;
    this.declarations.push(`reg ${this.hasBegun} = 1'b0;`);
    this.clocked.push(`${this.hasBegun} <= 1'b1;`);
  }

  protected fresh(): string {
    return `${this.prefix}_${this.count++}`;
  }

  protected reg(bits: number): string {
    const name = this.fresh();
    this.declarations.push(`reg [${bits - 1}:0] ${name};`);
    return name;
  }

  protected wire(bits: number, text: string): string {
    const name = this.fresh();
    this.declarations.push(`wire [${bits - 1}:0] ${name} = ${text};`);
    return name;
  }

  /** The value of a signal one cycle earlier. */
  protected before(bits: number, signal: string): string {
    const name = this.reg(bits);
    this.clocked.push(`${name} <= ${signal};`);
    return name;
  }

  /** Claims from the second cycle on, as the first one is usually a reset. */
  protected onceBegun(claims: readonly string[]): readonly string[] {
    return claims.map((claim) => `~${this.hasBegun} | (${claim})`);
  }

  protected text(assumed: readonly string[], asserted: readonly string[]): string {
    return [
      ...this.declarations,
      "always @(posedge clk) begin",
      ...this.clocked.map((line) => `  ${line}`),
      "end",
      "always @* begin",
      ...assumed.map((a) => `  assume (${a});`),
      ...asserted.map((a) => `  assert (${a});`),
      "end",
      "",
    ].join("\n");
  }
}

/** The word with enough `_` appended that no name in a text starts with it. */
export function unusedStart(word: string, text: string): string {
  return text.includes(`${word}_`) ? unusedStart(`${word}_`, text) : word;
}
