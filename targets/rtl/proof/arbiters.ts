/**
 * Proves the single memory port: which client is granted, what becomes of its command, and who gets the answer. One
 * arbitrary command is followed (Wolper). The queue's own proof shows that its entry for the command is there when the
 * answer comes; from that follows who gets the answer.
 */
import type { PortedKernel } from "../verilog/port/port.ts";
import { connectionsOf, moduleText, portOf } from "./instances.ts";

import type { ModuleProperties } from "./monitor.ts";
import { PortMonitor, WIDE } from "./port-monitor.ts";
import { PortWords } from "./port-words.ts";

/** AXI4's limits of a burst: number of words, and the size of pages that it must not cross. */
export const MOST_BEATS = 256;
export const PAGE = 4096;

export function arbiterProperties(ported: PortedKernel): readonly ModuleProperties[] {
  const { readers, writers } = ported;
  return [
    ...(readers.length > 0 ? [new Arbiter(ported, "read", readers).make()] : []),
    ...(writers.length > 0
      ? [new Arbiter(ported, "write", writers).make(), new PortWords(ported, "write", writers).make()]
      : []),
  ];
}

class Arbiter extends PortMonitor {
  make(): ModuleProperties {
    const { ported, channel, clients } = this;
    const n = clients.length;
    const queued =
      connectionsOf(moduleText(ported.text, ported.name) ?? "", `${channel}_orders`) !== undefined;
    this.granted();
    if (n > 1) this.fair();
    this.commands();
    this.bounded(queued);
    if (queued) this.answers();
    return {
      module: ported.name,
      part: `${ported.name}: ${channel === "read" ? "reads" : "writes"}`,
      sizes: `${n} who ask, ${ported.native.dataBits} bits, ${ported.native.outstanding} under way`,
      claims: [
        "each command that is taken goes to memory once, with its own address and beats, and stays until it is accepted",
        `no command is for more than ${MOST_BEATS} words, or crosses ${PAGE / 1024} KB`,
        `no more than ${ported.native.outstanding} are under way`,
        ...(n > 1 ? [`who goes on asking waits for ${n - 1} others at most`] : []),
        ...(queued
          ? ["each answer goes to the one who asked, in the order of the commands, and to no other"]
          : []),
        ...(channel === "read" && this.isNarrow()
          ? ["an element is taken from its own bytes of the word"]
          : []),
      ],
      provided: [
        ...(queued ? ["the queue of orders keeps to its claims"] : []),
        ...(clients.some(({ burst }) => burst !== undefined) ? ["bursts keep to blocks"] : []),
        "memory answers what was asked, in order",
      ].join("; "),
      text: this.claimed(),
      steps: 16,
    };
  }

  private isNarrow(): boolean {
    return this.clients.some(({ bits }) => bits < this.ported.native.dataBits);
  }

  /** Grants one requesting client at a time, and tells it so. */
  private granted(): void {
    const { channel, clients } = this;
    const n = clients.length;
    const pick = `${channel}_pick`;
    this.asserted.push(`(${pick} & (${pick} - ${n}'d1)) == ${n}'d0`);
    this.asserted.push(`(|${pick}) == ${channel}_any`);
    clients.forEach((_, k) => {
      const transferred = `(${this.signal(k, "valid")} & ${this.signal(k, "ready")})`;
      this.asserted.push(`${transferred} == (${this.grants} & ${this.at(pick, k)})`);
      this.asserted.push(`~${this.at(pick, k)} | ${this.signal(k, "valid")}`);
    });
  }

  /**
   * Fairness: the last granted client is known; at most as many grants as there are clients between may come before.
   */
  private fair(): void {
    const { channel, clients } = this;
    const n = clients.length;
    const grantRegister = `${channel}_turn`;
    this.asserted.push(`(~${grantRegister} & (~${grantRegister} + ${n}'d1)) == ${n}'d0`);
    const population = (signal: string, bits: number) =>
      [`${WIDE}'d0`, ...Array.from({ length: bits }, (_, b) => `{${WIDE - 1}'d0, ${signal}[${b}]}`)].join(
        " + ",
      );
    const all = this.wire(WIDE, population(grantRegister, n));
    clients.forEach((_, k) => {
      const waits = this.reg(WIDE);
      const served = `(${this.grants} & ${channel}_pick[${k}])`;
      this.clocked.push(
        `${waits} <= rst | ~${this.signal(k, "valid")} | ${served} ? ${WIDE}'d0 : ${waits} + {${WIDE - 1}'d0, ${this.grants}};`,
      );
      const between = this.wire(
        WIDE,
        `${grantRegister}[${k}] ? ${population(grantRegister, k)} : ${all} + ${WIDE}'d${k}`,
      );
      this.asserted.push(`~${this.signal(k, "valid")} | ${waits} + ${between} <= ${n - 1}`);
      this.asserted.push(`${waits} <= ${n - 1}`);
      // Valid-ready protocol: a request stays until it is served.
      const wasRequested = this.reg(1);
      this.clocked.push(`${wasRequested} <= ~rst & ${this.signal(k, "valid")} & ~${served};`);
      this.assumed.push(`~${wasRequested}[0] | ${this.signal(k, "valid")}`);
    });
  }

  private commands(): void {
    const { channel, clients } = this;
    const { addressBits, dataBits } = this.ported.native;
    const low = Math.log2(dataBits / 8);
    const isPresent = this.reg(1);
    const word = (k: number) =>
      low === 0
        ? this.signal(k, "address")
        : `{${this.signal(k, "address")}[${addressBits - 1}:${low}], ${low}'d0}`;
    clients.forEach(({ burst }, k) => {
      if (burst === undefined) return;
      const requestedBeats = this.signal(k, "beats");
      this.assumed.push(
        `~${this.signal(k, "valid")} | (${requestedBeats} != 0 & ${requestedBeats} <= ${burst})`,
      );
    });
    const address = this.latched(addressBits, this.grants, this.commanded(word));
    const beats = this.latched(
      9,
      this.grants,
      this.commanded((k) => this.beatsOf(k)),
    );
    this.clocked.push(`${isPresent} <= ~rst & (${this.grants} | ${isPresent} & ~${channel}_ready);`);
    this.asserted.push(
      `${channel}_valid == ${isPresent}`,
      `~${channel}_valid | ${channel}_address == ${address} & ${channel}_beats == ${beats}`,
      `~(${this.grants} & ${channel}_valid) | ${channel}_ready`,
    );
  }

  /** The bytes of a command lie in one page; `address` is that of a word. */
  private inPage(address: string, beats: string): string {
    const { dataBits } = this.ported.native;
    const low = Math.log2(dataBits / 8);
    const place = `{12'd0, ${address}[${Math.log2(PAGE) - 1}:${low}]}`;
    return `(${beats} != 0 & ${beats} <= ${MOST_BEATS} & ${place} + {12'd0, ${beats}} <= ${PAGE / (dataBits / 8)})`;
  }

  private bounded(queued: boolean): void {
    const { channel, clients } = this;
    const { addressBits, outstanding } = this.ported.native;
    clients.forEach(({ bits, beats, burst }, k) => {
      const address = this.signal(k, "address");
      if (burst !== undefined)
        this.assumed.push(`~${this.signal(k, "valid")} | ${this.inPage(address, this.beatsOf(k))}`);
      else if (beats > 1)
        // Elements are naturally aligned.
        this.assumed.push(`~${this.signal(k, "valid")} | ${address}[${Math.log2(bits / 8) - 1}:0] == 0`);
    });
    const command = this.wire(addressBits, `${channel}_address`);
    this.asserted.push(`~${channel}_valid | ${this.inPage(command, `${channel}_beats`)}`);
    const under = this.reg(WIDE);
    const one = (signal: string) => `{${WIDE - 1}'d0, ${signal}}`;
    this.clocked.push(
      `${under} <= rst ? ${WIDE}'d0 : ${under} + ${one(this.grants)} - ${one(this.answered)};`,
    );
    const openCount = `{${WIDE}'d0, ${channel}_open}`;
    this.asserted.push(
      `${openCount} == ${under}`,
      `${openCount} <= ${outstanding}`,
      channel === "read"
        ? "data_taken == (data_valid & data_ready)"
        : `${this.answered} == (response_valid & response_ready)`,
    );
    if (!queued) this.assumed.push(`~${this.answered} | ${openCount} != 0`);
  }

  private get answered(): string {
    if (this.channel === "read") return "(data_taken & data_last)";
    return this.clients.length === 1 ? "response_valid" : "(response_valid & write_known)";
  }

  /** Follows a command until it is answered. */
  private answers(): void {
    const { channel, clients, answered } = this;
    const { dataBits, outstanding } = this.ported.native;
    const orders = `${channel}_orders`;
    const n = clients.length;
    this.declarations.push("(* keep *) wire turns_choose;");
    const [tagged, ahead] = [this.reg(1), this.reg(WIDE)];
    const low = Math.max(1, Math.log2(dataBits / 8));
    const follows = `(${this.grants} & turns_choose & ~${tagged}[0])`;
    const openCount = `{${WIDE}'d0, ${channel}_open}`;
    this.clocked.push(
      `if (rst) ${tagged} <= 1'b0; else if (${follows}) ${tagged} <= 1'b1; else if (${tagged}[0] & ${answered} & ${ahead} == 0) ${tagged} <= 1'b0;`,
      `if (${follows}) ${ahead} <= ${openCount} - {${WIDE - 1}'d0, ${answered}}; else if (${answered}) ${ahead} <= ${ahead} - ${WIDE}'d1;`,
    );
    const owner = this.latched(n, follows, `${channel}_pick`);
    const beats = this.latched(
      9,
      follows,
      this.commanded((k) => this.beatsOf(k)),
    );
    const lane = this.latched(
      low,
      follows,
      this.commanded((k) => `${this.signal(k, "address")}[${low - 1}:0]`),
    );
    const entry = this.latched(64, follows, portOf(orders, "in"));
    this.asserted.push(
      `~${this.grants} | ${openCount} < ${outstanding}`,
      `${portOf(orders, "push")} == ${this.grants}`,
      `${portOf(orders, "pop")} == ${answered}`,
      `~${tagged}[0] | ${ahead} < ${openCount}`,
    );
    // Assumptions about the queue, which has a proof of its own.
    this.assumed.push(
      `${channel}_known == (${channel}_open != 0)`,
      `~(${tagged}[0] & ${ahead} == 0) | {64'd0, ${channel}_order} == {64'd0, ${entry}}`,
    );
    this.remembered(tagged, entry, { owner, lane, beats });
    const its = `(${tagged}[0] & ${ahead} == 0)`;
    clients.forEach(({ prefix, bits, burst, beats: clientBeats }, k) => {
      const isOwner = n === 1 ? `${owner}[0]` : `${owner}[${k}]`;
      if (channel === "write") {
        this.asserted.push(`~(${its} & response_valid) | ${prefix}_write_done == ${isOwner}`);
        return;
      }
      const comes = burst === undefined ? "(data_taken & data_last)" : "data_taken";
      this.asserted.push(`~${its} | ${prefix}_data_valid == (${comes} & ${isOwner})`);
      if (bits > 8 && bits < dataBits) {
        // Elements are naturally aligned.
        const below = `[${Math.log2(bits / 8) - 1}:0]`;
        this.assumed.push(`~${this.signal(k, "valid")} | ${this.signal(k, "address")}${below} == 0`);
        this.asserted.push(`~(${tagged}[0] & ${isOwner}) | ${lane}${below} == 0`);
      }
      if (bits < dataBits) {
        const element = this.wire(bits, `data >> {${lane}, 3'd0}`);
        this.asserted.push(`~(${its} & ${isOwner} & data_taken) | ${prefix}_data == ${element}`);
      } else if (clientBeats === 1) this.asserted.push(`~(${its} & ${isOwner}) | ${prefix}_data == data`);
    });
    if (channel === "read") {
      const countsBeats = /\breg (?:\[\d+:0\] )?data_beat;/.test(this.ported.text);
      const beat = countsBeats ? "data_beat" : "1'd0";
      this.asserted.push(
        `~(${its} & data_taken) | data_last == ({9'd0, ${beat}} == {9'd0, ${beats}} - 18'd1)`,
      );
    }
  }

  /** What the queue stored for the followed command: its client, its place in the word, its beats. */
  private remembered(
    tagged: string,
    entry: string,
    { owner, lane, beats }: { readonly owner: string; readonly lane: string; readonly beats: string },
  ): void {
    const { clients, channel } = this;
    const n = clients.length;
    const reads = channel === "read";
    const longest = Math.max(...clients.map((c) => c.burst ?? c.beats));
    const beatBits =
      reads && clients.some(({ burst }) => burst !== undefined) ? Math.ceil(Math.log2(longest)) : 0;
    const laneBits = reads && this.isNarrow() ? Math.log2(this.ported.native.dataBits / 8) : 0;
    const bits = n === 1 ? 0 : Math.ceil(Math.log2(n));
    const is = (low: number, width: number, text: string) => {
      if (width === 0) return;
      const known = this.wire(width, text);
      this.asserted.push(`~${tagged}[0] | ${entry}[${low + width - 1}:${low}] == ${known}`);
    };
    const number = Array.from({ length: n }, (_, k) => `(${owner}[${k}] ? ${Math.max(1, bits)}'d${k} : 0)`);
    is(beatBits + laneBits, bits, number.join(" | "));
    is(beatBits, laneBits, lane);
    is(0, beatBits, `${beats} - 9'd1`);
    this.asserted.push(`~${tagged}[0] | (${owner} != 0 & (${owner} & (${owner} - ${n}'d1)) == 0)`);
    for (const [k, { beats: clientBeats, burst }] of clients.entries())
      this.asserted.push(
        `~(${tagged}[0] & ${owner}[${k}]) | ${burst === undefined ? `${beats} == ${clientBeats}` : `(${beats} != 0 & ${beats} <= ${burst})`}`,
      );
  }
}
