/**
 * Nests whose accesses are contiguous along different loops (mapping/crossed.ts): a group takes square tiles of
 * iterations, and its lanes follow one loop while they load and the other while they compute.
 *
 *     for each tile of the group
 *       for each element of the item, lanes along j: tile[i][j] = a[i][j]
 *       barrier
 *       for each element of the item, lanes along i: b[j][i] = tile[i][j]
 *       barrier
 */

import { entryOf, firstOf, itemAt } from "../../../../core/checked/access.ts";
import { mapTuple } from "../../../../core/checked/tuples.ts";
import { rootOf, usesOf } from "../../../../core/ir/analysis/access.ts";
import { extStmt, type LoopHeader, type Threads } from "../../../../core/ir/model/ir.ts";
import { node } from "../../../../core/ir/model/node-shapes.ts";
import { arrayOf, LONG, mapStmt, sizeOf, unqualified } from "../../../../core/lang/index.ts";
import type { Diagnostic, Expr, Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import {
  assign,
  binary,
  compound,
  cond,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  index,
  intLit,
} from "../../../../core/lang/tree/build.ts";
import { flat } from "../../device/control.ts";
import { counted } from "../../device/counted-loop.ts";
import { barrier, workItemId } from "../../device/device.ts";
import { unrollPragma } from "../../device/pragmas.ts";
import { isolate } from "../../loops/alpha-rename.ts";
import { tripCount, valueAt, valuesInNest } from "../../loops/trips.ts";
import type { Crossed } from "../../mapping/crossed.ts";
import { unless } from "../../mapping/nests.ts";

interface CrossedCode {
  /** Chooses between tiles and the nest as it is at launch. */
  readonly body: Stmt;
  readonly groupMemory: readonly Symbol[];
  readonly remark: Diagnostic;
}

/** Iterations of a tile along each of the two loops. */
const SIDE = 32;

const long = (n: number): Expr => intLit(n, LONG);
const plus = (a: Expr, b: Expr): Expr => binary("+", a, b);
const times = (a: Expr, b: Expr): Expr => binary("*", a, b);
const fresh = (name: string): Symbol => freshSymbol(name, LONG);

/** Undefined: tiles do not fit the device. `room`: bytes of group memory. */
export function crossedCode(crossed: Crossed, items: number, room: number): CrossedCode | undefined {
  const { loop, along, across, others, crossings } = crossed;
  // A column more: lanes that read down a column would otherwise hit the same memory bank.
  const memory = crossings.map(({ type }, n) =>
    freshSymbol(`arc_tile${n}`, arrayOf(arrayOf(unqualified(type), SIDE + 1), SIDE)),
  );
  const bytes = memory.reduce((sum, { type }) => sum + (sizeOf(type) ?? room + 1), 0);
  if (items % SIDE !== 0 || (SIDE * SIDE) % items !== 0 || bytes > room) return undefined;
  const counts = new Map(loop.headers.map((h) => [h, fresh(`arc_n_${h.var.name}`)]));
  const { span } = loop.body;
  const code = tilesOf(crossed, items, memory, (h) => ident(entryOf(counts, h)));
  const together = node<Threads>({ kind: "threads", body: code, site: loop.site });
  const least = (h: LoopHeader, n: number): Expr => binary(">=", ident(entryOf(counts, h)), intLit(n, LONG));
  const enough = [least(along, SIDE / 2), least(across, SIDE / 2), ...others.map((h) => least(h, 1))].reduce(
    (a, b) => binary("&&", a, b),
  );
  return {
    body: compound([
      ...[...counts].map(([h, sym]) => declare(sym, tripCount(h))),
      // Items may hold variables where groups hold others.
      ifStmt(enough, compound([extStmt(together, span)]), isolate(extStmt(loop, span))),
    ]),
    groupMemory: memory,
    remark: remarkOn(crossed),
  };
}

function tilesOf(
  { loop, along, across, others, crossings }: Crossed,
  items: number,
  memory: readonly Symbol[],
  count: (h: LoopHeader) => Expr,
): Stmt {
  const set = (h: LoopHeader, t: Expr): Stmt => declare(h.var, valueAt(h, t));
  const [x, y, tile, high, wide] = mapTuple(["x", "y", "tile", "high", "wide"], (name) =>
    fresh(`arc_${name}`),
  );
  const first = {
    along: fresh(`arc_${along.var.name}_first`),
    across: fresh(`arc_${across.var.name}_first`),
  };
  const n = fresh("arc_e");
  const row = plus(ident(y), times(ident(n), long(items / SIDE)));
  const each = (stmts: readonly Stmt[]): Stmt => ({
    ...counted(n, long(0), long((SIDE * SIDE) / items), long(1), compound(stmts)),
    pragmas: [unrollPragma(0)],
  });
  const tilesAlong = (h: LoopHeader): Expr => binary("/", plus(count(h), long(SIDE - 1)), long(SIDE));

  /** Iterations beyond the end load what the last one does. */
  const clamped = (h: LoopHeader, at: Expr): Stmt[] => {
    const t = fresh(`arc_${h.var.name}`);
    const last = binary("-", count(h), long(1));
    return [declare(t, at), set(h, cond(binary("<", ident(t), count(h)), ident(t), last))];
  };
  const fill = each([
    ...clamped(along, plus(ident(first.along), row)),
    ...clamped(across, plus(ident(first.across), ident(x))),
    ...crossings.map(({ loads }, k) =>
      exprStmt(assign(index(index(ident(itemAt(memory, k)), row), ident(x)), firstOf(loads))),
    ),
  ]);

  const [a, c] = [fresh(`arc_${along.var.name}`), fresh(`arc_${across.var.name}`)];
  const by = new Map(
    crossings.flatMap(({ loads }, k) =>
      loads.map((load) => [load, index(index(ident(itemAt(memory, k)), ident(x)), row)] as const),
    ),
  );
  const body = mapStmt(loop.body, { expr: (e) => by.get(e) ?? e });
  const used = usesOf(body).of;
  const iteration = compound([
    set(along, ident(a)),
    set(across, ident(c)),
    ...loop.privates.filter((p) => used.has(p)).map((p) => declare(p)),
    ...flat(body),
  ]);
  const compute = each([
    declare(a, plus(ident(first.along), ident(x))),
    declare(c, plus(ident(first.across), row)),
    ifStmt(
      binary("&&", binary("<", ident(a), count(along)), binary("<", ident(c), count(across))),
      iteration,
    ),
  ]);

  const area = times(ident(high), ident(wide));
  const outer = valuesInNest(others, others.map(count), binary("/", ident(tile), area));
  const inPlane = others.length > 0 ? binary("%", ident(tile), area) : ident(tile);
  return compound([
    declare(x, binary("%", workItemId("item"), long(SIDE))),
    declare(y, binary("/", workItemId("item"), long(SIDE))),
    declare(high, tilesAlong(along)),
    declare(wide, tilesAlong(across)),
    counted(
      tile,
      workItemId("group"),
      others.map(count).reduce((all, one) => times(all, one), area),
      workItemId("groups"),
      compound([
        ...others.map((h, k) => declare(h.var, outer[k])),
        declare(first.along, times(binary("/", inPlane, ident(wide)), long(SIDE))),
        declare(first.across, times(binary("%", inPlane, ident(wide)), long(SIDE))),
        fill,
        barrier(),
        compute,
        barrier(),
      ]),
    ),
  ]);
}

function remarkOn({ loop, along, across, crossings, pairs }: Crossed): Diagnostic {
  const names = [...new Set(crossings.map(({ loads }) => `'${rootOf(firstOf(loads))?.sym.name ?? ""}'`))];
  return {
    severity: "note",
    code: "crossed-tiles",
    loc: loop.site.loc,
    message: `lanes go along '${along.var.name}', and load ${names.join(", ")} along '${across.var.name}' into tiles of ${SIDE} x ${SIDE} in group memory${unless(pairs)}`,
    remedy: "name levels (gang, vector) to have the loops shared out as written",
  };
}
