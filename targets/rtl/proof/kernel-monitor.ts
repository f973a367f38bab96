/** Common parts of monitors of a kernel's control: counts of iterations and words, and whose turn it is. */
import { entryOf } from "../../../core/checked/access.ts";
import type { Event } from "../../../core/hw/binding/process.ts";
import type { KernelModule, ProcessSignals } from "../verilog/pipeline/kernel-module.ts";
import { Monitor, unusedStart } from "./monitor.ts";

/** Width of the monitors' counters. */
export const WIDE = 16;

export abstract class KernelMonitor extends Monitor {
  protected readonly kernel: KernelModule;
  private readonly counters = new Map<string, string>();

  constructor(word: string, kernel: KernelModule) {
    super(unusedStart(word, kernel.text));
    // The first cycle is a reset.
    this.assumed.push(`${this.hasBegun} != rst`);
    this.kernel = kernel;
  }

  protected isStream(port: string): boolean {
    return this.kernel.streams.some(({ prefix }) => prefix === port);
  }

  protected of(event: Event): ProcessSignals {
    const holder = this.kernel.processes.find(({ process }) => process.when.has(event));
    if (!holder) throw new Error("no process does this");
    return holder;
  }

  protected when(event: Event): number {
    return entryOf(this.of(event).process.when, event);
  }

  /** A bit: the pipeline has started and was not left yet. */
  protected isTurn(pipeline: string): string {
    const [, code] =
      new RegExp(`assign ${pipeline}_start = fresh & \\(state == (\\S+)\\);`).exec(this.kernel.text) ?? [];
    if (code === undefined) throw new Error(`no state of ${pipeline}`);
    return `(state == ${code} & ~fresh)`;
  }

  /** One bit, zero-extended to a count. */
  protected one(signal: string): string {
    return `{${WIDE - 1}'d0, ${signal}}`;
  }

  /** An up/down counter that starts at reset. */
  protected counter(up: string, down: string): string {
    const name = this.reg(WIDE);
    this.clocked.push(`${name} <= rst ? ${WIDE}'d0 : ${name} + ${this.one(up)} - ${this.one(down)};`);
    return name;
  }

  /**
   * The number of set bits; the first is set by `enters`, each other one by the one before. Counts of the first one,
   * two, three and so on are added as invariants, each of which follows from the one before.
   */
  protected under(enters: string, bits: readonly string[]): string {
    const [first, ...more] = bits;
    if (first === undefined) return `${WIDE}'d0`;
    let count = this.counter(enters, first);
    this.asserted.push(`${count} == ${this.one(first)}`);
    for (const bit of more) {
      const longer = this.counter(enters, bit);
      this.asserted.push(`${longer} == ${count} + ${this.one(bit)}`);
      count = longer;
    }
    return count;
  }

  /** Number of iterations in cycles 1 to `last`. */
  protected underWay(s: ProcessSignals, last: number): string {
    const key = `${s.prefix} ${last}`;
    const known = this.counters.get(key);
    if (known !== undefined) return known;
    const counter = this.under(s.valid(0), this.stages(s, last));
    this.counters.set(key, counter);
    return counter;
  }

  /** Bits: whether there is an iteration in each of the cycles 1 to `last`. */
  protected stages({ valid }: ProcessSignals, last: number): string[] {
    return Array.from({ length: last }, (_, k) => valid(k + 1));
  }
}
