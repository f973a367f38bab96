/**
 * `#pragma openarc ...` and `#pragma unroll`: requests for a loop or region beyond OpenACC. They are written with the
 * OpenACC directive before the same statement, in any order, and become hints of its node.
 *
 *     #pragma openarc transform window(input, output...)      (once for each input)
 *     #pragma openarc opencl num_simd_work_items(n) num_compute_units(n)      (one or both)
 *     #pragma openarc cuda sharedRW(As) registerRO(x) noconstant(y)      (placement.ts)
 *     #pragma unroll [n]
 */

import { ExprParser, evaluateInteger, mapChildren, withBody } from "../../lang/index.ts";
import type { Diagnostic, ForStmt, Pragma, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { countedHeader } from "../analysis/loops/counted.ts";
import {
  asNode,
  extStmt,
  type Loop,
  type LoopHints,
  type Spmd,
  type SpmdHints,
  type Task,
} from "../model/ir.ts";
import { node } from "../model/node-shapes.ts";
import type { Program } from "../model/program.ts";
import { placements } from "./placement.ts";

/** Adds the hints to the loops and regions of a program whose directives have been read. */
export function readOpenarc(program: Program): Program {
  const diagnostics: Diagnostic[] = [];
  const reported = new Set<readonly Pragma[]>();
  const hintsOf = (stmt: Stmt | undefined) => {
    const pragmas = stmt?.pragmas ?? [];
    const { diagnostics: found, ...hints } = readHints(pragmas);
    if (stmt && !reported.has(pragmas)) diagnostics.push(...found, ...placements(pragmas, stmt));
    reported.add(pragmas);
    return hints;
  };
  const visit = (s: Stmt): Stmt => {
    const inner = mapChildren(s, visit);
    if (inner.kind === "for") return plainLoop(inner, s, hintsOf, diagnostics);
    if (inner.kind !== "ext") return inner;
    const loop = asNode(inner, "loop");
    if (loop) {
      const hints = hintsOf(loop.site.stmt).loop;
      const hinted: Loop = { ...loop, hints };
      return Object.keys(hints).length ? { ...inner, ext: hinted } : inner;
    }
    const task = asNode(inner, "task");
    const spmd = task && asNode(task.body, "spmd");
    if (!task || !spmd) return inner;
    const hinted: Spmd = { ...spmd, hints: hintsOf(task.site.stmt).spmd };
    const region: Task = { ...task, body: extStmt(hinted, task.body.span) };
    return Object.keys(hinted.hints ?? {}).length ? { ...inner, ext: region } : inner;
  };
  const externals = program.unit.externals.map((e) =>
    e.kind === "function" ? withBody(e, visit(e.body)) : e,
  );
  return {
    ...program,
    unit: { ...program.unit, externals },
    diagnostics: [...program.diagnostics, ...diagnostics],
  };
}

/** A loop without an OpenACC directive that is to be transformed becomes a node that runs in order. */
function plainLoop(
  loop: ForStmt,
  source: Stmt,
  hintsOf: (stmt: Stmt) => { readonly loop: LoopHints },
  diagnostics: Diagnostic[],
): Stmt {
  const transforms = ({ tokens }: Pragma) => tokens[0]?.text === "openarc" && tokens[1]?.text !== "cuda";
  if (!loop.pragmas?.some(transforms)) return loop;
  const hints = hintsOf(source).loop;
  const header = countedHeader(loop);
  if ("severity" in header) {
    diagnostics.push(header);
    return loop;
  }
  const result = node<Loop>({
    kind: "loop",
    headers: [header],
    parallel: { levels: [], independence: "seq" },
    privates: [],
    reductions: [],
    hints,
    body: loop.body,
    site: { loc: hints.windows?.[0]?.loc ?? loop.span.start, what: "loop", stmt: source },
  });
  return extStmt(result, loop.span);
}

interface Hints {
  readonly loop: LoopHints;
  readonly spmd: SpmdHints;
  readonly diagnostics: readonly Diagnostic[];
}

function readHints(pragmas: readonly Pragma[]): Hints {
  const diagnostics: Diagnostic[] = [];
  let loop: LoopHints = {};
  let spmd: SpmdHints = {};
  for (const pragma of pragmas) {
    const words = pragma.tokens.map((t) => t.text);
    const report = (code: string, message: string, remedy: string) =>
      diagnostics.push({
        severity: "error",
        code,
        loc: pragma.tokens[0]?.loc ?? pragma.span.start,
        message,
        remedy,
      });
    if (words[0] === "unroll") {
      const copies = words.length > 1 ? positive(pragma, 1) : 0;
      if (copies === undefined)
        report("unroll-argument", "unroll needs a positive integer constant", "write #pragma unroll 4");
      else loop = { ...loop, unroll: copies };
    } else if (words[0] === "openarc" && words[1] === "transform" && words[2] === "window") {
      const names = windowNames(pragma);
      const syms = names?.map((name) => pragma.scope.lookup(name));
      const [input, ...outputs] = syms ?? [];
      if (!names || names.length < 2)
        report(
          "window-arguments",
          "window needs an input array and the arrays that are written",
          "write window(input, output)",
        );
      else if (syms?.some((s) => s?.kind !== "var" && s?.kind !== "param")) {
        const unknown = names.filter((_, i) => syms[i]?.kind !== "var" && syms[i]?.kind !== "param");
        report("window-arguments", `'${unknown[0]}' is no variable here`, "name arrays that the loop uses");
      } else {
        const loc = pragma.tokens[2]?.loc ?? pragma.span.start;
        const { windows = [] } = loop;
        if (windows.some((w) => w.input === input))
          report(
            "window-repeated",
            `'${names[0]}' has a window over this loop already`,
            "keep one window directive for each array",
          );
        const request = { input: input as Symbol, outputs: outputs as Symbol[], loc };
        loop = { ...loop, windows: [...windows, request] };
      }
    } else if (words[0] === "openarc" && words[1] === "opencl") {
      const sizes = openclSizes(pragma);
      if (!sizes)
        report(
          "openarc-directive",
          `'${words.slice(1).join(" ")}' is not understood`,
          "write opencl num_simd_work_items(n) or num_compute_units(n)",
        );
      else spmd = { ...spmd, ...sizes };
    } else if (words[0] === "openarc" && words[1] !== "cuda") {
      report(
        "openarc-directive",
        `'${words.slice(0, 3).join(" ")}' is not understood`,
        "write openarc transform window(in, out)",
      );
    }
  }
  return { loop, spmd, diagnostics };
}

const openclClauses = { num_simd_work_items: "simd", num_compute_units: "computeUnits" } as const;

/** "opencl" clause { [","] clause }: undefined for anything else. */
function openclSizes(pragma: Pragma): Pick<SpmdHints, "simd" | "computeUnits"> | undefined {
  const tokens = pragma.tokens.slice(2);
  let sizes: Pick<SpmdHints, "simd" | "computeUnits"> = {};
  for (let at = 0; at < tokens.length; ) {
    const key = openclClauses[tokens[at]?.text as keyof typeof openclClauses];
    const close = closing(tokens, at + 1);
    const value = close < 0 ? undefined : positive({ ...pragma, tokens: tokens.slice(0, close + 1) }, at + 1);
    if (!key || value === undefined || sizes[key] !== undefined) return undefined;
    sizes = { ...sizes, [key]: value };
    at = close + 1;
    if (tokens[at]?.text === "," && at + 1 < tokens.length) at++;
  }
  return tokens.length > 0 ? sizes : undefined;
}

/** The parenthesis that closes the one at `open`; -1 if there is none. */
function closing(tokens: Pragma["tokens"], open: number): number {
  let depth = 0;
  return tokens.findIndex(({ text }, i) => {
    if (i >= open && text === "(") depth++;
    return i >= open && text === ")" && --depth === 0;
  });
}

/** The constant at token `from`, in parentheses or not. */
function positive(pragma: Pragma, from: number): number | undefined {
  const parser = new ExprParser(pragma.tokens.slice(from), pragma.scope, pragma.span.end);
  const e = parser.parseExpression();
  if ("severity" in e || !parser.atEnd()) return undefined;
  const value = evaluateInteger(e);
  return value !== undefined && value > 0n && value <= 4096n ? Number(value) : undefined;
}

/** `window(a, b[0:n], c)`: the names; the data clauses already give the sections. */
function windowNames(pragma: Pragma): string[] | undefined {
  const tokens = pragma.tokens.slice(3);
  if (tokens[0]?.text !== "(" || tokens.at(-1)?.text !== ")") return undefined;
  const names: string[] = [];
  let depth = 0;
  let expectName = true;
  for (const t of tokens.slice(1, -1)) {
    if (t.text === "[" || t.text === "(") depth++;
    else if (t.text === "]" || t.text === ")") depth--;
    else if (depth === 0 && t.text === ",") {
      if (expectName) return undefined;
      expectName = true;
    } else if (depth === 0) {
      if (!expectName || t.kind !== "ident") return undefined;
      names.push(t.text);
      expectName = false;
    }
  }
  return expectName || depth !== 0 ? undefined : names;
}
