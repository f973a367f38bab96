/** Neighbouring lanes of a device that access memory far apart. */

import { usesOf } from "../../ir/analysis/access.ts";
import { countedHeader } from "../../ir/analysis/loops/counted.ts";
import { type Reference, referencesOf } from "../../ir/dependence/references.ts";
import { strideOf } from "../../ir/dependence/strides.ts";
import type { LoopHeader } from "../../ir/model/ir.ts";
import { printExpr, sizeOf, walkStmt } from "../../lang/index.ts";
import type { Stmt } from "../../lang/tree/ast.ts";
import { stripBlocks } from "../../lang/tree/build.ts";
import type { Finding, Rule } from "../model/finding.ts";
import { placed } from "../read/constructs.ts";
import { clauseOf, type Directive, directivesOf, numberOf } from "../read/directive.ts";

const name = "uncoalesced-access";

/** The size of a coalesced memory transaction, in bytes: CUDA C++ Best Practices Guide, section 9.2.1. */
const piece = 32;

export const uncoalescedAccess: Rule = {
  name,
  severity: "warning",
  advice: true,
  summary: "neighbouring lanes of the device use elements that lie far apart in memory",
  page: {
    why: "Lanes that use one piece of 32 bytes get it with one transaction; far apart, each needs one of its own, and most of what moves is not used. Told of loops whose iterations are surely lanes: gcc, nvc and arc give neighbouring iterations to neighbouring lanes.",
    bad: `void scale(double a[1000][1000]) {
#pragma omp target teams distribute parallel for map(tofrom: a[0:1000])
  for (int i = 0; i < 1000; i++)
    for (int j = 0; j < 1000; j++)
      a[i][j] *= 2;
}`,
    good: `void scale(double a[1000][1000]) {
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a[0:1000])
  for (int i = 0; i < 1000; i++)
    for (int j = 0; j < 1000; j++)
      a[i][j] *= 2;
}`,
    source: "CUDA C++ Best Practices Guide, section 9.2.1",
  },
  check: ({ functions }) =>
    functions.flatMap((def) =>
      placed(def).flatMap(({ directive, stmt }) => {
        const nest = lanesOf(directive, stmt);
        return nest ? farApart(directive, nest) : [];
      }),
    ),
};

interface Nest {
  /** Outermost first; neighbouring lanes run neighbouring iterations of the last one. */
  readonly headers: readonly LoopHeader[];
  readonly body: Stmt;
}

/** The loops whose iterations run on lanes according to a directive. */
function lanesOf(d: Directive, stmt: Stmt): Nest | undefined {
  const { words } = d;
  const omp = ["target", "teams", "distribute", "parallel", "for"].every((w) => words.has(w));
  const acc = d.language === "acc" && words.has("loop") && !words.has("serial");
  if (!omp && !acc) return undefined;
  if (["schedule", "dist_schedule", "seq", "auto", "tile", "if", "self"].some((c) => clauseOf(d, c)))
    return undefined;
  const depth = clauseOf(d, "collapse") ? numberOf(d, "collapse") : 1;
  if (depth === undefined) return undefined;
  const headers: LoopHeader[] = [];
  let inner: Stmt = stmt;
  for (let k = 0; k < depth; k++) {
    inner = stripBlocks(inner);
    if (inner.kind !== "for") return undefined;
    const header = countedHeader(inner);
    if ("severity" in header) return undefined;
    headers.push(header);
    inner = inner.body;
  }
  // Which of several loops runs on the lanes is the compiler's choice unless a clause decides it.
  const explicit = omp ? !words.has("simd") : clauseOf(d, "vector") !== undefined;
  if (acc && !explicit && (words.has("kernels") || clauseOf(d, "gang") || clauseOf(d, "worker")))
    return undefined;
  return !holds(inner, explicit) ? { headers, body: inner } : undefined;
}

/** Whether inner loops may run on the lanes instead. */
function holds(body: Stmt, explicit: boolean): boolean {
  let found = false;
  walkStmt(body, {
    stmt(s) {
      if (s.kind === "for" && !explicit) found = true;
      if (directivesOf(s).some(({ words }) => words.has("simd") || words.has("loop") || words.has("for")))
        found = true;
      return !found;
    },
    expr: () => false,
  });
  return found;
}

function farApart({ name: of }: Directive, { headers, body }: Nest): readonly Finding[] {
  const along = headers.at(-1)?.var;
  if (!along) return [];
  const uses = usesOf(body);
  const own = new Set([...uses.declared, ...headers.map((h) => h.var)]);
  const { list, obstacle } = referencesOf(headers, body, uses, own);
  if (obstacle) return [];
  const seen = new Set<string>();
  return list.flatMap((reference): Finding[] => {
    const { base } = reference.location;
    if (reference.location.steps.length === 0 || ("sym" in base && own.has(base.sym))) return [];
    const distance = distanceOf(reference, along);
    const access = printExpr(reference.expr);
    if (!distance || seen.has(access)) return [];
    seen.add(access);
    return [
      {
        severity: "warning",
        code: name,
        certainty: "proved",
        advice: true,
        loc: reference.expr.span.start,
        end: reference.expr.span.end,
        message: `neighbouring lanes use '${access}' ${distance} apart: iterations over '${along.name}' of '${of}' are lanes`,
        why: `a piece of ${piece} bytes is fetched or stored for each lane`,
        remedy: `let lanes take the loop whose variable is the last subscript, or lay the array out so that '${along.name}' is`,
      },
    ];
  });
}

/** Undefined if lanes share transactions, or if the distance is unknown. */
function distanceOf(reference: Reference, along: LoopHeader["var"]): string | undefined {
  const stride = strideOf(reference, along);
  if (stride.is === "rows") return "whole rows";
  if (stride.is !== "elements" || stride.records) return undefined;
  const bytes = stride.by * (sizeOf(reference.type) ?? 1);
  return bytes >= piece ? `${bytes} bytes` : undefined;
}
