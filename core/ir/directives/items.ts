/** Data items from the data clauses of any language. */

import type { DataItem, Mapping } from "../model/ir.ts";
import type { VarRef } from "./directive.ts";

export function dataItem(v: VarRef, is: Mapping, extra: Partial<DataItem["mapping"]>): DataItem {
  return {
    sym: v.sym,
    object: v.object,
    section: v.section,
    ...(v.each && { each: v.each }),
    written: v.written,
    sharing: { is: "shared", vis: "explicit" },
    mapping: { ...extra, is, vis: "explicit" },
    access: "none",
    loc: v.loc,
  };
}
