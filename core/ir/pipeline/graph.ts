/**
 * The computation of a loop's body as a graph, with one node per hardware operator. Control flow is converted to
 * selections: both branches exist, and a selection picks one result. Equal expressions are one node, and constants are
 * folded.
 */
import { itemAt } from "../../checked/access.ts";
import type { Loc, Symbol } from "../../lang/tree/ast.ts";

export type NodeId = number;

interface Node {
  readonly kind:
    | "constant"
    /** Constant while the loop runs. */
    | "invariant"
    /** The loop's own variable. */
    | "counter"
    /** Computed by an earlier iteration. */
    | "carried"
    | "operator"
    /** From global memory. */
    | "load"
    /** From memory on the chip, at an address that is not constant. */
    | "ram"
    /** Computed by a nested loop. */
    | "inner";
  /** For operators: as in C, `?:` for a selection, the name of a function, `cast`, or `wires`, which cost nothing. */
  readonly op: string;
  /** For operators: the operands' type as device tables name it. */
  readonly type: string;
  readonly args: readonly NodeId[];
  readonly value?: bigint | number;
  /** The variable that it represents, if any. */
  readonly sym?: Symbol;
  readonly loc?: Loc;
}

/** A sum of nodes with constant coefficients. */
export interface LinearForm {
  readonly terms: ReadonlyMap<NodeId, bigint>;
  readonly constant: bigint;
}

export class Graph {
  readonly nodes: Node[] = [];
  readonly #known = new Map<string, NodeId>();
  readonly #linear = new Map<NodeId, LinearForm>();
  readonly #symbols = new Map<Symbol, number>();

  at(id: NodeId): Node {
    return itemAt(this.nodes, id);
  }

  /** The node with this key, created if it does not exist. Operands always precede the node. */
  intern(key: string, make: () => Node): NodeId {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.nodes.push(make());
    this.#known.set(key, this.nodes.length - 1);
    return this.nodes.length - 1;
  }

  /** A node that is never merged with another. */
  fresh(node: Node): NodeId {
    this.nodes.push(node);
    return this.nodes.length - 1;
  }

  constant(value: bigint | number): NodeId {
    const type = typeof value === "bigint" ? "int" : "float";
    return this.intern(`${type} ${value}`, () => ({ kind: "constant", op: "", type, args: [], value }));
  }

  /** A unique name for a variable. */
  nameOf(sym: Symbol): string {
    const known = this.#symbols.get(sym);
    if (known !== undefined) return `${sym.name}#${known}`;
    this.#symbols.set(sym, this.#symbols.size);
    return this.nameOf(sym);
  }

  source(kind: Node["kind"], key: string, sym: Symbol, type: string, loc?: Loc): NodeId {
    return this.intern(`${kind} ${key}`, () => ({
      kind,
      op: "",
      type,
      args: [],
      sym,
      ...(loc && { loc }),
    }));
  }

  operator(op: string, type: string, args: readonly NodeId[], loc?: Loc): NodeId {
    const folded = type === "int" ? this.#folded(op, args) : op === "?:" ? this.#chosen(args) : undefined;
    if (folded !== undefined) return folded;
    const ordered = op === "+" || op === "*" ? [...args].sort((a, b) => a - b) : args;
    return this.intern(`${op} ${type} ${ordered.join(" ")}`, () => ({
      kind: "operator",
      op,
      type,
      args: ordered,
      ...(loc && { loc }),
    }));
  }

  /** The operator that hardware needs for a node, if a constant operand makes it cheaper than its usual one. */
  built(id: NodeId): string {
    const { op, type, args } = this.at(id);
    const constant = args.map((arg) => this.at(arg).value).find((value) => value !== undefined);
    if (constant === undefined) return op;
    if (type !== "int") return op === "*" && isPowerOfTwo(Number(constant)) ? "scale" : op;
    if (op === "*" || op === "/" || op === "%") {
      if (isPowerOfTwo(Math.abs(Number(constant)))) return "wires";
      return op === "*" ? "+" : "*";
    }
    return op;
  }

  integer(id: NodeId): bigint | undefined {
    const { value } = this.at(id);
    return typeof value === "bigint" ? value : undefined;
  }

  #folded(op: string, args: readonly NodeId[]): NodeId | undefined {
    const [a, b] = args.map((x) => this.integer(x));
    const [x, y] = args;
    if (op === "+") {
      if (a === 0n) return y;
      if (b === 0n) return x;
      if (a !== undefined && b !== undefined) return this.constant(a + b);
    }
    if (op === "*") {
      if (a === 0n || b === 0n) return this.constant(0n);
      if (a === 1n) return y;
      if (b === 1n) return x;
      if (a !== undefined && b !== undefined) return this.constant(a * b);
    }
    if (op === "?:") return this.#chosen(args);
    return undefined;
  }

  /** Folds a selection with a known condition or equal operands. */
  #chosen([test, then, other]: readonly NodeId[]): NodeId | undefined {
    if (then === other) return then;
    const known = this.integer(test as NodeId);
    return known === undefined ? undefined : known !== 0n ? then : other;
  }

  /** The node as a linear form, expanding integer sums and products with constants. */
  linear(id: NodeId): LinearForm {
    const known = this.#linear.get(id);
    if (known) return known;
    const form = this.#linearOf(id);
    this.#linear.set(id, form);
    return form;
  }

  #linearOf(id: NodeId): LinearForm {
    const node = this.at(id);
    const own = { terms: new Map([[id, 1n]]), constant: 0n };
    if (typeof node.value === "bigint") return { terms: new Map(), constant: node.value };
    if (node.kind !== "operator" || node.type !== "int") return own;
    const [x, y] = node.args.map((arg) => this.linear(arg)) as [LinearForm, LinearForm];
    if (node.op === "+") return sum(x, y, 1n);
    if (node.op === "*" && y.terms.size === 0) return sum({ terms: new Map(), constant: 0n }, x, y.constant);
    if (node.op === "*" && x.terms.size === 0) return sum({ terms: new Map(), constant: 0n }, y, x.constant);
    return own;
  }
}

const isPowerOfTwo = (x: number): boolean => x !== 0 && Number.isInteger(Math.log2(Math.abs(x)));

/** `a + times * b`. */
export function sum(a: LinearForm, b: LinearForm, times: bigint): LinearForm {
  const terms = new Map(a.terms);
  for (const [id, c] of b.terms) {
    const total = (terms.get(id) ?? 0n) + times * c;
    if (total === 0n) terms.delete(id);
    else terms.set(id, total);
  }
  return { terms, constant: a.constant + times * b.constant };
}
