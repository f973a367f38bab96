/**
 * Hardware idioms as C loops: the patterns that OpenCL compilers for FPGAs recognise as shift registers.
 * Every loop of an idiom is fully unrolled; without that the array would become a memory.
 */
import { asIdiom } from "../../core/ir/idioms.ts";
import type { Stmt } from "../../core/lang/ast.ts";
import { assign, freshSymbol, ident, index } from "../../core/lang/build.ts";
import { INT } from "../../core/lang/index.ts";
import { combine } from "./combine.ts";
import type { KernelPrinter } from "./kerneltext.ts";

const unroll = "#pragma unroll";
const counter = freshSymbol("arc_k", INT);

/** The lines of an idiom; undefined for any other statement. */
export function idiomLines(
  s: Stmt,
  print: KernelPrinter,
  printStmt: (s: Stmt) => string[],
): string[] | undefined {
  const line = asIdiom(s, "delayline");
  if (line) {
    const name = print.expr(line.line);
    const kept = line.length - line.shift;
    const lane = line.lane ? print.name(line.lane) : "0";
    const take = `${name}[${line.lane ? `${kept} + ${lane}` : kept}] = ${print.expr(line.value)};`;
    const guarded = line.guard ? [`if (${print.expr(line.guard)})`, `  ${take}`] : [take];
    return [
      ...(kept > 0 ? shifted(name, kept, line.shift) : []),
      ...(line.lane
        ? [unroll, `for (int ${lane} = 0; ${lane} < ${line.shift}; ${lane}++)`, ...indented(guarded)]
        : guarded),
    ];
  }
  const accumulator = asIdiom(s, "accumulator");
  if (accumulator) {
    const { op, depth, register, init, drain, body } = accumulator;
    const partial = index(register, ident(counter));
    return [
      unroll,
      `for (int arc_k = 0; arc_k <= ${depth}; arc_k++)`,
      `  ${print.expr(assign(partial, init))};`,
      ...printStmt(body),
      unroll,
      `for (int arc_k = 0; arc_k < ${depth}; arc_k++)`,
      `  ${print.expr(assign(drain, combine(op, drain, partial)))};`,
    ];
  }
  const step = asIdiom(s, "accumulate");
  if (step) {
    const name = print.expr(step.register);
    const partial = print.name(step.partial);
    const body = printStmt(step.body);
    return [
      "{",
      ...indented([
        `${print.decl(step.partial.type, partial, step.partial)} = ${name}[0];`,
        ...body,
        `${name}[${step.depth}] = ${partial};`,
        ...shifted(name, step.depth, 1),
      ]),
      "}",
    ];
  }
  return undefined;
}

function shifted(name: string, places: number, by: number): string[] {
  return [
    unroll,
    `for (int arc_k = 0; arc_k < ${places}; arc_k++)`,
    `  ${name}[arc_k] = ${name}[arc_k + ${by}];`,
  ];
}

const indented = (lines: readonly string[]): string[] => lines.map((l) => `  ${l}`);
