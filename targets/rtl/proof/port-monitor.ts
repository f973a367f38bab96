/** Common parts of monitors of the single memory port: names for its signals, and for those added. */
import { itemAt } from "../../../core/checked/access.ts";
import type { Client } from "../verilog/port/merge.ts";
import type { PortedKernel } from "../verilog/port/port.ts";
import { Monitor } from "./monitor.ts";

/** Width of the monitors' counters. */
export const WIDE = 12;

export class PortMonitor extends Monitor {
  protected readonly ported: PortedKernel;
  protected readonly channel: "read" | "write";
  protected readonly clients: readonly Client[];

  constructor(ported: PortedKernel, channel: "read" | "write", clients: readonly Client[]) {
    super("turns");
    // The first cycle is a reset.
    this.assumed.push(`${this.hasBegun} != rst`);
    this.ported = ported;
    this.channel = channel;
    this.clients = clients;
  }

  protected claimed(): string {
    return this.text(this.assumed, this.onceBegun(this.asserted));
  }

  /** A register that takes a value when a condition holds. */
  protected latched(bits: number, when: string, text: string): string {
    const name = this.reg(bits);
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

  /** The command of the client that is served. */
  protected commanded(of: (k: number) => string): string {
    return this.clients.reduceRight(
      (rest, _, k) => `${this.at(`${this.channel}_pick`, k)} ? ${of(k)} : ${rest}`,
      of(0),
    );
  }

  protected beatsOf(k: number): string {
    const { beats, burst } = itemAt(this.clients, k);
    return burst === undefined ? `9'd${beats}` : this.signal(k, "beats");
  }
}
