/** What monitors of the one memory port have in common: names for its signals, and for those beside them. */
import type { Client, PortedKernel } from "../verilog/port.ts";
import { monitorText } from "./monitor.ts";

/** Bits of the counts beside the port's own. */
export const WIDE = 12;

export class PortMonitor {
  protected readonly ported: PortedKernel;
  protected readonly channel: "read" | "write";
  protected readonly clients: readonly Client[];
  protected readonly declarations: string[] = ["reg turns_begun = 1'b0;"];
  protected readonly clocked: string[] = ["turns_begun <= 1'b1;"];
  protected readonly asserted: string[] = [];
  /** The first cycle is one of reset. */
  protected readonly assumed: string[] = ["turns_begun != rst"];
  private count = 0;

  constructor(ported: PortedKernel, channel: "read" | "write", clients: readonly Client[]) {
    this.ported = ported;
    this.channel = channel;
    this.clients = clients;
  }

  protected text(): string {
    const { declarations, clocked, assumed } = this;
    const asserted = this.asserted.map((a) => `~turns_begun | (${a})`);
    return monitorText({ declarations, clocked, assumed, asserted });
  }

  protected fresh(bits: number, kind: "reg" | "wire" = "reg", text?: string): string {
    const name = `turns_${this.count++}`;
    const given = text === undefined ? "" : ` = ${text}`;
    this.declarations.push(`${kind} [${bits - 1}:0] ${name}${given};`);
    return name;
  }

  protected wire(bits: number, text: string): string {
    return this.fresh(bits, "wire", text);
  }

  /** A register that takes something where a condition holds, and keeps it else. */
  protected latched(bits: number, when: string, text: string): string {
    const name = this.fresh(bits);
    this.clocked.push(`if (${when}) ${name} <= ${text};`);
    return name;
  }

  protected signal(k: number, what: string): string {
    return `${this.clients[k]?.prefix}_${this.channel}_${what}`;
  }

  protected at(signal: string, k: number): string {
    return this.clients.length === 1 ? signal : `${signal}[${k}]`;
  }

  /** A command is taken. */
  protected get grants(): string {
    return `(${this.channel}_take & ${this.channel}_any)`;
  }

  /** What the client commands whose turn it is. */
  protected commanded(of: (k: number) => string): string {
    return this.clients.reduceRight(
      (rest, _, k) => `${this.at(`${this.channel}_pick`, k)} ? ${of(k)} : ${rest}`,
      of(0),
    );
  }

  protected beatsOf(k: number): string {
    const { beats, burst } = this.clients[k] as Client;
    return burst === undefined ? `9'd${beats}` : this.signal(k, "beats");
  }
}
