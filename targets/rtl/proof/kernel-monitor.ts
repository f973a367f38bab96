/** What monitors of a kernel's control have in common: counts of iterations and words, and whose turn it is. */
import type { Event } from "../../../core/hw/binding/process.ts";
import type { KernelModule, ProcessSignals } from "../verilog/pipeline/kernel-module.ts";
import { Monitor, unusedStart } from "./monitor.ts";

/** Bits of the counts beside the kernel's own. */
export const WIDE = 16;

export abstract class KernelMonitor extends Monitor {
  protected readonly kernel: KernelModule;
  private readonly counted = new Map<string, string>();

  constructor(word: string, kernel: KernelModule) {
    super(unusedStart(word, kernel.text));
    // The first cycle is one of reset.
    this.assumed.push(`${this.begun} != rst`);
    this.kernel = kernel;
  }

  protected isStream(port: string): boolean {
    return this.kernel.streams.some(({ prefix }) => prefix === port);
  }

  protected of(what: Event): ProcessSignals {
    const found = this.kernel.processes.find(({ process }) => process.when.has(what));
    if (!found) throw new Error("no process does this");
    return found;
  }

  protected when(what: Event): number {
    return this.of(what).process.when.get(what) as number;
  }

  /** A bit: the pipeline has started and is not yet left. */
  protected isTurn(pipeline: string): string {
    const [, code] =
      new RegExp(`assign ${pipeline}_start = fresh & \\(state == (\\S+)\\);`).exec(this.kernel.text) ?? [];
    if (code === undefined) throw new Error(`no state of ${pipeline}`);
    return `(state == ${code} & ~fresh)`;
  }

  /** One bit as a count. */
  protected one(signal: string): string {
    return `{${WIDE - 1}'d0, ${signal}}`;
  }

  /** Counts one thing up and down from reset on. */
  protected counter(up: string, down: string): string {
    const name = this.reg(WIDE);
    this.clocked.push(`${name} <= rst ? ${WIDE}'d0 : ${name} + ${this.one(up)} - ${this.one(down)};`);
    return name;
  }

  /**
   * How many of these bits are set, the first of which comes to be by `enters` and each other one by the one before.
   * Counts of the first one, two, three of them are what the next follows from.
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

  /** Iterations in cycles 1 to `last`. */
  protected underWay(s: ProcessSignals, last: number): string {
    const key = `${s.prefix} ${last}`;
    const known = this.counted.get(key);
    if (known !== undefined) return known;
    const made = this.under(s.valid(0), this.stages(s, last));
    this.counted.set(key, made);
    return made;
  }

  /** Bits: there is an iteration in each of the cycles 1 to `last`. */
  protected stages({ valid }: ProcessSignals, last: number): string[] {
    return Array.from({ length: last }, (_, k) => valid(k + 1));
  }
}
