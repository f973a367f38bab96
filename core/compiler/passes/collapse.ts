/**
 * Collapse (J. Lambert, 2.2.3.2): a perfect nest becomes one loop, so that the pipeline never drains between rows. In a
 * single work-item the loop variables become counters:
 *
 *     for (i...) for (j...) body   =>   i = 0; j = 0;
 *                                       for (t = 0; t < M * N; t++) { body; j++; if (j >= N) { j = 0; i++; } }
 *
 * NDRange kernels get division and remainder from the lowering, since counters would carry values between iterations.
 * Loops with a window keep their nest, which the window traverses.
 */
import { firstOf } from "../../checked/access.ts";
import { usesOf } from "../../ir/analysis/access.ts";
import { leavesEarly, withoutContinue } from "../../ir/analysis/control.ts";
import { countedHeader } from "../../ir/analysis/loops/counted.ts";
import { dependence } from "../../ir/dependence/dependence.ts";
import { asNode, type Loop, type LoopHeader } from "../../ir/model/ir.ts";
import { spmdOf } from "../../ir/model/region.ts";
import { LONG } from "../../lang/index.ts";
import type { Stmt, Symbol } from "../../lang/tree/ast.ts";
import { compound, freshSymbol, intLit } from "../../lang/tree/build.ts";
import { collapseAxis } from "./axes.ts";
import { withIndependence } from "./independence.ts";
import { counters, nestTrips } from "./rewrite/counters.ts";
import { windowFactor } from "./rewrite/factors.ts";
import type { Pass, PassInput, PassResult, Remark } from "./rewrite/pass.ts";
import { isSingle, loopStmt, mapLoops, mapOuterLoops, withBody } from "./rewrite/region.ts";

export const collapse: Pass = {
  name: "collapse",
  description: "perfect nests become one loop",
  axes: [collapseAxis],
  run,
};

function run({ task, choice }: PassInput): PassResult {
  const remarks: Remark[] = [];
  const single = isSingle(task);
  const note = (applied: boolean, loop: Loop, message: string) =>
    remarks.push({ pass: "collapse", applied, message, loc: loop.site.loc });
  let { body } = spmdOf(task);
  if (choice.collapse === true || single)
    body = mapOuterLoops(body, (loop, at) => {
      // A window needs the whole nest in one loop.
      const requested = choice.collapse === true || windowFactor(loop, choice) > 0;
      const nest = requested ? nestOf(loop, single, note) : loop;
      return nest === loop ? at : loopStmt(single ? withIndependence(nest, task) : nest, at);
    });
  if (single)
    body = mapLoops(body, (loop, at) => {
      if (loop.headers.length < 2 || windowFactor(loop, choice) > 0) return at;
      note(true, loop, `${loop.headers.length} loops became one with a counter each`);
      return withCounters(loop, at);
    });
  return { task: withBody(task, body), remarks };
}

type Note = (applied: boolean, loop: Loop, message: string) => void;

/** Extends the loop's nest by loops that are the only statement inside it. */
export function nestOf(loop: Loop, single: boolean, note: Note): Loop {
  let result = loop;
  for (;;) {
    const inner = onlyLoop(result.body);
    if (!inner) break;
    const why = refusal(result, inner, single);
    if (why) {
      note(false, loop, `the loop over '${inner.header.var.name}' stays inside: ${why}`);
      break;
    }
    result = {
      ...result,
      headers: [...result.headers, inner.header],
      privates: [...new Set([...result.privates, ...inner.privates])],
      reductions: [
        ...result.reductions,
        ...inner.reductions.filter((r) => result.reductions.every((x) => x.sym !== r.sym)),
      ],
      body: inner.body,
    };
    if (inner.hints) result = { ...result, hints: { ...inner.hints, ...result.hints } };
  }
  if (result !== loop) note(true, loop, `${result.headers.length} loops taken as one nest`);
  return result;
}

interface Inner {
  readonly header: LoopHeader;
  readonly body: Stmt;
  readonly privates: Loop["privates"];
  readonly reductions: Loop["reductions"];
  readonly hints?: Loop["hints"];
  readonly loop?: Loop;
}

/** The loop that is the only statement of a body. */
function onlyLoop(body: Stmt): Inner | undefined {
  const stmts = (body.kind === "compound" ? body.body : [body]).filter(
    (s) => !(s.kind === "expr" && !s.expr),
  );
  const only = stmts.length === 1 ? firstOf(stmts) : undefined;
  if (!only) return undefined;
  if (only.kind === "compound") return onlyLoop(only);
  const loop = asNode(only, "loop");
  if (loop) {
    if (loop.headers.length !== 1) return undefined;
    return {
      header: firstOf(loop.headers),
      body: loop.body,
      privates: loop.privates,
      reductions: loop.reductions,
      hints: loop.hints,
      loop,
    };
  }
  if (only.kind !== "for" || only.pragmas?.some((p) => p.tokens[0]?.text === "unroll")) return undefined;
  const header = countedHeader(only);
  if ("severity" in header) return undefined;
  return { header, body: only.body, privates: [], reductions: [] };
}

function refusal(outer: Loop, inner: Inner, single: boolean): string | undefined {
  const { header } = inner;
  const bounds = usesOf(header.lower, header.bound, header.step);
  if (outer.headers.some((h) => bounds.of.has(h.var))) return "its bounds depend on an outer loop";
  const body = usesOf(inner.body);
  const changes = (s: Symbol): boolean => {
    const use = body.of.get(s);
    return use !== undefined && (use.written || use.elementsWritten || use.addressTaken);
  };
  const changed = [...bounds.of.keys()].find(changes);
  if (changed) return `its bounds use '${changed.name}', which the body changes`;
  if (changes(header.var)) return `the body changes '${header.var.name}'`;
  const early = leavesEarly(inner.body);
  if (early) return `control leaves it by '${early.kind}'`;
  if (single) return undefined;
  if (outer.parallel.independence !== "independent") return "the outer loop is not independent";
  if (inner.loop?.parallel.independence === "independent") return undefined;
  const asLoop: Loop = {
    ...outer,
    headers: [header],
    privates: [...inner.privates],
    reductions: [...inner.reductions],
    body: inner.body,
  };
  const proof = dependence(asLoop);
  if (!proof.independent) return `its iterations may depend on each other: ${proof.why}`;
  return proof.reductions.length > inner.reductions.length ? "it accumulates a value" : undefined;
}

/** A nest as one loop with counters; iterations keep their order. */
function withCounters(loop: Loop, at: Stmt): Stmt {
  const { before, total } = nestTrips(loop.headers);
  const { before: first, advance } = counters(loop.headers);
  const t = freshSymbol("arc_t", LONG);
  const header: LoopHeader = {
    var: t,
    declares: true,
    lower: intLit(0, LONG),
    relation: "<",
    bound: total,
    step: intLit(1),
    span: at.span,
  };
  const body = compound([withoutContinue(loop.body), ...advance], loop.body.span);
  return compound([...before, ...first, loopStmt({ ...loop, headers: [header], body }, at)], at.span);
}
