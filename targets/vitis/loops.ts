/**
 * Directives for HLS on loops and local arrays. Innermost loops are pipelined; `#pragma unroll` becomes UNROLL; arrays
 * whose subscripts are all constant after unrolling become registers.
 */
import type { Apart } from "../../core/ir/model/ir.ts";
import { canonical, evaluateInteger, freeVariables, mapStmt, walkStmt } from "../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../core/lang/tree/ast.ts";
import { compound } from "../../core/lang/tree/build.ts";
import { flat } from "../shared/device/control.ts";
import { apartOf, unrollCopies } from "../shared/device/pragmas.ts";
import { asDirective, directive } from "./directive.ts";
import { lineOf } from "./linebuffers.ts";

/** Maximum number of elements for an array of constant subscripts to become registers. */
const most = 1024;

/** Copies of the body that a loop's pragmas request; 0: full unrolling; undefined: no request. */
export function unrollOf(s: Stmt): number | undefined {
  return s.pragmas?.map(unrollCopies).find((copies) => copies !== undefined);
}

/**
 * A dependence pragma for the port: each buffer has its own, otherwise no dependence could be stated (UG1399, "pragma
 * HLS dependence").
 */
function dependence({ array, distance, loadsFirst }: Apart): Stmt {
  const how =
    distance === undefined
      ? "dependent=false"
      : loadsFirst
        ? "direction=RAW dependent=false"
        : `direction=RAW distance=${distance} dependent=true`;
  return directive("DEPENDENCE", array, `type=inter ${how}`, "_memory");
}

export const isLoop = (s: Stmt): s is Extract<Stmt, { kind: "for" | "while" | "do" }> =>
  s.kind === "for" || s.kind === "while" || s.kind === "do";

/** The body with HLS directives in its loops and after its local arrays. */
export function withDirectives(body: Stmt): Stmt {
  const registers = registersIn(body);
  return mapStmt(body, {
    stmt(s) {
      if (s.kind === "decl") {
        const own = s.decls.filter((d) => registers.has(d.sym));
        return own.length ? [s, ...own.map((d) => directive("ARRAY_PARTITION", d.sym, "complete dim=0"))] : s;
      }
      if (!isLoop(s)) return s;
      const copies = unrollOf(s);
      // Inner loops were handled before: those that are left run sequentially.
      const innermost = !containsLoop(s.body);
      const apart = innermost ? (s.pragmas ?? []).flatMap(apartOf) : [];
      const directives = [
        ...(innermost && copies !== 0 ? [directive("PIPELINE II=1")] : []),
        ...(copies === undefined || copies === 1
          ? []
          : [directive(copies === 0 ? "UNROLL" : `UNROLL factor=${copies}`)]),
        ...apart.map(dependence),
      ];
      const pragmas = s.pragmas?.filter((p) => p.tokens[0]?.text !== "unroll");
      const { pragmas: _, ...bare } = s;
      return {
        ...bare,
        ...(pragmas?.length && { pragmas }),
        body: directives.length ? compound([...directives, ...flat(s.body)], s.body.span) : s.body,
      };
    },
  });
}

/** A loop that is not fully unrolled; fully unrolled ones carry the directive by now. */
function containsLoop(body: Stmt): boolean {
  let found = false;
  walkStmt(body, {
    stmt(s) {
      if (isLoop(s) && !(s.body.kind === "compound" && s.body.body.some(isUnroll))) found = true;
    },
  });
  return found;
}

const isUnroll = (s: Stmt): boolean => asDirective(s)?.text === "UNROLL";

/** Small local arrays whose subscripts are all constants or variables of fully unrolled loops. */
export function registersIn(body: Stmt): ReadonlySet<Symbol> {
  const candidates = new Set<Symbol>();
  const counters = new Set<Symbol>();
  const partitioned = new Set<Symbol | undefined>();
  walkStmt(body, {
    stmt(s) {
      const found = asDirective(s);
      if (found) partitioned.add(found.variable);
      if (s.kind === "for" && unrollOf(s) === 0 && s.init?.kind === "decl")
        for (const d of s.init.decls) counters.add(d.sym);
      if (s.kind !== "decl") return;
      for (const { sym } of s.decls) {
        const type = canonical(sym.type);
        if (type.kind === "array" && typeof type.size === "number" && type.size <= most) candidates.add(sym);
      }
    },
  });
  const uses = new Map<Symbol, number>();
  const fixed = new Map<Symbol, number>();
  const count = (map: Map<Symbol, number>, sym: Symbol) => map.set(sym, (map.get(sym) ?? 0) + 1);
  const constant = (e: Expr) =>
    evaluateInteger(e) !== undefined || [...freeVariables(e)].every((v) => counters.has(v));
  walkStmt(body, {
    expr(e) {
      if (e.kind === "ident" && candidates.has(e.sym)) count(uses, e.sym);
      const array = lineOf(e);
      if (e.kind === "index" && array && candidates.has(array) && constant(e.index)) count(fixed, array);
    },
  });
  return new Set(
    [...candidates].filter(
      (sym) => !partitioned.has(sym) && uses.has(sym) && uses.get(sym) === fixed.get(sym),
    ),
  );
}
