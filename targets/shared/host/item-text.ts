/** A data item as a row of the runtime's `arc_item`. */
import type { DataItem, Mapping } from "../../../core/ir/model/ir.ts";
import { canonical, evaluateInteger, isDataPointer, printExpr } from "../../../core/lang/index.ts";
import type { Diagnostic, Expr } from "../../../core/lang/tree/ast.ts";
import { severalPieces } from "./counted-items.ts";
import type { PresentParts } from "./present-parts.ts";
import type { ReachedItem } from "./reached.ts";
import { type HostSection, hostSection } from "./section.ts";
import { structureOf } from "./structure.ts";

/** `oneCount`: there is one reference count, as in OpenMP. A diagnostic: the runtime has no such item. */
export function itemText(i: ReachedItem, oneCount: boolean, parts: PresentParts): string | Diagnostic {
  const inPart = i.mapping.inPart || (i.mapping.vis === "implicit" && parts.has(i.sym));
  const part = inPart ? parts.get(i.sym) : undefined;
  const section = part ?? hostSection(i);
  if ("severity" in section) return section;
  if (i.each && section.pieces) return severalPieces(i);
  const m = i.mapping;
  const leading = i.original ?? i.object;
  const counted = oneCount && m.vis !== "implicit" && countsFrom(leading, i, section);
  const flags = [
    m.zero && "ARC_ZERO",
    m.finalize && "ARC_FINALIZE",
    m.ifPresent && "ARC_IF_PRESENT",
    m.alwaysIn && "ARC_ALWAYS_IN",
    m.alwaysOut && "ARC_ALWAYS_OUT",
    m.capture && "ARC_CAPTURE",
    m.pipe === "buffer" && "ARC_PIPE",
    m.readonly && "ARC_READONLY",
    m.vis === "implicit" && "ARC_IMPLICIT",
    ((section.place && placed.has(m.is)) || isPointedTo(i)) && "ARC_PLACE",
    oneCount && "ARC_ONE_COUNT",
    inPart && "ARC_IN_PART",
    counted && "ARC_BASED",
  ].filter(Boolean);
  const isTable = leading.kind !== "ident" && leading.kind !== "cast";
  const attached = isTable || m.is === "attach" || m.is === "detach";
  const pointer = attached && isDataPointer(leading.type) ? `(void **)&${wrap(printExpr(leading))}` : "0";
  const base = counted ? `(void **)(void *)${wrap(printExpr(leading))}` : pointer;
  const structure = oneCount ? structureOf(i) : undefined;
  const rest = `${section.pieces ?? 0}, ${part?.ends ?? (structure ? `(void *)(${structure})` : 0)}`;
  return `{${JSON.stringify(i.written)}, ${section.start}, ${section.size}, ${base}, ${maps[m.is]}, ${flags.join(" | ") || "0"}, ${rest}},`;
}

const maps: Readonly<Record<Mapping, string>> = {
  tofrom: "ARC_COPY",
  to: "ARC_COPYIN",
  from: "ARC_COPYOUT",
  allocate: "ARC_CREATE",
  present: "ARC_PRESENT",
  "no-create": "ARC_NO_CREATE",
  deviceptr: "ARC_DEVICEPTR",
  attach: "ARC_ATTACH",
  detach: "ARC_DETACH",
  delete: "ARC_DELETE",
  "device-resident": "ARC_DEVICE_RESIDENT",
  link: "ARC_LINK",
  "update-self": "ARC_UPDATE_SELF",
  "update-device": "ARC_UPDATE_DEVICE",
  copied: "0",
  none: "0",
};

/** Copied only if no part of the pointer's target is present. */
const isPointedTo = ({ mapping, section, object }: DataItem): boolean =>
  mapping.vis === "implicit" && section.length > 0 && canonical(object.type).kind === "pointer";

/** Mappings that may begin the life of a copy. */
const begins: ReadonlySet<Mapping> = new Set(["to", "from", "tofrom", "allocate"]);

/**
 * Whether a section is reached through a pointer variable that may lead to a place outside of it. Regions that use the
 * pointer without naming it mean the section (OpenMP 5.1, section 5.8.6).
 */
const countsFrom = (
  leading: Expr,
  { section: [first], mapping }: DataItem,
  { pieces }: HostSection,
): boolean =>
  begins.has(mapping.is) &&
  leading.kind === "ident" &&
  canonical(leading.type).kind === "pointer" &&
  pieces === undefined &&
  first?.start !== undefined &&
  evaluateInteger(first.start) !== 0n;

/** Mappings that need the address of a pointer's target, but not its size. */
const placed: ReadonlySet<Mapping> = new Set(["present", "no-create", "delete"]);

/** In parentheses, unless it is a name. */
export const wrap = (text: string) => (/^[A-Za-z_]\w*$/.test(text) ? text : `(${text})`);
