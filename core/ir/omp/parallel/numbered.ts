/**
 * A loop that asks for the numbers of its threads, where the program computes how many there are or how many iterations
 * each has. Whatever threads the device has take turns to be those that the program asks for, each with its own part of
 * the iterations, in order (OpenMP 5.2, section 11.5.3):
 *
 *     parallel for num_threads(t)             for (long arc_thread = 0; arc_thread < t; arc_thread++)
 *     for (int i = 0; i < n; i++) BODY   =>     for (long i_round = arc_thread * (n / t rounded up); ...; i_round++)
 *                                                 { int i = i_round; BODY with arc_thread and t as its numbers }
 */
import {
  canonical,
  evaluateInteger,
  INT,
  isInteger,
  LONG,
  unqualified,
  walkExpr,
} from "../../../lang/index.ts";
import type { Expr, ForStmt, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import {
  assign,
  binary,
  cast,
  compound,
  cond,
  declare,
  forStmt,
  freshSymbol,
  ident,
  intLit,
  stripBlocks,
} from "../../../lang/tree/build.ts";
import { usesOf } from "../../analysis/access.ts";
import { tripCount } from "../../analysis/last-values.ts";
import { countedHeader } from "../../analysis/loops/counted.ts";
import { calledElsewhere, tellsThreads } from "../../analysis/loops/thread-numbers.ts";
import { clause, type Directive, exprOf } from "../../directives/directive.ts";
import type { OmpAround } from "../../directives/read-state.ts";
import { combine } from "../../model/combine.ts";
import type { LoopHeader } from "../../model/ir.ts";
import { nodesIn } from "../../model/nodes.ts";
import { ruleOf } from "../directive/parse.ts";
import { plainHeader, tripsOf } from "../sizes/strips.ts";
import { callsAsk, withNumbers } from "../sizes/team-size.ts";
import { threadsAllowed } from "../sizes/thread-numbers.ts";
import { declaring, mayHaveChunks } from "./chunks.ts";

export interface Numbered {
  readonly d: Directive;
  readonly body: Stmt;
}

/** Undefined: the loop does not need it, or it cannot be done. */
export function numbered(d: Directive, body: Stmt, around: OmpAround): Numbered | undefined {
  const only = stripBlocks(body);
  const threads = threadsAllowed(d);
  if (!threads || only.kind !== "for" || !isOfOneTeam(d, around) || !isOpen(d, only, threads))
    return undefined;
  const isStatic = clause(d, "schedule")?.names[0] === "static";
  const chunk = isStatic ? exprOf(clause(d, "schedule")) : undefined;
  const given = chunk ? [threads, chunk] : [threads];
  // Known sizes are those of teams, whose threads take chunks in turn: see chunks.ts.
  const known = given.every((e) => evaluateInteger(e) !== undefined);
  if (known && (!isStatic || chunk || tripsOf(only) !== undefined)) return undefined;
  const found = countedHeader(only);
  if ("severity" in found) return undefined;
  const loop = found.declares ? only : declaring(only, found);
  const header = plainHeader(loop);
  if (!header || !given.every((e) => isPlain(e)) || changes(loop, given)) return undefined;
  const clauses = d.clauses.filter(({ name }) => !["num_threads", "thread_limit", "schedule"].includes(name));
  return { d: { ...d, clauses }, body: byThread(loop, header, threads, chunk) };
}

function isOfOneTeam(d: Directive, around: OmpAround): boolean {
  const leaves = ruleOf(d).leaves.join(" ");
  if (leaves === "parallel for") return !around.routine && !around.threads && !around.shared;
  return leaves === "target parallel for";
}

/** Whether it asks for numbers itself, and has no variables whose last or first values go with real threads. */
function isOpen(d: Directive, loop: ForStmt, threads: Expr): boolean {
  const { body } = loop;
  if (!tellsThreads(body) || callsAsk(body) || calledElsewhere(body) || !mayHaveChunks(d)) return false;
  if (evaluateInteger(threads) !== undefined && clause(d, "thread_limit")) return false;
  if (["lastprivate", "copyin", "shuffle", "order"].some((name) => clause(d, name))) return false;
  const uses = usesOf(body).of;
  const begun = d.clauses.filter(({ name }) => name === "firstprivate").flatMap(({ vars }) => vars);
  if (begun.some(({ sym }) => isChanged(uses.get(sym)))) return false;
  return nodesIn(body, "loop").next().done === true;
}

const isChanged = (use: ReturnType<ReturnType<typeof usesOf>["of"]["get"]>): boolean =>
  use !== undefined && (use.written || use.elementsWritten || use.addressTaken);

/** Made of numbers and integer variables, so that it may be computed again. */
function isPlain(e: Expr): boolean {
  let plain = true;
  walkExpr(e, {
    expr(part) {
      const isVariable = part.kind === "ident" && part.sym.kind !== "function" && isInteger(part.type);
      plain &&= isVariable || ["int", "binary", "cond", "cast", "unary"].includes(part.kind);
      if (part.kind === "unary") plain &&= ["+", "-", "~", "!"].includes(part.op);
      if (part.kind === "ident" && canonical(part.type).quals?.volatile) plain = false;
    },
  });
  return plain;
}

/** Whether the loop changes what sizes are computed from. */
function changes({ body }: ForStmt, sizes: readonly Expr[]): boolean {
  const uses = usesOf(body).of;
  const named = new Set<Symbol>();
  for (const size of sizes) for (const sym of usesOf(size).of.keys()) named.add(sym);
  return [...named].some((sym) => isChanged(uses.get(sym)));
}

const long = (e: Expr): Expr => cast(LONG, e);

function byThread(loop: ForStmt, header: LoopHeader, asked: Expr, chunk: Expr | undefined): ForStmt {
  const threads = cond(binary("<", asked, intLit(1)), intLit(1), asked);
  const thread = freshSymbol("arc_thread", LONG);
  const trips = freshSymbol("arc_trips", LONG);
  const size = freshSymbol("arc_size", LONG);
  const first = freshSymbol(`${header.var.name}_part`, LONG);
  const round = freshSymbol(`${header.var.name}_round`, LONG);
  const t = long(threads);
  const share = binary("/", binary("-", binary("+", ident(trips), t), intLit(1, LONG)), t);
  const rounds = forStmt(
    declare(round, ident(first)),
    binary("<", ident(round), combine("min", binary("+", ident(first), ident(size)), ident(trips))),
    assign(ident(round), intLit(1, LONG), "+="),
    compound([
      declare(header.var, iteration(header, ident(round))),
      withNumbers(loop.body, {
        thread: (span) => cast(INT, ident(thread, span)),
        threads: () => cast(INT, threads),
      }),
    ]),
  );
  const parts = forStmt(
    declare(first, binary("*", ident(thread), ident(size))),
    binary("<", ident(first), ident(trips)),
    assign(ident(first), binary("*", ident(size), t), "+="),
    rounds,
  );
  const body = compound([
    declare(trips, tripCount(header)),
    declare(size, chunk ? long(chunk) : cond(binary("<", share, intLit(1, LONG)), intLit(1, LONG), share)),
    parts,
  ]);
  return {
    ...(forStmt(
      declare(thread, intLit(0, LONG)),
      binary("<", ident(thread), t),
      assign(ident(thread), intLit(1, LONG), "+="),
      body,
    ) as ForStmt),
    span: loop.span,
  };
}

function iteration({ lower, step, var: sym }: LoopHeader, round: Expr): Expr {
  const by = intLit(evaluateInteger(step) ?? 1n, LONG);
  const type = unqualified(sym.type);
  return cast(type, binary("+", long(cast(type, lower)), binary("*", round, by)));
}
