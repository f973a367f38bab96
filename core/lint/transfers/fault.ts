/** A fault of data movement. */
import type { Expr, Loc, Symbol } from "../../lang/tree/ast.ts";
import type { Access } from "../memory/access.ts";
import type { Construct, Mapped } from "./trace.ts";

export type Kind =
  | "read-before-copy"
  | "lost-result"
  | "stale-host-read"
  | "stale-device-read"
  | "section-too-short"
  | "section-too-long"
  | "missing-map"
  | "never-present"
  | "freed-while-mapped"
  | "device-pointer-on-host"
  | "queue-race";

export type Certainty = "proved" | "maybe";

export interface Fault {
  readonly kind: Kind;
  readonly certainty: Certainty;
  readonly sym: Symbol;
  readonly loc: Loc;
  readonly end?: Loc;
  readonly construct: Construct;
  /** The clause at fault. */
  readonly mapped?: Mapped;
  readonly access?: Access;
  /** The conflicting access. */
  readonly other?: { readonly loc: Loc; readonly expr?: Expr };
  /** For a race: the host uses the memory, not a region. */
  readonly byHost?: true;
  /** Another region of the device reads what was lost, not the host. */
  readonly byRegion?: true;
  /** The host reads what the clause has copied back. */
  readonly returned?: true;
  /** An update has brought it to the host. */
  readonly updated?: true;
  /** The pointer that leads to the memory by now. */
  readonly movedTo?: Symbol;
  /** A call has allocated the memory on the device. */
  readonly allocated?: true;
  /** `p` of a record, or `m[i]`, of which the pointer alone is mapped. */
  readonly member?: string;
}

/** A fault that an access shows. */
export function faultAt(
  kind: Kind,
  certainty: Certainty,
  at: Access,
  rest: Pick<Fault, "construct"> & Partial<Fault>,
): Fault {
  const { sym = at.location.root } = rest;
  return { kind, certainty, loc: at.loc, end: at.expr.span.end, access: at, ...rest, sym };
}
