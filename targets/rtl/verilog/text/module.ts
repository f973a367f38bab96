/** Builds a Verilog module: ports, declarations, continuous assignments, clocked blocks, instances. */
import type { Loc } from "../../../../core/lang/tree/ast.ts";
import { Names } from "./names.ts";

export interface Port {
  readonly direction: "input" | "output";
  readonly bits: number;
  readonly name: string;
  /** The port is a register of the module. */
  readonly register?: true;
}

export class Module {
  readonly names = new Names();
  /** Statements of one block without reset, for registers that carry data in pipelines. */
  readonly clocked: string[] = [];
  /** Source positions of signals, for reports; not part of the text. */
  readonly locations = new Map<string, Loc>();
  private readonly name: string;
  private readonly ports: Port[] = [];
  private readonly declarations: string[] = [];
  private readonly body: string[] = [];
  private readonly left: string[] = [];
  private readonly same = new Map<string, string>();

  constructor(name: string) {
    this.name = this.names.unique(name);
  }

  port(port: Port): string {
    const name = this.names.unique(port.name);
    this.ports.push({ ...port, name });
    return name;
  }

  portList(): readonly Port[] {
    return this.ports;
  }

  /** Sets a signal's position; the first one counts. */
  placed(signal: string, loc: Loc | undefined): void {
    if (loc !== undefined && loc.line > 0 && !this.locations.has(signal)) this.locations.set(signal, loc);
  }

  /** Declares a signal as an alias of another, whose position it takes. */
  isSame(signal: string, as: string): void {
    this.same.set(signal, as);
  }

  nameOf(signal: string): string {
    return this.same.get(signal) ?? signal;
  }

  declare(text: string): void {
    this.declarations.push(text);
  }

  /** Marks bits above the lowest `from` of a signal of `bits` bits as unused, for linters. */
  leave(name: string, from: number, bits: number): void {
    if (from < bits) this.left.push(bits === 1 ? name : `${name}[${bits - 1}:${from}]`);
  }

  /** The same for bits `low` up to but not including `high`, if bits above are used. */
  leaveBits(name: string, low: number, high: number): void {
    if (low < high) this.left.push(high - low === 1 ? `${name}[${low}]` : `${name}[${high - 1}:${low}]`);
  }

  /** The same for all unread bits of a signal, to be called when everything else is written. */
  leaveUnread(name: string, bits: number): void {
    const read = new Array<boolean>(bits).fill(false);
    const uses = new RegExp(`\\b${name}\\b(?:\\[(\\d+)(?::(\\d+))?\\])?`, "g");
    for (const line of [...this.body, ...this.clocked])
      for (const [, high = bits - 1, low = high === bits - 1 ? 0 : high] of this.renamed(line).matchAll(uses))
        read.fill(true, Number(low), Number(high) + 1);
    for (let low = read.indexOf(false); low >= 0; low = read.indexOf(false, low)) {
      const next = read.indexOf(true, low);
      const high = next < 0 ? bits : next;
      const range = high - low === bits ? "" : high - low === 1 ? `[${low}]` : `[${high - 1}:${low}]`;
      this.left.push(`${name}${range}`);
      low = high;
    }
  }

  assign(name: string, expression: string): void {
    this.body.push(`assign ${name} = ${expression};`);
  }

  /** Registers that take values while a condition holds. */
  when(condition: string, statements: readonly string[]): void {
    this.always([`if (${condition}) begin`, ...statements.map((s) => `  ${s}`), "end"]);
  }

  always(statements: readonly string[]): void {
    this.block("always @(posedge clk) begin", statements);
  }

  /** A register, given by name, selected by the value of `by`. */
  choice(by: string, name: string, cases: readonly (readonly [string, string])[], otherwise: string): void {
    this.body.push(
      "always @(*)",
      `  case (${by})`,
      ...cases.map(([value, then]) => `    ${value}: ${name} = ${then};`),
      `    default: ${name} = ${otherwise};`,
      "  endcase",
    );
  }

  initial(statements: readonly string[]): void {
    this.block("initial begin", statements);
  }

  /** Appended one by one, as there may be more than a call can have arguments. */
  private block(begin: string, statements: readonly string[]): void {
    this.body.push(begin);
    for (const statement of statements) this.body.push(`  ${statement}`);
    this.body.push("end");
  }

  instance(
    module: string,
    parameters: Readonly<Record<string, number | string>>,
    name: string,
    connections: Readonly<Record<string, string>>,
  ): void {
    const parameterList = Object.entries(parameters).map(([key, value]) => `.${key}(${value})`);
    this.body.push(
      `${module} ${parameterList.length ? `#(${parameterList.join(", ")}) ` : ""}${name} (`,
      ...Object.entries(connections).map(
        ([key, value], k, all) => `  .${key}(${value})${k < all.length - 1 ? "," : ""}`,
      ),
      ");",
    );
  }

  text(): string {
    const ports = this.ports.map(({ direction, bits, name, register }, k) => {
      const width = bits === 1 ? "" : `[${bits - 1}:0] `;
      const kind = register ? "reg" : "wire";
      return `  ${direction} ${kind} ${width}${name}${k < this.ports.length - 1 ? "," : ""}`;
    });
    const data = this.clocked.length
      ? ["always @(posedge clk) begin", ...this.clocked.map((s) => `  ${s}`), "end"]
      : [];
    const left = this.left.length ? [`wire unused = &{1'b0, ${this.left.join(", ")}};`] : [];
    const lines = [...this.declarations, "", ...this.body, ...data, ...left];
    return [
      `module ${this.name} (`,
      ...ports,
      ");",
      ...lines.map((l) => (l ? `  ${this.renamed(l)}` : l)),
      "endmodule",
      "",
    ].join("\n");
  }

  private renamed(line: string): string {
    return this.same.size === 0 ? line : line.replace(/[A-Za-z_]\w*/g, (name) => this.nameOf(name));
  }
}
