/**
 * Proves the AXI4 manager around the single memory port: the rules of AXI for managers (Arm IHI 0022, A3 and A5),
 * assuming what is proved about the port.
 */
import type { AxiKernel } from "../verilog/board/axi.ts";
import type { PortedKernel } from "../verilog/port/port.ts";
import { MOST_BEATS, PAGE } from "./arbiters.ts";
import { type ModuleProperties, Monitor } from "./monitor.ts";

/** Bits of word counters. */
const WIDE = 10;

export function axiProperties(axi: AxiKernel, ported: PortedKernel): ModuleProperties {
  return new Manager(axi, ported).make();
}

class Manager extends Monitor {
  private readonly axi: AxiKernel;
  private readonly ported: PortedKernel;

  constructor(axi: AxiKernel, ported: PortedKernel) {
    super("seen");
    this.axi = axi;
    this.ported = ported;
  }

  make(): ModuleProperties {
    const { axi, ported } = this;
    this.command("ar", "read", ported.reads);
    this.command("aw", "write", ported.writes);
    if (ported.writes) this.words();
    else this.asserted.push("~m_axi_wvalid");
    this.answers();
    return {
      module: axi.name,
      part: `${axi.name}: AXI4`,
      sizes: `${axi.dataBits} bits`,
      claims: [
        "VALID of a command and of a word stays until READY, and all that goes with it stays as it is",
        `bursts are INCR of whole words, ${MOST_BEATS} at most, and none crosses ${PAGE / 1024} KB`,
        "WLAST comes with the last word of its command and with no other",
        "words and responses that are accepted reach the port, each once; `error` is the first that was one",
      ],
      provided: "the memory port keeps to its claims",
      text: this.text(
        [`${this.hasBegun} != rst`, ...this.onceBegun(this.assumed)],
        this.onceBegun(this.asserted),
      ),
      steps: 16,
    };
  }

  /** A bit: what waited in the previous cycle still waits, unchanged. */
  private stays(valid: string, ready: string, parts: readonly string[]): { when: string; holds: string } {
    const all = `{${parts.join(", ")}}`;
    const waits = this.before(1, `~rst & ${valid} & ~${ready}`);
    const was = this.before(512, all);
    return { when: `${waits}[0]`, holds: `(${valid} & {512'd0, ${all}} == {512'd0, ${was}})` };
  }

  private command(channel: "ar" | "aw", from: "read" | "write", exists: boolean): void {
    const m = (what: string) => `m_axi_${channel}${what}`;
    if (!exists) {
      this.asserted.push(`~${m("valid")}`);
      return;
    }
    const bytes = this.axi.dataBits / 8;
    const low = Math.log2(bytes);
    const beats = `${from}_beats`;
    const inner = this.stays(`${from}_valid`, `${from}_ready`, [`${from}_address`, beats]);
    const page = Math.log2(PAGE) - 1;
    const place = (address: string) => `{${WIDE}'d0, ${address}[${page}:${low}]}`;
    this.assumed.push(
      `~${inner.when} | ${inner.holds}`,
      `~${from}_valid | (${beats} != 0 & ${beats} <= ${MOST_BEATS} & ${place(`${from}_address`)} + {${WIDE}'d0, ${beats}} <= ${PAGE / bytes})`,
      ...(low > 0 ? [`~${from}_valid | ${from}_address[${low - 1}:0] == 0`] : []),
    );
    const payload = ["id", "addr", "len", "size", "burst", "lock", "cache", "prot", "qos"].map(m);
    const outer = this.stays(m("valid"), m("ready"), payload);
    this.asserted.push(
      `~${outer.when} | ${outer.holds}`,
      `${m("valid")} == ${from}_valid & ${m("ready")} == ${from}_ready`,
      `~${m("valid")} | (${m("burst")} == 2'b01 & (1 << ${m("size")}) == ${bytes})`,
      `~${m("valid")} | (${m("addr")} == ${from}_address & {2'd0, ${m("len")}} + 10'd1 == {1'b0, ${beats}})`,
      `~${m("valid")} | ${place(m("addr"))} + {${WIDE}'d0, ${m("len")}} < ${PAGE / bytes}`,
    );
  }

  /** All words of a command come before the next command. */
  private words(): void {
    const waits = this.before(1, "~rst & write_valid & ~write_ready");
    const begins = `(write_valid & ~${waits}[0])`;
    const accepted = `{${WIDE - 1}'d0, word_valid & word_ready}`;
    const [left, beats] = [this.reg(WIDE), this.reg(WIDE)];
    const due = this.wire(WIDE, `${begins} ? {1'b0, write_beats} : ${left}`);
    const all = this.wire(WIDE, `${begins} ? {1'b0, write_beats} : ${beats}`);
    this.clocked.push(`${left} <= rst ? ${WIDE}'d0 : ${due} - ${accepted};`, `${beats} <= ${all};`);
    const inner = this.stays("word_valid", "word_ready", ["word", "word_strobe"]);
    this.assumed.push(
      `~${begins} | ${left} == 0`,
      `~word_valid | ${due} != 0`,
      `${due} == 0 | {1'b0, write_beats} == ${all}`,
      `${due} <= ${all} & ${all} <= ${MOST_BEATS}`,
      `~${inner.when} | ${inner.holds}`,
    );
    const outer = this.stays("m_axi_wvalid", "m_axi_wready", ["m_axi_wdata", "m_axi_wstrb", "m_axi_wlast"]);
    this.asserted.push(
      `~${outer.when} | ${outer.holds}`,
      "m_axi_wvalid == word_valid & m_axi_wready == word_ready",
      "~m_axi_wvalid | {m_axi_wdata, m_axi_wstrb} == {word, word_strobe}",
      `~m_axi_wvalid | m_axi_wlast == (${due} == 1)`,
      `{1'b0, beat} == (${due} == 0 ? ${WIDE}'d0 : ${all} - ${due})`,
    );
  }

  private answers(): void {
    const { reads, writes } = this.ported;
    const bad: string[] = [];
    const pairs = [
      ["r", "data", reads],
      ["b", "response", writes],
    ] as const;
    for (const [channel, to, exists] of pairs) {
      const accepted = `(m_axi_${channel}valid & m_axi_${channel}ready)`;
      if (!exists) this.asserted.push(`~m_axi_${channel}ready`);
      else {
        this.asserted.push(`${accepted} == (${to}_valid & ${to}_ready)`);
        bad.push(`(${accepted} & m_axi_${channel}resp[1])`);
      }
    }
    if (reads) this.asserted.push("~data_valid | data == m_axi_rdata");
    const any = `(${bad.length > 0 ? bad.join(" | ") : "1'b0"})`;
    const [first] = bad;
    const response =
      bad.length > 1 ? `(${first} ? m_axi_rresp : m_axi_bresp)` : `m_axi_${reads ? "r" : "b"}resp`;
    const [failed, code] = [this.reg(1), this.reg(2)];
    this.clocked.push(
      `${failed} <= ~(rst | start) & (${failed} | ${any});`,
      `if (~${failed}) ${code} <= ${bad.length > 0 ? response : "2'd0"};`,
    );
    this.asserted.push(`error == (${failed} ? ${code} : 2'd0)`, `~${failed} | ${code}[1]`);
  }
}
