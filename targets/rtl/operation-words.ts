/** Names of a schedule's operations as in the source, with lines. */
import type { Event } from "../../core/hw/binding/process.ts";
import type { Value } from "../../core/hw/dfg/graph.ts";
import type { Loc } from "../../core/lang/tree/ast.ts";

const operators: Readonly<Partial<Record<Value["op"], string>>> = {
  add: "+",
  sub: "-",
  mul: "*",
  div: "/",
  rem: "%",
  lt: "<",
  eq: "==",
  mux: "choice",
  shl: "<<",
  shr: ">>",
  and: "&",
  or: "|",
  xor: "^",
};

/** Empty for code made by passes, which has no line. */
export const lineOf = (loc: Loc | undefined): string =>
  loc === undefined || loc.line === 0 ? "" : ` (line ${loc.line})`;

/** `best` for a variable, `+ (line 12)` for an operation; empty for what only passes a value on. */
export function wordOf(what: Event): string {
  const name = nameOf(what);
  return name === "" || ("op" in what && what.op === "read") ? name : `${name}${lineOf(placeOf(what))}`;
}

/** The name without its line. */
export function nameOf(what: Event): string {
  if ("channel" in what && "data" in what) return `channel ${what.channel}`;
  if ("ram" in what) return what.ram.name;
  if ("data" in what) return what.memory.name;
  if (!("op" in what)) return "";
  if (what.fetch) return what.fetch.ram.name;
  if (what.op === "read") return what.variable?.name ?? "";
  return what.op === "resize" || what.op === "const" ? "" : (operators[what.op] ?? what.op);
}

export function placeOf(what: Event): Loc | undefined {
  if ("data" in what && "memory" in what) return what.memory.loc;
  return "loc" in what ? what.loc : undefined;
}
