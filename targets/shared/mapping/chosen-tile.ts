/** Tile sizes set by a variant, instead of those of directives. */
import { asNode, extStmt, type Loop, type Spmd } from "../../../core/ir/model/ir.ts";
import { wholeLoop } from "../../../core/ir/normalise/levels.ts";
import { LONG, mapChildren, mapStmt } from "../../../core/lang/index.ts";
import type { Diagnostic, Stmt } from "../../../core/lang/tree/ast.ts";
import { intLit } from "../../../core/lang/tree/build.ts";
import type { Arguments } from "./accumulators.ts";
import { plainNest } from "./nests.ts";

interface ChosenTile {
  readonly body: Stmt;
  readonly remarks: readonly Diagnostic[];
}

/** Applies to every nest with as many loops as `tile` has sizes; if there is none, a remark at `loc`. */
export function withTile(
  spmd: Spmd,
  tile: readonly number[] | "none",
  args: Arguments,
  loc: Diagnostic["loc"],
): ChosenTile {
  let used = false;
  const tiled = (loop: Loop): Loop => {
    const { tile: _, ...parallel } = loop.parallel;
    const { independence, levels } = parallel;
    const fits = tile !== "none" && loop.headers.length === tile.length && levels.includes("gang");
    if (!fits || independence === "seq") return { ...loop, parallel };
    used = true;
    return { ...loop, parallel: { ...parallel, tile: tile.map((size) => intLit(size, LONG)) } };
  };
  const body = mapStmt(tile.length === 2 ? asNest(spmd.body, args) : spmd.body, {
    stmt(s) {
      const loop = asNode(s, "loop");
      return loop && s.kind === "ext" ? { ...s, ext: tiled(loop) } : s;
    },
  });
  return { body, remarks: used || tile === "none" ? [] : [unused(tile, loc)] };
}

/** Merges the loop that makes up a region with its inner loop. */
function asNest(body: Stmt, args: Arguments): Stmt {
  const loop = wholeLoop(body);
  const nest = loop && plainNest(loop, args);
  // If that requires pointers to differ, the kernel would need both forms.
  if (!loop || !nest || nest.pairs.length > 0) return body;
  const replaced = (s: Stmt): Stmt =>
    asNode(s, "loop") === loop ? extStmt(nest.loop, loop.body.span) : mapChildren(s, replaced);
  return replaced(body);
}

function unused(tile: readonly number[], loc: Diagnostic["loc"]): Diagnostic {
  return {
    severity: "note",
    code: "variant-tile-unused",
    loc,
    message: `the variant's tile ${tile.join("x")} is not used here: the region has no independent nest of ${tile.length} loops that gangs share`,
    remedy: "give the kernel a name in `kernels:` and leave the axis out of its values",
  };
}
