/** The ends of channels in a kernel: what its pipelines take from them, and the queues that they fill. */
import { firstOf } from "../../../../core/checked/access.ts";
import type { Send, Value } from "../../../../core/hw/dfg/value.ts";
import type { Module } from "../text/module.ts";
import { disjunction, range, resized, zeros } from "../text/text.ts";
import { inputName, type PipelineText, type Placed } from "./pipeline.ts";

/** An end of a channel: `_valid`, `_data` and `_ready` after the prefix. */
export interface ChannelPort {
  readonly channel: string;
  readonly prefix: string;
  readonly bits: number;
  /** At the sending end: its depth in values. */
  readonly depth: number;
}

/** The uses of a channel by a kernel's pipelines. */
interface ChannelUse extends ChannelPort {
  /** Conditions: an iteration enters that takes from it, or may send to it. */
  readonly enters: string[];
  /** Conditions: an iteration does not send although it could have. */
  readonly skips: string[];
  /** When a value is sent, and which. */
  readonly pushes: (readonly [condition: string, data: string])[];
}

export class Channels {
  private readonly module: Module;
  private readonly depths: ReadonlyMap<string, number>;
  private readonly sendsOf = new Map<string, ChannelUse>();
  private readonly receivesOf = new Map<string, ChannelUse>();

  /** `depths`: depths of the channels that the kernel fills. */
  constructor(module: Module, depths: ReadonlyMap<string, number>) {
    this.module = module;
    this.depths = depths;
  }

  get sends(): readonly ChannelPort[] {
    return [...this.sendsOf.values()];
  }

  get receives(): readonly ChannelPort[] {
    return [...this.receivesOf.values()];
  }

  /** To be called when all pipelines have registered their uses. */
  finish(): void {
    for (const use of this.receivesOf.values())
      this.module.assign(`${use.prefix}_ready`, disjunction(use.enters));
    for (const use of this.sendsOf.values()) this.sending(use);
  }

  private receiving(value: Value): ChannelUse {
    const channel = value.channel as string;
    const known = this.receivesOf.get(channel);
    if (known) return known;
    const use = this.channel(channel, value.shape.bits, "input");
    this.receivesOf.set(channel, use);
    return use;
  }

  private channel(channel: string, bits: number, towards: "input" | "output"): ChannelUse {
    const prefix = this.module.names.unique(channel);
    this.module.names.reserve(["full", "flight", "queue"].map((n) => `${prefix}_${n}`));
    const back = towards === "input" ? "output" : "input";
    this.module.port({ direction: towards, bits: 1, name: `${prefix}_valid` });
    this.module.port({ direction: towards, bits, name: `${prefix}_data` });
    this.module.port({ direction: back, bits: 1, name: `${prefix}_ready` });
    const depth = 2 ** Math.ceil(Math.log2(Math.max(2, this.depths.get(channel) ?? 2)));
    return { channel, prefix, bits, enters: [], skips: [], pushes: [], depth };
  }

  receive({ scheduled, widths }: PipelineText, to: Placed, value: Value): void {
    const { module } = this;
    const use = this.receiving(value);
    const inputPrefix = `${to.prefix}_${inputName(scheduled, value)}`;
    const { bits } = widths.of(value);
    module.declare(`wire ${range(bits)}${inputPrefix};`);
    module.assign(inputPrefix, resized(`${use.prefix}_data`, { bits: use.bits, signed: false }, bits));
    module.leave(`${use.prefix}_data`, bits, use.bits);
    const guard = firstOf(value.args);
    const requested = guard.op === "const" ? undefined : to.text.operand(guard, 0, 1);
    use.enters.push(requested === undefined ? `${to.prefix}_enter` : `(${to.prefix}_enter & ${requested})`);
    to.ready.push(requested === undefined ? `${use.prefix}_valid` : `(${use.prefix}_valid | ~${requested})`);
  }

  send(from: Placed, send: Send): void {
    const { bits } = send.data.shape;
    const use = this.sendsOf.get(send.channel) ?? this.channel(send.channel, bits, "output");
    this.sendsOf.set(send.channel, use);
    const cycle = from.text.when(send);
    use.enters.push(`${from.prefix}_enter`);
    const always = send.guard.op === "const";
    const valid = from.text.valid(cycle);
    const guard = from.text.operand(send.guard, cycle, 1);
    use.pushes.push([always ? valid : `(${valid} & ${guard})`, from.text.operand(send.data, cycle, bits)]);
    if (!always) use.skips.push(`(${valid} & ~${guard})`);
    from.ready.push(`~${use.prefix}_full`);
  }

  /** A channel's queue is at its sending end: iterations enter while there is space for their values. */
  private sending({ prefix, bits, enters, skips, pushes, depth }: ChannelUse): void {
    const { module } = this;
    const log2 = Math.log2(depth);
    module.declare(`wire ${prefix}_full;`);
    module.declare(`reg ${range(log2 + 1)}${prefix}_flight;`);
    const one = (signal: string) => `{${zeros(log2)}, ${signal}}`;
    const enter = disjunction(enters);
    const accepted = `${prefix}_valid & ${prefix}_ready`;
    module.assign(`${prefix}_full`, `${prefix}_flight[${log2}]`);
    module.always([
      `if (rst) ${prefix}_flight <= ${zeros(log2 + 1)};`,
      `else ${prefix}_flight <= ${prefix}_flight + ${one(enter)} - ${one(accepted)}${skips.length > 0 ? ` - ${one(disjunction(skips))}` : ""};`,
    ]);
    const selectedData = pushes
      .slice(1)
      .reduce((rest, [condition, data]) => `(${condition}) ? ${data} : ${rest}`, pushes[0]?.[1] ?? "");
    module.instance("arc_fifo", { WIDTH: bits, LOG2: log2 }, `${prefix}_queue`, {
      clk: "clk",
      rst: "rst",
      push: disjunction(pushes.map(([condition]) => condition)),
      in: selectedData,
      pop: accepted,
      out: `${prefix}_data`,
      valid: `${prefix}_valid`,
    });
  }
}
