/**
 * Nests of workers and lanes as one nest that the items of a group share, so that lanes do not wait between rows:
 *
 *     loop worker: for (j = 0; j < n; j++)         loop worker vector: for (j...)
 *       loop vector: for (k = 0; k < m; k++)   =>                        for (k...)
 *         b[j][k] = a[j][k];                                               b[j][k] = a[j][k];
 */
import { asNode, extStmt, type Level, type Loop, type Reduction } from "../../../core/ir/model/ir.ts";
import { mapChildren, type Stmt } from "../../../core/lang/index.ts";
import { escapesLoop, flat } from "../device/control.ts";
import { areFixed } from "./nests.ts";

export function withWorkerRows(s: Stmt): Stmt {
  const inner = mapChildren(s, withWorkerRows);
  const rows = asNode(inner, "loop");
  const merged = rows && isAlone(rows, "worker") ? mergedWith(rows) : undefined;
  return merged ? extStmt(merged, s.span) : inner;
}

function mergedWith(rows: Loop): Loop | undefined {
  const [only, ...more] = flat(rows.body);
  const lanes = only && more.length === 0 ? asNode(only, "loop") : undefined;
  if (!lanes || !isAlone(lanes, "vector") || !sameReductions(rows.reductions, lanes.reductions))
    return undefined;
  const headers = [...rows.headers, ...lanes.headers];
  if (escapesLoop(lanes.body) || !areFixed(headers, lanes.body)) return undefined;
  return {
    ...lanes,
    headers,
    privates: [...rows.privates, ...lanes.privates],
    parallel: { ...rows.parallel, ...lanes.parallel, levels: ["worker", "vector"] },
    site: rows.site,
  };
}

/** An independent loop of this level, without tiles. */
const isAlone = ({ parallel: { levels, independence, tile } }: Loop, level: Level): boolean =>
  levels.length === 1 && levels[0] === level && independence === "independent" && !tile;

const sameReductions = (a: readonly Reduction[], b: readonly Reduction[]): boolean =>
  a.length === b.length && a.every(({ sym, op }, k) => b[k]?.sym === sym && b[k]?.op === op);
