/**
 * Scalars that a region has one of, for all gangs and lanes, and that each iteration sets before it reads them: the
 * inner counters and the temporaries of programs that declare them at file scope, or put them on the device with their
 * arrays. Iterations that run at the same time would take each other's values, so each has its own.
 *
 *     int j;                                                      (at file scope)
 *     parallel loop                                               parallel loop private(j)
 *     for (i...) for (j...) x[i] += a[i][j];               =>     for (i...) for (j...) x[i] += a[i][j];
 *
 * What a clause brings back to the host is left alone, and so is what functions of the region see, and what other constructs
 * read on the device or move.
 */

import { canonical, isScalar, mapChildren, type Stmt, type Symbol, substitute } from "../../lang/index.ts";
import type { Diagnostic } from "../../lang/tree/ast.ts";
import { freshSymbol, ident } from "../../lang/tree/build.ts";
import { unqualified } from "../../lang/tree/types.ts";
import { usesOf } from "../analysis/access.ts";
import { definedFirst, liveAfter } from "../analysis/liveness.ts";
import { isGlobal } from "../analysis/routines.ts";
import { asNode, type DataItem, type Loop, type Task } from "../model/ir.ts";
import { nodesIn } from "../model/nodes.ts";
import type { Program } from "../model/program.ts";
import type { Visible } from "./context.ts";

/** What the region is part of. */
interface Surroundings {
  readonly task: Task;
  readonly program: Program;
  /** Items of the constructs around. */
  readonly visible: Visible;
  /** Whether functions that the region calls use a variable. */
  readonly isCalled: (sym: Symbol) => boolean;
}

interface OwnScalars {
  readonly body: Stmt;
  readonly remarks: readonly Diagnostic[];
}

/** `copies`: what gangs have their own of. */
export function withOwnScalars(body: Stmt, copies: ReadonlySet<Symbol>, around: Surroundings): OwnScalars {
  const { task, visible } = around;
  const remarks: Diagnostic[] = [];
  let result = body;
  const { of, declared } = usesOf(body);
  for (const [sym, use] of of) {
    if (declared.has(sym) || copies.has(sym) || use.addressTaken || !use.read || !use.written) continue;
    if (!isScalar(sym.type) || canonical(sym.type).kind === "pointer") continue;
    const item = task.items.find((i) => i.sym === sym) ?? visible.get(sym);
    if (item ? !staysOnDevice(item) || isSeenByOthers(sym, around) : !isGlobal(sym)) continue;
    if (around.isCalled(sym)) continue;
    const before = result;
    result = inLoops(before, sym, (at) => liveAfter(before, at, sym), remarks);
  }
  return { body: result, remarks };
}

/** Nothing that the region leaves in the variable reaches the host by this item. */
const staysOnDevice = ({ sharing, mapping, object }: DataItem): boolean =>
  object.kind === "ident" && sharing.is === "shared" && ["allocate", "to", "present"].includes(mapping.is);

/** Whether another construct uses the variable on the device, or moves it. */
const isSeenByOthers = (sym: Symbol, { program, task }: Surroundings): boolean =>
  program.unit.externals.some(
    (e) =>
      e.kind === "function" &&
      ([...nodesIn(e.body, "task")].some(
        ({ site, body }) =>
          site.pragma !== task.site.pragma && usesOf(body).of.get(sym)?.read && !definedFirst(body, sym),
      ) ||
        [...nodesIn(e.body, "data-move")].some(({ items }) => items.some((item) => item.sym === sym))),
  );

/** Makes the variable private to the distributed loops whose iterations set it before they read it. */
function inLoops(s: Stmt, sym: Symbol, read: (at: Stmt) => boolean, remarks: Diagnostic[]): Stmt {
  const loop = asNode(s, "loop");
  if (!loop || s.kind !== "ext") return mapChildren(s, (child) => inLoops(child, sym, read, remarks));
  if (owns(loop, sym)) return s;
  // Lanes share what is private to their gang: inner loops come first.
  const body = inLoops(loop.body, sym, read, remarks);
  const shared = loop.parallel.levels.length > 0 && usesOf(body).of.has(sym);
  if (!shared || read(s) || !definedFirst(loop.body, sym)) {
    const same: Loop = { ...loop, body };
    return body === loop.body ? s : { ...s, ext: same };
  }
  remarks.push(note(loop, sym));
  const copy = freshSymbol(sym.name, unqualified(sym.type));
  const ext: Loop = {
    ...loop,
    privates: [...loop.privates, copy],
    body: substitute(body, new Map([[sym, ident(copy)]])),
  };
  return { ...s, ext };
}

const owns = (loop: Loop, sym: Symbol): boolean =>
  loop.privates.includes(sym) ||
  loop.reductions.some((r) => r.sym === sym) ||
  loop.headers.some((h) => h.var === sym);

const note = ({ site }: Loop, { name }: Symbol): Diagnostic => ({
  severity: "note",
  code: "own-scalar",
  loc: site.loc,
  message: `each iteration has a '${name}' of its own: it sets '${name}' before it reads it`,
  why: "one variable for all gangs and lanes would hand the values of iterations to each other",
  remedy: `declare '${name}' in the loop, or say private(${name})`,
});
