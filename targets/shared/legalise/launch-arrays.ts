/**
 * Memory for arrays that a region declares with a size computed at run time. The launch allocates it, and each group or
 * work-item has a slice:
 *
 *     double t[n];      =>      double *t = t_room + (arc_group * 128 + arc_item) * t_extent0;
 */
import type { DeviceFunction } from "../../../core/ir/analysis/routines.ts";
import { extStmt, type Spmd, type Task } from "../../../core/ir/model/ir.ts";
import { argumentsOf, spmdOf } from "../../../core/ir/model/region.ts";
import {
  elementType,
  isArray,
  isPointer,
  LONG,
  mapChildren,
  mapStmt,
  pointerTo,
  sizeOf,
  walkStmt,
} from "../../../core/lang/index.ts";
import type { CType, Diagnostic, Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import {
  binary,
  cast,
  declare,
  freshSymbol,
  ident,
  intLit,
  stripImplicit,
} from "../../../core/lang/tree/build.ts";
import { NotUniform } from "../device/control.ts";
import { workItemId } from "../device/device.ts";
import { elementOf, launchArrays, type UnknownArray } from "../loops/launch-extents.ts";
import { type FlatTypes, namesVariableTypes, withFlatTypes } from "./variable-types.ts";

/** The memory that the launch allocates for one of the program's arrays. */
export interface Room {
  /** The kernel's parameter. */
  readonly sym: Symbol;
  /** Placeholder for the slice number until it is known whether groups or items share the array. */
  readonly slice: Symbol;
  /** Bytes of an element. */
  readonly size: number;
  /** Elements of a slice, computed by the host. */
  readonly elements: Expr;
}

interface FlatRegion {
  readonly task: Task;
  readonly functions: ReadonlyMap<Symbol, DeviceFunction>;
  readonly rooms: readonly Room[];
  /** Symbols for the extents of variables passed to the region, by dimension. */
  readonly extents: ReadonlyMap<Symbol, ReadonlyMap<number, Symbol>>;
  readonly refused: readonly Diagnostic[];
}

/** The region without types of computed sizes; undefined: it has none. */
export function flatRegion(
  task: Task,
  functions: ReadonlyMap<Symbol, DeviceFunction>,
): FlatRegion | undefined {
  const spmd = spmdOf(task);
  const called = flatFunctions(functions);
  const withBody = (code: Stmt): Task => {
    const legalised: Spmd = { ...spmd, body: called.calls(code) };
    return { ...task, body: extStmt(legalised, task.body.span) };
  };
  if (!namesVariableTypes(spmd.body) && called.functions === functions) return undefined;
  const { known, unknown } = launchArrays(task);
  const rooms = new Map(known.map(({ sym, elements }) => [sym, roomFor(sym, elements)] as const));
  const nowhere = new Map(unknown.map(({ sym }) => [sym, roomFor(sym, intLit(0, LONG))] as const));
  const extents = new Map<Symbol, Map<number, Symbol>>();
  for (const { sym, how, dim, name } of argumentsOf(task))
    if (how === "extent" && dim !== undefined)
      extents.set(sym, (extents.get(sym) ?? new Map()).set(dim, freshSymbol(name, LONG)));
  const { body } = withFlatTypes(spmd.body, {
    given: extents,
    room: (sym, elements) => {
      const room = rooms.get(sym) ?? nowhere.get(sym);
      return room && binary("+", ident(room.sym), binary("*", ident(room.slice), elements));
    },
  });
  return {
    task: withBody(body),
    functions: called.functions,
    rooms: [...rooms.values()],
    extents,
    refused: unknown.map(refusal),
  };
}

function roomFor({ name, type }: Symbol, elements: Expr): Room {
  const element = elementOf(type);
  return {
    sym: freshSymbol(`${name}_room`, pointerTo(element)),
    slice: freshSymbol("arc_slice", LONG),
    size: sizeOf(element) ?? 1,
    elements,
  };
}

const refusal = ({ sym: { name }, loc, why, remedy }: UnknownArray): Diagnostic => ({
  severity: "error",
  code: "variable-array",
  loc,
  message: `the size of '${name.replace(/_own$/, "")}' is not known when the region starts, and its memory is allocated then`,
  why,
  remedy,
});

interface FlatFunctions {
  readonly functions: ReadonlyMap<Symbol, DeviceFunction>;
  /** Rewrites the calls of these functions in code. */
  readonly calls: (code: Stmt) => Stmt;
}

/** Rewrites parameters and pointers of such types. Arrays stay, as their sizes depend on the call, not on the launch. */
function flatFunctions(functions: ReadonlyMap<Symbol, DeviceFunction>): FlatFunctions {
  const types: FlatTypes = { given: new Map(), room: () => undefined };
  const bodies = new Map<DeviceFunction, ReturnType<typeof withFlatTypes>>();
  for (const f of new Set(functions.values())) {
    const { params, body } = f.def;
    if (namesVariableTypes(body) || params.some((p) => namesVariableTypes(declare(p))))
      bodies.set(f, withFlatTypes(body, types, params));
  }
  if (bodies.size === 0) return { functions, calls: (code) => code };
  const calls = (code: Stmt): Stmt =>
    mapStmt(code, {
      expr(e) {
        const callee = e.kind === "call" ? stripImplicit(e.callee) : undefined;
        const called = callee?.kind === "ident" ? functions.get(callee.sym) : undefined;
        const flat = called && bodies.get(called);
        if (e.kind !== "call" || !flat) return e;
        const args = e.args.map((arg, k) => {
          const param = flat.params[k];
          return param && param !== called.def.params[k] ? asElements(arg, param.type) : arg;
        });
        return { ...e, args };
      },
    });
  const flattened = new Map<DeviceFunction, DeviceFunction>();
  const flat = (f: DeviceFunction): DeviceFunction => {
    const known = flattened.get(f);
    if (known) return known;
    const { params, body } = bodies.get(f) ?? f.def;
    const own = { ...f, def: { ...f.def, params, body: calls(body) } as typeof f.def };
    flattened.set(f, own);
    return own;
  };
  return { functions: new Map([...functions].map(([sym, f]) => [sym, flat(f)] as const)), calls };
}

function asElements(arg: Expr, to: CType): Expr {
  const array = stripImplicit(arg);
  const leadsTo = isPointer(arg.type) ? elementType(arg.type) : undefined;
  if (leadsTo && !isArray(leadsTo)) return arg;
  return array.kind === "ident" ? { kind: "cast", to, arg: array, type: to, span: arg.span } : cast(to, arg);
}

// ---------------------------------------------------------------- slices

interface Sliced {
  readonly body: Stmt;
  /** The bytes of each room, as image-file expressions. */
  readonly bytes: readonly string[];
}

/**
 * `ofItems`: statements that each of a group's `items` runs separately. `first`: the number of the first room's element
 * count in the image file.
 */
export function sliced(
  body: Stmt,
  rooms: readonly Room[],
  { items, ofItems, first }: { items: number; ofItems: (s: Stmt) => boolean; first: number },
): Sliced {
  const markers = new Set(rooms.map((room) => room.slice));
  const ofEach = new Set<Symbol>();
  const look = (s: Stmt, each: boolean, number: (marker: Symbol) => Expr | undefined): Stmt => {
    const own = each || ofItems(s);
    if (s.kind !== "decl") return mapChildren(s, (child) => look(child, own, number));
    return mapStmt(s, {
      expr: (e) => {
        if (e.kind !== "ident" || !markers.has(e.sym)) return e;
        if (own && items > 1) ofEach.add(e.sym);
        const group = number(e.sym) as Expr;
        return own && items > 1 ? binary("+", group, workItemId("item")) : group;
      },
    });
  };
  const stay = (marker: Symbol): Expr => ident(marker);
  look(body, false, stay);
  const wide = (marker: Symbol): Expr =>
    ofEach.has(marker) ? binary("*", workItemId("group"), intLit(items, LONG)) : workItemId("group");
  const withSlices = items > 1 ? look(body, false, wide) : everywhere(body, markers, wide);
  if (mentions(withSlices, markers)) throw new NotUniform();
  const bytes = rooms.map(({ slice, size }, k) => {
    const slices = ofEach.has(slice) ? `gx gy * ${items} *` : "gx gy *";
    return `t${first + k} 0 max ${size} * ${slices} *`;
  });
  return { body: withSlices, bytes };
}

const everywhere = (body: Stmt, markers: ReadonlySet<Symbol>, number: (marker: Symbol) => Expr): Stmt =>
  mapStmt(body, { expr: (e) => (e.kind === "ident" && markers.has(e.sym) ? number(e.sym) : e) });

/** Whether a marker is left: in a statement expression, where it is unknown whether one item or all run it. */
function mentions(body: Stmt, markers: ReadonlySet<Symbol>): boolean {
  let found = false;
  walkStmt(body, {
    expr(e) {
      found ||= e.kind === "ident" && markers.has(e.sym);
    },
  });
  return found;
}
