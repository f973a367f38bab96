/**
 * Proves what the single memory port writes: which words follow a command, and where each byte stored by a client is.
 * Elements are compared with what their client offered when its command was taken; words of bursts with what their
 * client delivered.
 */
import type { Client } from "../verilog/port/merge.ts";

import type { ModuleProperties } from "./monitor.ts";
import { PortMonitor, WIDE } from "./port-monitor.ts";

/** The last command taken. */
interface Command {
  /** Its words that are still to be accepted. */
  readonly due: string;
  readonly beats: string;
  /** One bit per client. */
  readonly owner: string;
}

const accepted = "(word_valid & word_ready)";
const stored = "{word_strobe, word}";

export class PortWords extends PortMonitor {
  make(): ModuleProperties {
    const { ported, clients } = this;
    const command = this.command();
    this.waiting();
    this.claimTransfers(command);
    clients.forEach((client, k) => {
      if (client.burst === undefined) this.element(command, client, k);
    });
    const { dataBits } = ported.native;
    return {
      module: ported.name,
      part: `${ported.name}: words that are written`,
      sizes: `of ${clients.length}, ${dataBits} bits`,
      claims: [
        "a command's words follow it, as many as it has beats, before there is another one; each stays until it is accepted",
        "each byte that is stored goes out once, with its value, in its own place; others have no strobe",
      ],
      text: this.claimed(),
      steps: 16,
    };
  }

  private get lanes(): number {
    return this.ported.native.dataBits / 8;
  }

  private get inBursts(): boolean {
    return this.clients.some(({ burst }) => burst !== undefined);
  }

  private command(): Command {
    const { clients, grants, inBursts } = this;
    const n = clients.length;
    const requested = `{${WIDE}'d0, ${this.commanded((k) => this.beatsOf(k))}}`;
    const due = this.reg(WIDE);
    this.clocked.push(
      `${due} <= rst ? ${WIDE}'d0 : ${grants} ? ${requested} : ${due} - {${WIDE - 1}'d0, ${accepted}};`,
    );
    const beats = this.latched(WIDE, grants, requested);
    const owner = this.latched(n, grants, "write_pick");
    const countsWords = /\breg (?:\[\d+:0\] )?word_left;/.test(this.ported.text);
    const behind = countsWords ? `{${WIDE}'d0, word_left}` : `${WIDE}'d0`;
    this.asserted.push(
      `~${grants} | ${due} == 0 | (${due} == 1 & ${accepted})`,
      `~word_valid | ${due} != 0`,
      inBursts
        ? `${due} == ${behind} + {${WIDE - 1}'d0, word_valid}`
        : `${due} == (word_valid ? ${behind} + ${WIDE}'d1 : ${WIDE}'d0)`,
      `${due} == 0 | (${due} <= ${beats} & ${beats} == write_beats)`,
      `${due} == 0 | (${owner} != 0 & (${owner} & (${owner} - ${n}'d1)) == 0)`,
      ...(inBursts ? [`${due} == 0 | word_of == ${owner}`] : []),
    );
    return { due, beats, owner };
  }

  private waiting(): void {
    const bits = this.ported.native.dataBits + this.lanes;
    const waits = this.reg(1);
    const before = this.reg(bits);
    this.clocked.push(`${waits} <= ~rst & word_valid & ~word_ready;`, `${before} <= ${stored};`);
    this.asserted.push(`~${waits}[0] | (word_valid & ${stored} == ${before})`);
  }

  /** Words of bursts come from the command's client and are passed on unchanged. */
  private claimTransfers({ due, owner }: Command): void {
    const { clients, lanes } = this;
    if (!this.inBursts) return;
    const takes = clients.flatMap(({ prefix, burst }, k) =>
      burst === undefined ? [] : [{ k, prefix, taken: `(${prefix}_word_valid & ${prefix}_word_ready)` }],
    );
    const elements = clients.flatMap(({ burst }, k) => (burst === undefined ? [`${owner}[${k}]`] : []));
    const element = elements.length > 0 ? `((${elements.join(" | ")}) & ${due} != 0)` : "1'b0";
    const full = this.reg(1);
    const lanesAndData = this.reg(this.ported.native.dataBits + lanes);
    const any = takes.map(({ taken }) => taken).join(" | ");
    this.clocked.push(`${full} <= ~rst & (${any} | ${full}[0] & ~${accepted});`);
    for (const { k, prefix, taken } of takes) {
      this.clocked.push(`if (${taken}) ${lanesAndData} <= {${prefix}_word_strobe, ${prefix}_word};`);
      this.asserted.push(
        `~${taken} | (${owner}[${k}] & ${due} > {${WIDE - 1}'d0, word_valid} & (~word_valid | word_ready))`,
      );
    }
    this.asserted.push(
      `${element} | word_valid == ${full}`,
      `${element} | ~word_valid | ${stored} == ${lanesAndData}`,
      `~${element} | (~${full}[0] & word_valid)`,
    );
  }

  /** An element's bytes are in the lanes of its address, or fill several words, the low ones first. */
  private element(
    { due, beats, owner }: Command,
    { prefix, bits, strobes, ...client }: Client,
    k: number,
  ): void {
    const { lanes, grants } = this;
    const { dataBits } = this.ported.native;
    const bytes = bits / 8;
    const isGranted = `(${grants} & ${this.at("write_pick", k)})`;
    const data = this.latched(bits, isGranted, `${prefix}_write_data`);
    const strobe = this.latched(bytes, isGranted, strobes ? `${prefix}_write_strobe` : `{${bytes}{1'b1}}`);
    const isOwner = `(word_valid & ${owner}[${k}])`;
    this.asserted.push(`~${isOwner} | ${beats} == ${client.beats}`);
    if (bytes < lanes) {
      const low = Math.log2(lanes);
      const address = this.signal(k, "address");
      const lane = this.latched(low, isGranted, `${address}[${low - 1}:0]`);
      // Elements are naturally aligned.
      if (bytes > 1)
        this.assumed.push(`~${this.signal(k, "valid")} | ${address}[${Math.log2(bytes) - 1}:0] == 0`);
      const shifted = this.wire(lanes, `{${lanes}'d0, ${strobe}} << ${lane}`);
      const element = this.wire(bits, `word >> {${lane}, 3'd0}`);
      this.asserted.push(`~${isOwner} | (word_strobe == ${shifted} & ${element} == ${data})`);
      return;
    }
    const number = this.wire(WIDE, `${beats} - ${due}`);
    const part = (of: string, size: number, j: number) =>
      this.wire(size, `${of} >> ((${number} + ${WIDE}'d${j}) * ${WIDE}'d${size})`);
    this.asserted.push(
      `~${isOwner} | (word == ${part(data, dataBits, 0)} & word_strobe == ${part(strobe, lanes, 0)})`,
    );
    const apart = /\bstrobe_rest;/.test(this.ported.text);
    // The remaining words of the element wait in the registers behind.
    for (let j = 1; j < client.beats; j++) {
      const then = `~(${isOwner} & ${due} > ${j})`;
      const rest = this.wire(dataBits, `word_rest >> ${(j - 1) * dataBits}`);
      this.asserted.push(`${then} | ${rest} == ${part(data, dataBits, j)}`);
      if (!apart) continue;
      const next = this.wire(lanes, `strobe_rest >> ${(j - 1) * lanes}`);
      this.asserted.push(`${then} | ${next} == ${part(strobe, lanes, j)}`);
    }
  }
}
