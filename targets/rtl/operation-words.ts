/** Names of a schedule's operations as in the source, with lines. */
import type { Event } from "../../core/hw/binding/process.ts";
import type { Value } from "../../core/hw/dfg/value.ts";
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
export function wordOf(event: Event): string {
  const name = nameOf(event);
  return name === "" || ("op" in event && event.op === "read")
    ? name
    : `${name}${lineOf(sourceLineOf(event))}`;
}

/** The name without its line. */
export function nameOf(event: Event): string {
  if ("channel" in event && "data" in event) return `channel ${event.channel}`;
  if ("ram" in event) return event.ram.name;
  if ("data" in event) return event.memory.name;
  if (!("op" in event)) return "";
  if (event.fetch) return event.fetch.ram.name;
  if (event.op === "read") return event.variable?.name ?? "";
  return event.op === "resize" || event.op === "const" ? "" : (operators[event.op] ?? event.op);
}

export function sourceLineOf(event: Event): Loc | undefined {
  if ("data" in event && "memory" in event) return event.memory.loc;
  return "loc" in event ? event.loc : undefined;
}
