/** Remarks on loops with scans. */
import { asNode, type Spmd } from "../../../../core/ir/model/ir.ts";
import type { Argument } from "../../../../core/ir/model/region.ts";
import { mapChildren } from "../../../../core/lang/index.ts";
import type { Diagnostic, Loc, Stmt } from "../../../../core/lang/tree/ast.ts";
import type { InOrder, ScanLoop } from "../../mapping/scans.ts";
import { scansOf, tooSmall } from "../../mapping/stages/scans.ts";

const quoted = (names: readonly string[]): string => names.map((n) => `'${n}'`).join(", ");

export function scanByBlocks({ names, loc }: ScanLoop): Diagnostic {
  return {
    severity: "note",
    code: "scan-by-blocks",
    loc,
    message: `groups have blocks of the iterations that hand on ${quoted(names)}: three kernels find what each block adds, what is in front of each, and then run it`,
    remedy: "say `loop seq` to have the iterations in order",
  };
}

export function scanByLanes({ names, loc }: ScanLoop): Diagnostic {
  return {
    severity: "note",
    code: "scan-by-lanes",
    loc,
    message: `lanes share the iterations that hand on ${quoted(names)}, tile by tile`,
    remedy: "say `loop seq` to have the iterations in order",
  };
}

export function scanInOrder({ names, loc, why, remedy }: InOrder): Diagnostic {
  return {
    severity: "note",
    code: "scan-in-order",
    loc,
    message: `iterations that hand on ${quoted(names)} run in order: ${why}`,
    ...(remedy !== undefined && { remedy }),
  };
}

/** The region's scans without a remark so far. */
export function scansLeft(
  spmd: Spmd,
  args: readonly Argument[],
  remarks: readonly Diagnostic[],
): readonly Diagnostic[] {
  const at = ({ line, col }: Loc) => `${line}:${col}`;
  const reported = new Set(remarks.filter((r) => r.code.startsWith("scan-")).map((r) => at(r.loc)));
  const scans = scansOf(spmd, args);
  const left: Diagnostic[] = [];
  const visit = (s: Stmt, around: "nothing" | "shared" | "ordered"): Stmt => {
    const loop = asNode(s, "loop");
    const isLoop = loop !== undefined || s.kind === "for";
    const shared = (loop?.parallel.levels.length ?? 0) > 0 || around === "shared";
    const ordered = isLoop || s.kind === "while" || s.kind === "do";
    // The remark is about the inner loop.
    mapChildren(s, (child) => visit(child, shared ? "shared" : ordered ? "ordered" : around));
    const found = isLoop ? scans(s) : undefined;
    if (!found || reported.has(at(found.loc))) return s;
    reported.add(at(found.loc));
    const small = "header" in found && around === "nothing" ? tooSmall(found) : undefined;
    left.push(scanInOrder(small ?? ("why" in found ? found : { ...found, why: reason[around] })));
    return s;
  };
  visit(spmd.body, "nothing");
  return left;
}

const reason = {
  nothing: "other code of the region decides what its kernel is",
  shared: "each lane has iterations of the loop around it",
  ordered: "the loop around it runs in order",
} as const;
