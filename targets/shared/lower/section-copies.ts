/**
 * Sections of arrays that all lanes of a group read alike (mapping/sections.ts), in the group's memory:
 *
 *     barrier; each item: copy[t] = q[c][t], for some t; barrier
 *     for (j = ...) ... copy[j] ...
 */
import { entryOf } from "../../../core/checked/access.ts";
import { rootOf } from "../../../core/ir/analysis/access.ts";
import { asNode, extStmt, type Loop, type LoopHeader, type Threads } from "../../../core/ir/model/ir.ts";
import { node } from "../../../core/ir/model/node-shapes.ts";
import type { Argument } from "../../../core/ir/model/region.ts";
import {
  copyWithFreshLocals,
  evaluateInteger,
  LONG,
  mapChildren,
  mapStmt,
  printExpr,
  substituteExpr,
  unqualified,
} from "../../../core/lang/index.ts";
import type { Diagnostic, Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import {
  assign,
  binary,
  compound,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  index,
  intLit,
} from "../../../core/lang/tree/build.ts";
import { arrayOf } from "../../../core/lang/tree/types.ts";
import { flat, hasBarrier } from "../device/control.ts";
import { counted } from "../device/counted-loop.ts";
import { barrier, type KernelParam, type Lanes, workItemId } from "../device/device.ts";
import { isolate } from "../loops/alpha-rename.ts";
import { tripCount, valueAt } from "../loops/trips.ts";
import { unless } from "../mapping/nests.ts";
import { type Section, type Sections, sectionsOf } from "../mapping/sections.ts";
import { type Geometry, groupSize } from "./geometry/geometry.ts";
import { lanesOf, overlaps, reachOf } from "./mapping.ts";

export interface CopiedSections {
  readonly body: Stmt;
  readonly groupMemory: readonly Symbol[];
  readonly params: readonly KernelParam[];
  readonly remarks: readonly Diagnostic[];
  readonly lanes: Lanes;
}

/** A kernel's body with such copies; undefined: there is nothing to copy. */
export function copiedSections(
  body: Stmt,
  geometry: Geometry,
  args: readonly Argument[],
): CopiedSections | undefined {
  const groupMemory: Symbol[] = [];
  const params: KernelParam[] = [];
  const remarks: Diagnostic[] = [];
  const lanes: Lanes[] = [];
  const rewritten = (s: Stmt): Stmt => {
    const loop = asNode(s, "loop");
    const found =
      loop && isOneEach(loop, geometry)
        ? sectionsOf(loop, body, reachOf(args), (h) => evaluateInteger(tripCount(h)))
        : undefined;
    if (!loop || !found) return mapChildren(s, rewritten);
    const code = new Copies(found, groupSize(geometry));
    const together = extStmt(
      node<Threads>({ kind: "threads", body: code.of(loop), site: loop.site }),
      s.span,
    );
    const checks = overlaps(found.pairs, args);
    groupMemory.push(...code.memory);
    params.push(...checks.flags);
    remarks.push(remarkOn(loop, found));
    lanes.push(lanesOf(loop));
    return checks.clear
      ? ifStmt(checks.clear, compound([together]), copyWithFreshLocals(isolate(s)))
      : together;
  };
  const all = rewritten(body);
  const [first] = lanes;
  return first && { body: all, groupMemory, params, remarks, lanes: first };
}

/** Each item of a group has exactly one iteration. */
function isOneEach(loop: Loop, geometry: Geometry): boolean {
  const { headers, reductions } = loop;
  const [header, ...more] = headers as [LoopHeader, ...LoopHeader[]];
  const items = groupSize(geometry);
  return (
    geometry.sharers(loop) === "items" &&
    more.length === 0 &&
    reductions.length === 0 &&
    items > 1 &&
    evaluateInteger(tripCount(header)) === BigInt(items)
  );
}

class Copies {
  readonly memory: Symbol[] = [];
  private readonly found: Sections;
  private readonly items: number;

  constructor(found: Sections, items: number) {
    this.found = found;
    this.items = items;
  }

  of({ headers: [header], privates }: Loop): Stmt {
    const h = header as LoopHeader;
    return compound([
      declare(h.var, valueAt(h, workItemId("item"))),
      ...privates.map((p) => declare(p)),
      ...flat(this.around(this.found.body)),
    ]);
  }

  /** PoCL 3.1 loses track of barriers in branches unless there are also barriers before the branch and at its end. */
  private around(s: Stmt): Stmt {
    const section = this.found.sections.get(s);
    if (section) return this.copied(section);
    if (s.kind !== "if") return mapChildren(s, (child) => this.around(child));
    const branch = (b: Stmt): Stmt => {
      const code = this.around(b);
      return hasBarrier(code) ? compound([...flat(code), barrier()], b.span) : code;
    };
    const rewritten = { ...s, then: branch(s.then), ...(s.else && { else: branch(s.else) }) };
    return hasBarrier(rewritten) ? compound([barrier(), rewritten], s.span) : s;
  }

  private copied({ loop, header, elements, loads }: Section): Stmt {
    const t = freshSymbol("arc_t", LONG);
    const copies = new Map(
      [...loads].map(([text, e]) => [
        text,
        freshSymbol(`${rootOf(e)?.sym.name}_section`, arrayOf(unqualified(e.type), elements)),
      ]),
    );
    this.memory.push(...copies.values());
    const at = (e: Expr): Expr => substituteExpr(e, new Map([[header.var, valueAt(header, ident(t))]]));
    const fill = [...loads].map(([text, e]) =>
      exprStmt(assign(index(ident(entryOf(copies, text)), ident(t)), at(e))),
    );
    const first = evaluateInteger(header.lower) ?? 0n;
    const own = first === 0n ? ident(header.var) : binary("-", ident(header.var), intLit(first));
    const body = mapStmt(loop.body, {
      expr(e) {
        const copy = e.kind === "index" || e.kind === "member" ? copies.get(printExpr(e)) : undefined;
        return copy ? index(ident(copy), own) : e;
      },
    });
    return compound([
      barrier(),
      counted(t, workItemId("item"), intLit(elements, LONG), intLit(this.items, LONG), compound(fill)),
      barrier(),
      { ...loop, body },
    ]);
  }
}

function remarkOn({ site }: Loop, { sections, pairs }: Sections): Diagnostic {
  const all = [...sections.values()];
  const names = [
    ...new Set(all.flatMap((s) => [...s.loads.values()].map((e) => `'${rootOf(e)?.sym.name}'`))),
  ];
  const loops = [...new Set(all.map((s) => `'${s.header.var.name}'`))];
  return {
    severity: "note",
    code: "staged-by-groups",
    loc: site.loc,
    message: `each group copies what all its lanes read of ${names.join(", ")} in the loop over ${loops.join(", ")} into its memory${unless(pairs)}`,
    ...(pairs.length > 0 && { remedy: "declare pointers that never overlap 'restrict'" }),
  };
}
