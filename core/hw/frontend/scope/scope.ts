/** Where the kernel's variables are stored: registers, groups of registers, block RAM, delay lines. */
import { usesOf } from "../../../ir/analysis/access.ts";
import { canonical, isPointer } from "../../../lang/index.ts";
import type { CType, Loc, Symbol } from "../../../lang/tree/ast.ts";
import { binary32, floatShape } from "../../dfg/float-format.ts";
import { NotStraight, Unsupported, WHOLE_ADDRESS } from "../../dfg/region.ts";
import { shapeOf } from "../../dfg/shapes.ts";
import { type Ram, type Shape, sameShape, type Variable } from "../../dfg/value.ts";
import type { LinearForm } from "../../linear/form.ts";
import { extentsOf, innermost, product } from "./extents.ts";
import type { PointerRoots } from "./roots.ts";
import type { KernelSignature } from "./signature.ts";

/** Arrays up to this many elements are registers. */
export const MOST_REGISTERS = 64;

type Storage =
  | { readonly kind: "register"; readonly variable: Variable }
  | {
      readonly kind: "registers";
      readonly elements: readonly Variable[];
      /** Elements per step of each subscript, outermost first. */
      readonly strides: readonly number[];
      readonly element: CType;
    }
  | {
      readonly kind: "ram";
      readonly ram: Ram;
      readonly strides: readonly number[];
      readonly element: CType;
    }
  | {
      /** Constants. */
      readonly kind: "table";
      readonly words: readonly bigint[];
      readonly strides: readonly number[];
      readonly element: CType;
    }
  | { readonly kind: "line"; readonly line: Line };

/** The array of a delay line. */
export interface Line {
  readonly name: string;
  readonly element: CType;
  readonly length: number;
}

/** The kernel reads pointers from memory, or writes them, or takes them as numbers. */
export class NeedsWholeAddresses extends Error {}

export class Scope {
  readonly kernel: KernelSignature;
  readonly pointers: PointerRoots;
  readonly addressBits: number;
  /** What the loops around the code that is being built say about their counters; see `Graph.bounds`. */
  bounds: readonly LinearForm[] | undefined;
  private readonly storage = new Map<Symbol, Storage>();
  private readonly lines: ReadonlySet<Symbol>;
  private readonly names = new Set<string>();
  private readonly hiddens = new Map<string, Variable>();
  /** Words of arrays that are never written. */
  private readonly tables = new Map<Symbol, readonly bigint[]>();
  /** Static variables in device code: they are constant, so that initialising them again makes no difference. */
  private readonly statics: ReadonlySet<Symbol>;

  constructor(
    kernel: KernelSignature,
    pointers: PointerRoots,
    lines: ReadonlySet<Symbol>,
    addressBits: number,
  ) {
    this.kernel = kernel;
    this.pointers = pointers;
    this.lines = lines;
    this.addressBits = addressBits;
    const { declared } = usesOf(...kernel.body, ...[...kernel.functions.values()].map((f) => f.body));
    this.statics = new Set([...declared].filter((sym) => sym.storage === "static"));
    for (const p of kernel.parameters) {
      const shape = shapeOf(p.type, addressBits, kernel.loc);
      const pointer = isPointer(p.type) && ({ pointer: true } as const);
      const variable: Variable = { ...this.variable(p.name, shape), argument: true, ...pointer };
      this.storage.set(p, { kind: "register", variable });
    }
  }

  /** The shape in which the kernel computes with a C type. */
  shapeOf(type: CType, loc: Loc): Shape {
    const shape = this.memoryShapeOf(type, loc);
    const { real } = this.kernel;
    return real && sameShape(shape, floatShape(binary32)) ? real : shape;
  }

  /** The shape of a C type in memory, arguments and channels. */
  memoryShapeOf(type: CType, loc: Loc): Shape {
    return shapeOf(type, this.addressBits, loc);
  }

  /** Called where an address leaves the kernel or comes from outside it, other than as an argument. */
  wholeAddresses(): void {
    if (this.addressBits < WHOLE_ADDRESS) throw new NeedsWholeAddresses();
  }

  /** A register without a name in the source. */
  variable(name: string, shape: Variable["shape"]): Variable {
    let unique = name;
    for (let n = 2; this.names.has(unique); n++) unique = `${name}_${n}`;
    this.names.add(unique);
    return { name: unique, shape };
  }

  /** Returns the same register for the same name each time, as blocks are built more than once. */
  hidden(name: string, shape: Variable["shape"]): Variable {
    const known = this.hiddens.get(name) ?? this.variable(name, shape);
    this.hiddens.set(name, known);
    return known;
  }

  /**
   * Declares an array as a table of these words, or a number as this one. Must be called before its place is requested.
   */
  table(sym: Symbol, words: readonly bigint[]): void {
    this.tables.set(sym, words);
  }

  of(sym: Symbol, loc: Loc): Storage {
    const known = this.storage.get(sym);
    if (known) return known;
    const elsewhere = sym.scope === "file" || sym.storage === "static" || sym.storage === "extern";
    if (elsewhere && !this.statics.has(sym))
      throw new Unsupported(
        "global-in-region",
        loc,
        `'${sym.name}' is a variable of the program that the region gets no copy of`,
        "the device has registers and the memory that data clauses give it",
        "pass it with a data clause",
      );
    const storage = this.newStorage(sym, loc);
    this.storage.set(sym, storage);
    return storage;
  }

  private newStorage(sym: Symbol, loc: Loc): Storage {
    const type = canonical(sym.type);
    const contents = this.tables.get(sym);
    if (type.kind !== "array" && contents)
      return { kind: "table", words: contents, strides: [], element: type };
    if (type.kind !== "array")
      return { kind: "register", variable: this.variable(sym.name, this.shapeOf(type, loc)) };
    const extents = extentsOf(type);
    if (!extents)
      throw new Unsupported(
        "unbounded-array",
        loc,
        `the array '${sym.name}' has no constant size`,
        "its registers must exist before the program runs",
        "give it a constant size",
      );
    const element = innermost(type);
    const total = product(extents);
    if (this.lines.has(sym)) return { kind: "line", line: { name: sym.name, element, length: total } };
    const shape = this.shapeOf(element, loc);
    const strides = extents.map((_, k) => product(extents.slice(k + 1)));
    if (contents && total <= MOST_REGISTERS) return { kind: "table", words: contents, strides, element };
    if (total > MOST_REGISTERS) {
      const cell = this.variable(sym.name, shape);
      const ram: Ram = { name: cell.name, words: total, cell, loc, ...(contents && { contents }) };
      return { kind: "ram", ram, strides, element };
    }
    const elements = Array.from({ length: total }, (_, k) => this.variable(`${sym.name}_${k}`, shape));
    return { kind: "registers", elements, strides, element };
  }

  register(sym: Symbol, loc: Loc): Variable {
    const storage = this.of(sym, loc);
    if (storage.kind !== "register") throw new NotStraight(`'${sym.name}' is an array`, loc);
    return storage.variable;
  }
}
