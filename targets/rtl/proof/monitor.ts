/** Properties of a module's inside, with words for what is connected to its instances. */
export interface ModuleProperties {
  readonly module: string;
  /** What of it they are about, for people. */
  readonly part: string;
  readonly sizes: string;
  readonly claims: readonly string[];
  readonly provided?: string;
  /** Verilog for the end of the module. */
  readonly text: string;
  /** Longest induction that is tried: what does not hold comes to light in as many cycles. */
  readonly steps: number;
}

/** What is said of a module, as the text that Yosys reads beside it: it grows as signals are named and claims made. */
export abstract class Monitor {
  /** Start of the names of all that is added. */
  protected readonly own: string;
  /** False in the first cycle. */
  protected readonly begun: string;
  protected readonly declarations: string[] = [];
  /** Statements of each cycle. */
  protected readonly clocked: string[] = [];
  protected readonly assumed: string[] = [];
  protected readonly asserted: string[] = [];
  private count = 0;

  constructor(own: string) {
    this.own = own;
    this.begun = `${own}_begun`;
    this.declarations.push(`reg ${this.begun} = 1'b0;`);
    this.clocked.push(`${this.begun} <= 1'b1;`);
  }

  protected fresh(): string {
    return `${this.own}_${this.count++}`;
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

  /** What a signal was a cycle before. */
  protected before(bits: number, signal: string): string {
    const name = this.reg(bits);
    this.clocked.push(`${name} <= ${signal};`);
    return name;
  }

  /** From the second cycle on: the first one is mostly one of reset. */
  protected onceBegun(claims: readonly string[]): readonly string[] {
    return claims.map((claim) => `~${this.begun} | (${claim})`);
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

/** The word, with as many `_` behind it as make it the start of no name in a text. */
export function unusedStart(word: string, text: string): string {
  return text.includes(`${word}_`) ? unusedStart(`${word}_`, text) : word;
}
