/** Local arrays in block RAM: as many copies as there are reads in one cycle; writes go to all copies. */

import { itemAt, lastOf } from "../../../../core/checked/access.ts";
import type { Ram, RamWrite, Value } from "../../../../core/hw/dfg/value.ts";
import type { Widths } from "../../../../core/hw/dfg/widths.ts";
import { addressBits } from "../../../../core/hw/frontend/block/rams.ts";
import type { Module } from "../text/module.ts";
import { conjunction, disjunction, literal, range, resized, zeros } from "../text/text.ts";

/** A user of a port, in the cycles in which `valid` is high: never two at a time. */
interface Reader {
  readonly valid: string;
  readonly address: string;
}

interface Writer extends Reader {
  readonly data: string;
}

interface Instance {
  readonly ram: Ram;
  readonly name: string;
  /** Readers by copy. */
  readonly readers: Reader[][];
  /** Number of used bits. */
  readonly looked: number[];
  readonly writers: Writer[];
}

/** What a write needs of the process that writes. */
interface WritingProcess {
  when(write: RamWrite): number;
  /** High when an iteration is in the cycle. */
  valid(cycle: number): string;
  /** A value's low bits in a cycle. */
  operand(value: Value, cycle: number, bits: number): string;
}

export class LocalRams {
  private readonly module: Module;
  private readonly widths: Widths;
  private readonly instances = new Map<Ram, Instance>();

  constructor(module: Module, widths: Widths) {
    this.module = module;
    this.widths = widths;
  }

  private of(ram: Ram): Instance {
    const known = this.instances.get(ram);
    if (known) return known;
    const instance = {
      ram,
      name: this.module.names.unique(`${ram.name}_ram`),
      readers: [],
      looked: [],
      writers: [],
    };
    this.instances.set(ram, instance);
    return instance;
  }

  /** Prefix of the names of a memory's signals. */
  nameOf(ram: Ram): string {
    return this.of(ram).name;
  }

  /** The low bits of a word, in the cycle after that in which `valid` is high. */
  read(ram: Ram, copy: number, reader: Reader, bits: number): string {
    const { name, readers, looked } = this.of(ram);
    readers[copy] = [...(readers[copy] ?? []), reader];
    looked[copy] = Math.max(bits, looked[copy] ?? 0);
    return resized(`${name}${copy}_word`, this.widths.ofVariable(ram.cell), bits);
  }

  write(write: RamWrite, text: WritingProcess): void {
    const { ram, address, data, guard } = write;
    const cycle = text.when(write);
    const { bits } = this.widths.ofVariable(ram.cell);
    const always = guard.op === "const";
    this.of(ram).writers.push({
      valid: conjunction([text.valid(cycle), ...(always ? [] : [text.operand(guard, cycle, 1)])]),
      address: text.operand(address, cycle, addressBits(ram)),
      data: text.operand(data, cycle, bits),
    });
  }

  /** Writes the memories, after all users are registered. */
  finish(): void {
    for (const instance of this.instances.values()) {
      const { bits } = this.widths.ofVariable(instance.ram.cell);
      const copies = instance.readers.map((readers, copy) => {
        const name = `${instance.name}${copy}`;
        this.module.declare(`wire ${range(addressBits(instance.ram))}${name}_from;`);
        this.module.declare(`${instance.ram.contents ? "reg" : "wire"} ${range(bits)}${name}_word;`);
        this.module.assign(
          `${name}_from`,
          selectUser(readers, ({ address }) => address),
        );
        this.module.leave(`${name}_word`, itemAt(instance.looked, copy), bits);
        this.module.placed(`${name}_word`, instance.ram.loc);
        return name;
      });
      if (instance.ram.contents) this.table(instance, copies, instance.ram.contents, bits);
      else this.memories(instance, copies, bits);
    }
  }

  private memories({ ram, name, writers }: Instance, copies: readonly string[], bits: number): void {
    const { module } = this;
    const log2 = addressBits(ram);
    for (const [signal, width, text] of [
      ["write", 1, disjunction(writers.map(({ valid }) => `(${valid})`))],
      ["to", log2, selectUser(writers, ({ address }) => address, zeros(log2))],
      ["in", bits, selectUser(writers, ({ data }) => data, zeros(bits))],
    ] as const) {
      module.declare(`wire ${range(width)}${name}_${signal};`);
      module.assign(`${name}_${signal}`, text);
    }
    for (const copy of copies)
      module.instance("arc_ram", { WIDTH: bits, WORDS: ram.words, LOG2: log2 }, copy, {
        clk: "clk",
        write: `${name}_write`,
        to: `${name}_to`,
        in: `${name}_in`,
        from: `${copy}_from`,
        out: `${copy}_word`,
      });
  }

  /** An array that is never written is part of the configuration. */
  private table({ ram }: Instance, copies: readonly string[], words: readonly bigint[], bits: number): void {
    const { module } = this;
    for (const copy of copies) {
      module.declare(`reg ${range(bits)}${copy} [0:${ram.words - 1}];`);
      module.initial(words.map((word, k) => `${copy}[${k}] = ${literal(word, bits)};`));
      module.always([`${copy}_word <= ${copy}[${copy}_from];`]);
    }
  }
}

/** Selects the user whose cycle it is; arbitrary if there is none. */
function selectUser<T extends Reader>(users: readonly T[], signalOf: (user: T) => string, none = ""): string {
  if (users.length === 0) return none;
  return users
    .slice(0, -1)
    .reduceRight((rest, user) => `(${user.valid}) ? ${signalOf(user)} : ${rest}`, signalOf(lastOf(users)));
}
