/**
 * `kernels`: normalisation has decided what runs in parallel, and that result is translated. A construct with one loop
 * nest becomes one `target`; one with several nests becomes a data region with a `target` for each, and for the statements
 * between them. If its parts share variables that it declares, all of it becomes one `target` with one team.
 */
import { usesOf } from "../../ir/analysis/access.ts";
import { isGlobal } from "../../ir/analysis/routines.ts";
import { asNode, type Loop, type Task } from "../../ir/model/ir.ts";
import { wholeLoop } from "../../ir/normalise/levels.ts";
import { walkExpr, walkStmt } from "../../lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";
import type { Facts, LoopFacts } from "../sites/facts.ts";
import { spmd } from "../sites/facts.ts";
import type { Site } from "../sites/site.ts";

export type Form = "teams" | "split" | "one-team";

export function formOf(site: Site, facts: Facts): Form {
  const { directive: d } = site;
  const tasks = facts.tasks(d.pragma);
  const [only] = tasks;
  if (tasks.length === 1 && only) return gangLoop(only) ? "teams" : "one-team";
  if (!isRepeatable(site) || !tasks.some(gangLoop)) return "one-team";
  return tasks.every(gangLoop) || betweenNests(site, facts) ? "split" : "one-team";
}

/** Whether the construct's condition and queue have the same value for each of its parts. */
function isRepeatable({ directive: d, stmt }: Site): boolean {
  const found = d.clauses.filter((c) => ["if", "self", "async"].includes(c.name)).flatMap((c) => c.exprs);
  return isSteady(
    found.filter((e) => e !== "*"),
    stmt,
  );
}

/** Whether expressions have the same value before and behind a statement: constants, and scalars that stay as they are. */
export function isSteady(list: readonly Expr[], stmt: Stmt | undefined): boolean {
  if (list.length === 0) return true;
  const inside = stmt && usesOf(stmt);
  const declared = [...(inside?.declared ?? [])];
  const isHidden = (sym: Symbol): boolean =>
    declared.some((other) => other !== sym && other.name === sym.name);
  return list.every((e) => {
    let steady = inside !== undefined;
    walkExpr(e, {
      expr(one) {
        const use = one.kind === "ident" ? inside?.of.get(one.sym) : undefined;
        // What other functions or pointers change is not seen here.
        if (one.kind === "ident")
          steady &&= !use?.written && !use?.addressTaken && !isGlobal(one.sym) && !isHidden(one.sym);
        else steady &&= ["int", "char", "cast", "cond", "binary"].includes(one.kind) || isSign(one);
      },
    });
    return steady;
  });
}

const isSign = (e: Expr): boolean => e.kind === "unary" && ["+", "-", "~", "!"].includes(e.op);

/** Statements of a construct that follow each other, and the region that they are. */
interface Between {
  readonly task: Task;
  readonly stmts: readonly Stmt[];
}

/**
 * The statements between the nests of a construct; undefined if its text does not show them as normalisation has them, or
 * begins them with a directive. A loop with a directive is not among them: the directive becomes that of its region.
 */
export function betweenNests({ stmt, directive: d }: Site, facts: Facts): readonly Between[] | undefined {
  if (stmt?.kind !== "compound") return undefined;
  const tasks = [...facts.tasks(d.pragma)];
  const found: Between[] = [];
  let open: Stmt[] | undefined;
  for (const s of stmt.body) {
    if (s.kind === "decl") return undefined;
    if (s.kind === "expr" && !s.expr) continue;
    const ofLoop = facts.tasks(d.pragma).find((task) => wholeNest(task)?.site.stmt?.span === s.span);
    if (ofLoop) {
      if (tasks.shift() !== ofLoop) return undefined;
      if (!gangLoop(ofLoop) && !wholeNest(ofLoop)?.site.pragma) found.push({ task: ofLoop, stmts: [s] });
      open = undefined;
    } else if (open) open.push(s);
    else {
      const task = tasks.shift();
      if (!task || wholeNest(task) || (s.pragmas ?? []).length > 0) return undefined;
      open = [s];
      found.push({ task, stmts: open });
    }
  }
  return tasks.length === 0 ? found : undefined;
}

/** Whether a loop of a `kernels` construct has one team to itself. */
export const hasOneTeam = (form: Form | undefined, task: Task | undefined): boolean =>
  form === "one-team" || (form === "split" && task !== undefined && !gangLoop(task));

/** The loop that makes up a whole region. */
export const wholeNest = (task: Task): Loop | undefined => wholeLoop(spmd(task).body);

/** The loop over gangs that makes up a whole region. */
export function gangLoop(task: Task): Loop | undefined {
  const loop = wholeNest(task);
  return loop?.parallel.levels.includes("gang") ? loop : undefined;
}

/** A loop of a construct that runs on one team: threads replace the gangs. */
export function inOneTeam(found: LoopFacts): LoopFacts {
  const { levels } = found.loop.parallel;
  const others = levels.filter((l) => l !== "gang");
  const instead = levels.length > 0 && others.length === 0 ? (["vector"] as const) : others;
  const around = new Set([...found.around].filter((l) => l !== "gang"));
  const covered =
    around.has("vector") || (levels.includes("gang") && others.length === 0 && hasLanes(found.loop));
  return {
    ...found,
    around,
    loop: { ...found.loop, parallel: { ...found.loop.parallel, levels: covered ? others : instead } },
  };
}

function hasLanes({ body }: Loop): boolean {
  let found = false;
  walkStmt(body, {
    stmt(s) {
      const loop = asNode(s, "loop");
      found ||= loop !== undefined && loop.parallel.independence !== "seq" && loop.parallel.levels.length > 0;
    },
    expr: () => false,
  });
  return found;
}
