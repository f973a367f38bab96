/**
 * Proves when a kernel sends commands to its streams: one begins when the previous one through the same port has ended.
 * By then all requested elements were taken, or all stored words were answered, as the address generators require; in
 * return, these accept the command at once. Each proof assumes of a cycle only what the other proved about earlier
 * cycles, so both hold together.
 *
 * A generator never delivers more than was requested. That a loop does not end before everything is taken depends on
 * the dataflow graph in which the stream was found: iterations take as many elements as the command requests.
 */

import type { KernelModule, ProcessSignals } from "../verilog/pipeline/kernel-module.ts";
import type { StreamPort } from "../verilog/pipeline/pipeline.ts";
import { portOf } from "./instances.ts";
import { KernelMonitor, WIDE } from "./kernel-monitor.ts";
import type { ModuleProperties } from "./monitor.ts";

export function streamTurnProperties(kernel: KernelModule): readonly ModuleProperties[] {
  return kernel.streams.length > 0 ? [new StreamTurns(kernel).make()] : [];
}

class StreamTurns extends KernelMonitor {
  private readonly provided = new Set<string>();

  constructor(kernel: KernelModule) {
    super("stream", kernel);
  }

  make(): ModuleProperties {
    const { kernel } = this;
    for (const s of kernel.processes)
      for (const busy of [`${s.prefix}_running`, ...this.stages(s, s.process.depth)])
        this.asserted.push(`~${busy} | ${this.isTurn(s.scheduled.pipeline.name)}`);
    for (const stream of kernel.streams)
      if (stream.direction === "read") this.readStream(stream);
      else this.writeStream(stream);
    return {
      module: kernel.name,
      part: `${kernel.name}: streams`,
      sizes: `${kernel.streams.length} streams`,
      claims: [
        "a stream is commanded when the one before through its port has ended: all its elements were taken, or all its words answered",
      ],
      provided: [...this.provided].join("; "),
      text: this.text(this.assumed, this.onceBegun(this.asserted)),
      steps: 24,
    };
  }

  /** The process that takes or produces a stream's elements. */
  private processOf(prefix: string): ProcessSignals {
    const { processes, reads, writes } = this.kernel;
    const load = reads.find((read) => read.prefix === prefix)?.load;
    const [store] = writes.find((write) => write.prefix === prefix)?.port.stores ?? [];
    if (store) return this.of(store);
    const takes = load && processes.find(({ process }) => process.inputs.includes(load));
    if (!takes) throw new Error(`no process takes ${prefix}`);
    return takes;
  }

  private readStream({ prefix, beatsBits, word }: StreamPort): void {
    const s = this.processOf(prefix);
    const { name } = s.scheduled.pipeline;
    const command = `${prefix}_command_valid`;
    const bits = beatsBits + 2;
    const beats = `{2'd0, ${prefix}_command_beats}`;
    const commanded = this.wire(
      bits,
      word === undefined
        ? beats
        : `${beats} == 0 ? ${bits}'d0 : ((${beats} + ${bits}'d${word.lead + word.lanes - 1}) >> ${Math.log2(word.lanes)})`,
    );
    const due = this.reg(bits);
    const takes = `(${prefix}_data_valid & ${prefix}_data_ready)`;
    this.clocked.push(
      `${due} <= rst ? ${bits}'d0 : ${command} & ${prefix}_command_ready ? ${commanded} : ${due} - {${bits - 1}'d0, ${takes}};`,
    );
    const tests = [`${s.prefix}_running`, ...(s.scheduled.ii > 1 ? [`${s.prefix}_slot`] : [])].join(" & ");
    this.assumed.push(
      `~${command} | ${prefix}_command_ready`,
      `~${prefix}_data_valid | ${due} != 0`,
      `~(${tests} & ~${s.prefix}_more) | (${due} == 0 & (~${command} | ${commanded} == 0))`,
    );
    this.provided.add(
      "generators take a command at once where the stream before has ended, and offer no more than was commanded",
    );
    this.provided.add("a loop wants as many elements as its command names, as found in its graph");
    this.asserted.push(
      `~${command} | ${due} == 0`,
      `(${due} == 0 & ~${command}) | (${this.isTurn(name)} & ${s.prefix}_running)`,
    );
  }

  private writeStream({ prefix }: StreamPort): void {
    const s = this.processOf(prefix);
    const hasTurn = this.isTurn(s.scheduled.pipeline.name);
    const command = `${prefix}_command_valid`;
    const accepted = `(${prefix}_word_valid & ${prefix}_word_ready)`;
    const waiting = this.counter(portOf(`${prefix}_words`, "push"), accepted);
    const settled = this.before(1, `rst | ${prefix}_settled & ~${accepted}`);
    this.assumed.push(
      `~${command} | ${prefix}_command_ready`,
      `~${prefix}_word_valid | ${waiting} != 0`,
      `${waiting} <= {${WIDE}'d0, ${prefix}_flight}`,
      `~${this.hasBegun} | ~${settled}[0] | ${prefix}_settled`,
    );
    this.provided.add("queues keep to their claims, and credits count what they stand for");
    this.provided.add("a stream is settled until a word is taken, and again when all are answered");
    const hasEnded = `(${prefix}_settled & ${prefix}_flight == 0 & ~${prefix}_word_valid)`;
    this.asserted.push(`~${command} | ${hasEnded}`, `(${hasEnded} & ~${command}) | ${hasTurn}`);
    if (!this.kernel.ports.some(({ name }) => name === `${prefix}_ended`)) return;
    const was = this.before(1, `~rst & ${prefix}_ended`);
    this.asserted.push(
      `~${was}[0] | ${prefix}_ended | ${command}`,
      `~${prefix}_ended | ~${prefix}_word_valid`,
    );
  }
}
