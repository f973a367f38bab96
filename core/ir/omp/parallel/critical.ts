/**
 * `critical`:
 *
 *     critical                 int done = 0;
 *     BODY               =>    while (!done) {
 *                                int old; atomic { old = lock; lock = 1; }
 *                                if (old == 0) { flush; BODY; flush; atomic { old = lock; lock = 0; } done = 1; }
 *                              }
 *
 * The lock is given back by an exchange, too: simulators lock around an exchange but not around a store, and a store in
 * the middle of another thread's exchange would be lost.
 *
 * A thread that has the lock ends its turn of the loop before any other of its warp begins the next one: none waits for
 * a lock that a neighbour cannot give back. Locks are variables of libarcrt, one for each name.
 */
import { mapTuple } from "../../../checked/tuples.ts";
import { INT, makeSymbol } from "../../../lang/index.ts";
import type { Stmt, Symbol } from "../../../lang/tree/ast.ts";
import {
  assign,
  binary,
  compound,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  intLit,
  unary,
} from "../../../lang/tree/build.ts";
import { type Directive, site } from "../../directives/directive.ts";
import type { Around, Reading } from "../../directives/read-state.ts";
import { type Atomic, extStmt } from "../../model/ir.ts";
import { node } from "../../model/node-shapes.ts";
import { fence } from "./atomics.ts";

/** How many names arcrt.h provides locks for. */
const most = 8;

const prefix = "arc_critical_";

/** A variable of libarcrt, which no program has. */
export const isLock = ({ name }: Symbol): boolean => name.startsWith(prefix);

export class Locks {
  private readonly reading: Reading;
  private readonly symbols: Symbol[] = Array.from({ length: most }, (_, i) => ({
    ...makeSymbol(`${prefix}${i}`, "var", INT, "file"),
    storage: "extern" as const,
  }));
  private readonly names: string[] = [];

  constructor(reading: Reading) {
    this.reading = reading;
  }

  /** All locks that a program may use. */
  has(sym: Symbol): boolean {
    return this.symbols.includes(sym);
  }

  /** The statement of `critical`, run by one thread at a time. */
  critical(d: Directive, body: Stmt, { omp = {} }: Around): Stmt | undefined {
    if (omp.routine) {
      this.reading.report(
        "critical-in-function",
        d.loc,
        "'critical' stands in a function that regions call",
        "write it into the region, around the call",
      );
      return undefined;
    }
    const lock = this.of(d);
    if (!lock) return undefined;
    const [done, old] = mapTuple(["arc_done", "arc_old"], (name) => freshSymbol(name, INT));
    const at = site(d, body);
    const exchange = (value: number): Stmt => {
      const swap = { op: "=", value: intLit(value), captured: ident(old), captureNew: false } as const;
      const target = ident(lock);
      return extStmt(node<Atomic>({ kind: "atomic", what: "capture", target, site: at, ...swap }), body.span);
    };
    const turn = compound([
      fence(d, body),
      body,
      fence(d, body),
      exchange(0),
      exprStmt(assign(ident(done), intLit(1))),
    ]);
    const loop: Stmt = {
      kind: "while",
      test: unary("!", ident(done)),
      body: compound([declare(old), exchange(1), ifStmt(binary("==", ident(old), intLit(0)), turn)]),
      span: body.span,
    };
    return compound([declare(done, intLit(0)), loop], body.span);
  }

  private of(d: Directive): Symbol | undefined {
    const name = d.argument?.names[0] ?? "";
    if (!this.names.includes(name)) this.names.push(name);
    const lock = this.symbols[this.names.indexOf(name)];
    if (!lock)
      this.reading.report(
        "critical-names",
        d.loc,
        `this file names more than ${most} critical sections`,
        "give the same name to sections that seldom meet",
      );
    return lock;
  }
}
