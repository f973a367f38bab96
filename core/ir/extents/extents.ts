/**
 * How much memory a clause means that names a pointer without a section, and what regions need of pointers that no
 * clause names: the extent that the parameter declares, the visible allocation, or what the region's subscripts
 * certainly reach.
 */

import { canonical, isDataPointer, mapChildren, printExpr, walkStmt } from "../../lang/index.ts";
import type { Diagnostic, Expr, FunctionDef, Loc, Pragma, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { ident } from "../../lang/tree/build.ts";
import { leadsToConstant, usesOf } from "../analysis/access.ts";
import { asNode, type DataItem, type IrNode, isOpenMp, type Mapping, type Task } from "../model/ir.ts";
import { spmdOf } from "../model/region.ts";
import type { Allocations } from "./allocations.ts";
import { declaredExtents } from "./declared.ts";
import { reachOf } from "./reach.ts";

/** Mappings that move data or allocate memory for it. */
const sized: ReadonlySet<Mapping> = new Set([
  "to",
  "from",
  "tofrom",
  "allocate",
  "update-self",
  "update-device",
]);

/** A node with data items. */
type Holder = Extract<IrNode, { readonly items: unknown }>;

interface Extent {
  readonly length: Expr;
  readonly why: string;
  readonly loc?: Loc;
}

/** `body`: the function's body with its directives read; `declared`: variables in directives at file scope. */
export function withExtents(
  def: FunctionDef,
  body: Stmt,
  allocations: Allocations,
  declared: ReadonlySet<Symbol>,
): { readonly body: Stmt; readonly remarks: readonly Diagnostic[] } {
  if (body === def.body) return { body, remarks: [] };
  const reader = new Reader(def, allocations);
  return { body: reader.visit(body, declared), remarks: reader.remarks };
}

class Reader {
  readonly remarks: Diagnostic[] = [];
  private readonly allocations: Allocations;
  private readonly declaredExtents: ReadonlyMap<Symbol, Expr>;

  constructor(def: FunctionDef, allocations: Allocations) {
    this.allocations = allocations;
    this.declaredExtents = declaredExtents(def);
  }

  /** `around`: variables that enclosing directives name. */
  visit(s: Stmt, around: ReadonlySet<Symbol>): Stmt {
    const n = s.kind === "ext" ? (s.ext as IrNode) : undefined;
    const named = n
      ? namedBy(n)
      : s.kind === "compound"
        ? s.body.flatMap((c) => asNode(c, "declare")?.items ?? []).map((i) => i.sym)
        : [];
    const inside = named.length > 0 ? new Set([...around, ...named]) : around;
    const visited = mapChildren(s, (child) => this.visit(child, inside));
    if (visited.kind !== "ext") return visited;
    const ext = this.node(visited.ext as IrNode, around);
    return ext === visited.ext ? visited : { ...visited, ext };
  }

  private node(n: IrNode, around: ReadonlySet<Symbol>): IrNode {
    if (!("items" in n)) return n;
    const { pragma } = n.site;
    const items = n.items.map((i) => this.item(i, n, pragma));
    const known = n.kind === "task" && pragma ? [...items, ...this.unnamed(n, pragma, around)] : items;
    return { ...n, items: known } as IrNode;
  }

  private item(item: DataItem, n: Holder, pragma: Pragma | undefined): DataItem {
    if (item.object.kind !== "ident" || item.section.length > 0 || !sized.has(item.mapping.is)) return item;
    const declared = this.declaredExtents.get(item.sym);
    if (declared) return { ...item, section: [{ length: declared }] };
    // OpenMP maps the pointer itself.
    if (!pragma || !isDataPointer(item.sym.type) || isOpenMp(n.site)) return item;
    const extent = this.extent(item.sym, pragma, n);
    if (typeof extent === "string") return { ...item, unsized: extent };
    this.remark(item.written, extent, "extent-taken", item.loc, "is taken as");
    return { ...item, section: [{ length: extent.length }] };
  }

  /** `n`: the construct whose regions determine it, if nothing else does. */
  private extent(sym: Symbol, pragma: Pragma, n: IrNode | undefined): Extent | string {
    const allocated = this.allocations.at(sym, pragma);
    if (typeof allocated !== "string")
      return { length: allocated.length, why: "as much was allocated", loc: allocated.loc };
    const length = n && reachedIn(n, sym, pragma);
    if (length === undefined) return allocated;
    return typeof length === "string"
      ? `${allocated}; ${length}`
      : { length, why: "its loops go no further" };
  }

  /** Pointers of a region that no clause names: copied if their target is not on the device. */
  private unnamed(task: Task, pragma: Pragma, around: ReadonlySet<Symbol>): readonly DataItem[] {
    if (task.defaultData !== undefined) return [];
    const spmd = spmdOf(task);
    const uses = usesOf(spmd.body);
    const named = new Set([
      ...around,
      ...task.items.map((i) => i.sym),
      ...spmd.privates,
      ...spmd.firstprivates,
      ...spmd.reductions.map((r) => r.sym),
    ]);
    return [...uses.of].flatMap(([sym, use]): DataItem[] => {
      if (named.has(sym) || uses.declared.has(sym) || !isDataPointer(sym.type)) return [];
      if (!(use.elementsRead || use.elementsWritten) || use.written || use.addressTaken) return [];
      if (canonical(elementOf(sym)).kind === "pointer") return [];
      const extent = isOpenMp(task.site)
        ? this.extent(sym, pragma, undefined)
        : this.extent(sym, pragma, task);
      if (typeof extent === "string") return [];
      const is = use.elementsWritten && !leadsToConstant(sym.type) ? "tofrom" : "to";
      this.remark(
        sym.name,
        extent,
        "implicit-extent",
        use.at.span.start,
        "is in no clause: where it is not present, the region copies",
      );
      return [
        {
          sym,
          object: ident(sym, use.at.span),
          section: [{ length: extent.length }],
          written: sym.name,
          sharing: { is: "shared", vis: "implicit" },
          mapping: { is, vis: "implicit" },
          access: "none",
          loc: task.site.loc,
        },
      ];
    });
  }

  private remark(name: string, { length, why, loc }: Extent, code: string, at: Loc, is: string): void {
    this.remarks.push({
      severity: "note",
      code,
      loc: at,
      // The message omits the case of an empty loop.
      message: `'${name}' ${is} ${name}[0:${printExpr(length.kind === "cond" && length.then ? length.then : length)}]: ${why}`,
      ...(loc && { notes: [{ message: "the allocation is here", loc }] }),
    });
  }
}

function elementOf(sym: Symbol) {
  const type = canonical(sym.type);
  return type.kind === "pointer" ? type.to : type;
}

/** Variables that have another meaning inside. */
function namedBy(n: IrNode): readonly Symbol[] {
  if (n.kind === "data") return n.items.map((i) => i.sym);
  return n.kind === "host-data" ? n.variables : [];
}

/** How far the construct's regions reach; undefined if it has none. */
function reachedIn(n: IrNode, sym: Symbol, pragma: Pragma): Expr | string | undefined {
  if (n.kind === "task") return reachOf(sym, [spmdOf(n)], pragma, () => true);
  if (n.kind !== "data") return undefined;
  const regions: Task[] = [];
  let elsewhere = false;
  walkStmt(n.body, {
    stmt(s) {
      const task = asNode(s, "task");
      if (task) regions.push(task);
      return task === undefined;
    },
    expr: (e) => {
      if (e.kind === "ident" && e.sym === sym) elsewhere = true;
    },
  });
  if (regions.length === 0) return undefined;
  if (elsewhere) return `'${sym.name}' is used between the regions, too`;
  const uses = usesOf(n.body).of;
  // Other functions may change variables that are not local.
  const steady = (v: Symbol) =>
    (v.kind === "param" || v.scope === "block") && !uses.get(v)?.written && !uses.get(v)?.addressTaken;
  return reachOf(sym, regions.map(spmdOf), pragma, steady);
}
