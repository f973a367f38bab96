/** Map clauses: the objects they name and the data movement they ask for (OpenMP 5.0, section 2.19.7.1). */
import { isDataPointer, printExpr, walkStmt } from "../../lang/index.ts";
import type { Expr, Stmt, TranslationUnit } from "../../lang/tree/ast.ts";
import { call, cast, ident, intLit, stripImplicit, unary } from "../../lang/tree/build.ts";
import { pointerTo } from "../../lang/tree/types.ts";
import { deviceAddresses } from "../directives/device-addresses.ts";
import { type Clause, clause, type Directive, exprOf, site, type VarRef } from "../directives/directive.ts";
import { dataItem } from "../directives/items.ts";
import { merged } from "../directives/merged.ts";
import type { Reading } from "../directives/read-state.ts";
import {
  type DataItem,
  type DataMove,
  type DataRegion,
  extStmt,
  type HostData,
  type IrNode,
  type Mapping,
} from "../model/ir.ts";
import { node } from "../model/node-shapes.ts";
import { targetTask } from "./parallel/tasks.ts";

const entering: Readonly<Record<string, Mapping>> = {
  to: "to",
  tofrom: "tofrom",
  from: "from",
  alloc: "allocate",
  storage: "allocate",
};
/**
 * Older spellings that ask for more than the construct does are reduced: `tofrom` copies in on entry and out on exit.
 */
const types: Readonly<Record<string, Readonly<Record<string, Mapping>>>> = {
  "target enter data": { to: "to", tofrom: "to", alloc: "allocate", storage: "allocate" },
  "target exit data": { from: "from", tofrom: "from", release: "delete", delete: "delete" },
};

export function items(reading: Reading, d: Directive): DataItem[] {
  const allowed = types[d.name] ?? entering;
  const fallback = d.name === "target exit data" ? "from" : "tofrom";
  const mapped = d.clauses
    .filter((c) => c.name === "map")
    .map((c) => ({ ...c, vars: c.vars.flatMap((v) => (isCompute(d) ? mappedForRegion(v, d) : moved(v))) }))
    .flatMap((c) => {
      const written = c.names[0] ?? fallback;
      const less = c.byMapper && allowed[written] === undefined;
      const type = !less ? written : d.name === "target exit data" ? "release" : "alloc";
      const is = allowed[type];
      if (is !== undefined) return c.vars.map((v) => dataItem(v, ...mapping(c, type, is, d.name)));
      reading.report(
        "map-type",
        c.loc,
        `map type '${type}' cannot be used on '${d.name}'`,
        `allowed here: ${Object.keys(allowed)
          .filter((t) => t !== "storage")
          .join(", ")}`,
      );
      return [];
    });
  const ordered = mapped.toSorted((a, b) => placeInOrder(a) - placeInOrder(b));
  const pointers = d.clauses.filter((c) => c.name === "is_device_ptr" || c.name === "has_device_addr");
  return [
    // Pointers are attached inside the object that contains them, so that object comes first, and they before theirs.
    ...merged(ordered.filter((i) => !i.each)).items,
    ...ordered.filter((i) => i.each),
    ...pointers.flatMap((c) => c.vars.map((v) => dataItem(v, "deviceptr", {}))),
  ];
}

function mapping(
  c: Clause,
  type: string,
  is: Mapping,
  name: string,
): [Mapping, Partial<DataItem["mapping"]>] {
  const always = c.modifiers.includes("always");
  const extra = {
    ...(type === "delete" && { finalize: true as const }),
    ...(always && (is === "to" || is === "tofrom") && { alwaysIn: true as const }),
    ...(always && (is === "from" || is === "tofrom") && { alwaysOut: true as const }),
  };
  // Where a copy begins, `present` leaves nothing to do; where it ends, the type still says whether it is copied.
  const isThere = c.modifiers.includes("present") && name !== "target exit data";
  return [isThere ? "present" : is, extra];
}

/** The default device of a unit that sets it: OpenMP allows it to be the host, which runs constructs as plain C. */
export function defaultDevice({ externals, scope }: TranslationUnit): Expr | undefined {
  const set = scope.lookup("omp_set_default_device");
  const get = scope.lookup("omp_get_default_device");
  if (!set || !get) return undefined;
  let found = false;
  for (const e of externals)
    if (e.kind === "function")
      walkStmt(e.body, {
        stmt: () => !found,
        expr(child) {
          found ||= child.kind === "ident" && child.sym === set;
          return !found;
        },
      });
  return found ? call(ident(get), []) : undefined;
}

/** The device and the condition of the construct, from its clauses. */
export function placed(reading: Reading, d: Directive): Pick<DataMove, "device" | "condition"> {
  const when = ifClause(d);
  const named = clause(d, "device")?.exprs[0];
  const number = named && named !== "*" ? named : reading.defaultDevice;
  return { ...(number && { device: number }), ...(when && { condition: when }) };
}

/** The `if` clause of the construct itself; `if(parallel: ...)` belongs to a construct inside. */
function ifClause(d: Directive): Expr | undefined {
  const own =
    d.name.startsWith("target ") &&
    !(d.name in types || d.name === "target update" || d.name === "target data")
      ? "target"
      : d.name;
  const found = d.clauses.find((c) => c.name === "if" && (c.names[0] ?? own) === own);
  return exprOf(found);
}

export function move(reading: Reading, d: Directive): DataMove | undefined {
  const what = d.name === "target update" ? "update" : d.name === "target enter data" ? "enter" : "exit";
  const moved = what === "update" ? updates(d) : items(reading, d);
  if (moved.length === 0 && d.clauses.some((c) => c.vars.some(isPointerItself))) return undefined;
  const asTask = targetTask(reading, d);
  if (asTask.hostTask !== undefined) refuseRepeated(reading, moved);
  return node<DataMove>({
    kind: "data-move",
    what,
    site: site(d),
    ...placed(reading, d),
    ...asTask,
    items: moved,
  });
}

/** A task captures what leads to its data, one by one. */
export function refuseRepeated(reading: Reading, moved: readonly DataItem[]): void {
  const [first] = moved.filter((i) => i.each);
  if (!first) return;
  reading.report(
    "iterator-range",
    first.loc,
    `how many items '${first.written}' stands for is not known when arc compiles, and a task of the host captures each`,
    "leave out 'nowait' and 'depend', or put a loop around a directive for one item",
  );
}

/**
 * A pointer named without a section: in regions its value is translated to a device address, so there is nothing to
 * move.
 */
export const isPointerItself = ({ sym, object, section }: VarRef): boolean =>
  object.kind === "ident" && section.length === 0 && isDataPointer(sym.type) && !sym.asArray;

/** A pointer member whose target another item of the construct maps: that item attaches it. */
const leadsOn = (v: VarRef, d: Directive): boolean =>
  v.section.length === 0 &&
  v.object.kind === "member" &&
  isDataPointer(v.object.type) &&
  d.clauses.some((c) =>
    c.vars.some((other) => other.section.length > 0 && printExpr(other.object) === printExpr(v.object)),
  );

const isCompute = (d: Directive): boolean => !(d.name in types) && d.name !== "target data";

/** Regions get the translated pointer. */
const mappedForRegion = (v: VarRef, d: Directive): readonly VarRef[] =>
  isPointerItself(v) || leadsOn(v, d) ? [] : [v];

/** What data directives move: of a member that is a pointer, named without a section, the pointer. */
function moved(v: VarRef): readonly VarRef[] {
  if (isPointerItself(v)) return [];
  if (v.section.length > 0 || v.object.kind !== "member" || !isDataPointer(v.object.type)) return [v];
  const object = cast(pointerTo(v.object.type), unary("&", v.object));
  return [{ ...v, object, section: [{ start: intLit(0), length: intLit(1) }] }];
}

const placeInOrder = ({ object, section }: DataItem): number =>
  2 * depthOf(object) + (section.length > 0 && object.kind !== "cast" ? 1 : 0);

function depthOf(e: Expr): number {
  const inner = stripImplicit(e);
  if (inner.kind === "member" || inner.kind === "index") return 1 + depthOf(inner.base);
  return inner.kind === "unary" ? 1 + depthOf(inner.arg) : 0;
}

/** Data that is not on the device is not updated, unless `present` requires it to be there. */
function updates(d: Directive): DataItem[] {
  return d.clauses.flatMap((c) => {
    if (c.name !== "to" && c.name !== "from") return [];
    const extra = c.modifiers.includes("present") ? {} : { ifPresent: true as const };
    return c.vars
      .flatMap(moved)
      .map((v) => dataItem(v, c.name === "from" ? "update-self" : "update-device", extra));
  });
}

/** `target data`, and in its body the device addresses of variables in `use_device_ptr` and `use_device_addr`. */
export function region(reading: Reading, d: Directive, body: Stmt, source: Stmt): IrNode {
  const used = d.clauses.filter((c) => c.name === "use_device_ptr" || c.name === "use_device_addr");
  const common = { site: site(d, source), ...placed(reading, d) };
  const addresses = used.flatMap((c) => c.vars);
  const inner =
    addresses.length === 0
      ? body
      : extStmt(
          node<HostData>({
            kind: "host-data",
            ...common,
            ifPresent: true,
            ...deviceAddresses(addresses, body),
          }),
          body.span,
        );
  return node<DataRegion>({ kind: "data", ...common, items: items(reading, d), body: inner });
}

export const needsMap = (d: Directive): boolean =>
  ["target data", "target enter data", "target exit data"].includes(d.name) &&
  !clause(d, "map") &&
  !clause(d, "use_device_ptr") &&
  !clause(d, "use_device_addr");
