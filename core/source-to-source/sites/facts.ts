/** The IR of each directive: the regions and loops that normalisation made of it. */
import { asNode, type DataItem, type Level, type Loop, type Spmd, type Task } from "../../ir/model/ir.ts";
import type { Program } from "../../ir/model/program.ts";
import { spmdOf } from "../../ir/model/region.ts";
import { walkStmt } from "../../lang/index.ts";
import type { Pragma, Stmt, Symbol } from "../../lang/tree/ast.ts";

export interface LoopFacts {
  readonly loop: Loop;
  /** The enclosing region; a routine's loop has none. */
  readonly task?: Task;
  /** Levels of the enclosing loops in its region. */
  readonly around: ReadonlySet<Level>;
}

export interface Facts {
  /** Several if a `kernels` construct was split. */
  tasks(pragma: Pragma): readonly Task[];
  loop(pragma: Pragma): LoopFacts | undefined;
  /** Data that the regions of a split `kernels` construct share. */
  shared(pragma: Pragma): readonly DataItem[];
  /** A `declare` has the variable on the device for the whole program. */
  readonly declared: ReadonlySet<Symbol>;
  /** Loops of a region without a directive, outermost first. */
  bare(pragma: Pragma): readonly LoopFacts[];
  /** How many loops a mapping collapses into this one, if that differs from the directive. */
  readonly collapse?: (stmt: Stmt) => number | undefined;
  /** Whether a mapping has chosen the levels, so that the original sizes no longer apply. */
  readonly mapped?: (pragma: Pragma) => boolean;
}

export function factsOf({ unit, declares }: Program): Facts {
  const tasks = new Map<Pragma, Task[]>();
  const loops = new Map<Pragma, LoopFacts>();
  const shared = new Map<Pragma, readonly DataItem[]>();
  const bare = new Map<Pragma, LoopFacts[]>();
  const visit = (s: Stmt, task: Task | undefined, around: ReadonlySet<Level>): void =>
    walkStmt(s, {
      stmt(inner) {
        const region = asNode(inner, "task");
        if (region) {
          const { pragma } = region.site;
          if (pragma) tasks.set(pragma, [...(tasks.get(pragma) ?? []), region]);
          visit(region.body, region, new Set());
          return false;
        }
        const data = asNode(inner, "data");
        if (data?.kernels && data.site.pragma) shared.set(data.site.pragma, data.items);
        const loop = asNode(inner, "loop");
        if (!loop) return undefined;
        const found: LoopFacts = { loop, ...(task && { task }), around };
        const { pragma } = loop.site;
        if (pragma) loops.set(pragma, found);
        else if (task?.site.pragma)
          bare.set(task.site.pragma, [...(bare.get(task.site.pragma) ?? []), found]);
        visit(loop.body, task, new Set([...around, ...loop.parallel.levels]));
        return false;
      },
      expr: () => false,
    });
  for (const external of unit.externals)
    if (external.kind === "function") visit(external.body, undefined, new Set());
  return {
    declared: new Set(declares.flatMap(({ items }) => items.map(({ sym }) => sym))),
    tasks: (pragma) => tasks.get(pragma) ?? [],
    loop: (pragma) => loops.get(pragma),
    shared: (pragma) => shared.get(pragma) ?? [],
    bare: (pragma) => bare.get(pragma) ?? [],
  };
}

/** Items that no clause names and that the directive's own model implies. */
export const implicitItems = (task: Task): readonly DataItem[] =>
  task.items.filter(({ mapping, sharing }) => mapping.vis === "implicit" && sharing.vis === "implicit");

/** Variables of the region alone that stand for ones that no clause names, as these: the region has copies of them. */
export const standIns = (task: Task): readonly DataItem[] =>
  task.items.flatMap((item) =>
    item.own && item.mapping.vis === "implicit" && item.object.kind === "ident"
      ? [{ ...item, sym: item.object.sym }]
      : [],
  );

export const spmd = (task: Task): Spmd => spmdOf(task);
