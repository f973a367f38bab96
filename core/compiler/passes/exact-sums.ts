/**
 * Exact sums of floats: the variable is replaced by a fixed-point number that can hold every float and is rounded once,
 * after the loop (U. Kulisch, Computer Arithmetic and Validity, 2008). The result is the float nearest to the exact
 * sum, whatever the order of the iterations and however many run at a time.
 *
 * The number consists of 32-bit segments. Each segment has a separate carry bit, which the next addition adds to the
 * next segment, so that a carry passes only one segment per step.
 */
import { entryOf } from "../../checked/access.ts";
import { fixedPoint } from "../../ir/model/fixed-format.ts";
import type { Loop, Reduction } from "../../ir/model/ir.ts";
import { spmdOf } from "../../ir/model/region.ts";
import { canonical, mapStmt, parse, substitute, walkStmt } from "../../lang/index.ts";
import type { Expr, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { cast, compound, convert, ident, unary } from "../../lang/tree/build.ts";
import { exactSumsAxis } from "./axes.ts";
import { Illegal, type Pass, passing, type Remark } from "./rewrite/pass.ts";
import { loopStmt, mapLoops, withBody } from "./rewrite/region.ts";

export const exactSums: Pass = {
  name: "exact-sums",
  description: "sums of floats that are rounded once",
  axes: [exactSumsAxis],
  run: ({ task, choice }) =>
    passing(() => {
      const remarks: Remark[] = [];
      // Fixed-point sums are exact anyway.
      if (choice["exact-sums"] !== true || fixedPoint(choice.format)) return { task, remarks };
      const body = mapLoops(spmdOf(task).body, (loop, at) => summed(loop, at, remarks));
      return { task: withBody(task, body), remarks };
    }),
};

function summed(loop: Loop, at: Stmt, remarks: Remark[]): Stmt {
  const sums = loop.reductions.filter(({ op, sym }) => op === "+" && isFloat(sym));
  if (sums.length === 0) return at;
  let { body } = loop;
  const before: Stmt[] = [];
  const after: Stmt[] = [];
  for (const sum of sums) {
    const { sym, loc } = sum;
    const first = template(loc);
    const number = new Map<Symbol, Expr>();
    before.push(...first.declarations, filled(first, "begin", new Map([["start", ident(sym)]])));
    after.push(filled(first, "end", new Map([["result", ident(sym)]])));
    body = mapStmt(body, {
      stmt(s) {
        const addend = s.kind === "expr" && s.expr ? addendOf(s.expr, sym) : undefined;
        if (!addend) return s;
        const step = template(s.span.start);
        for (const [name, own] of step.own) number.set(own, ident(entryOf(first.own, name)));
        return substitute(filled(step, "step", new Map([["addend", convert(addend, sym.type)]])), number);
      },
    });
    refuseOthers(body, sum);
    remarks.push({
      pass: "exact-sums",
      applied: true,
      message: `'${sym.name}' is added up exactly, in ${SEGMENTS} segments of 32 bits`,
      loc,
    });
  }
  const reductions = loop.reductions.filter((r) => !sums.includes(r));
  return compound([...before, loopStmt({ ...loop, reductions, body }, at), ...after], at.span);
}

function isFloat({ type }: Symbol): boolean {
  const seen = canonical(type);
  return seen.kind === "float" && seen.name === "float";
}

/** e in `s += e`, `s = s + e`, `s = e + s`, `s -= e`, `s = s - e`; undefined for other statements. */
function addendOf(e: Expr, sym: Symbol): Expr | undefined {
  if (e.kind !== "assign" || !isSym(e.left, sym)) return undefined;
  if (e.op === "+=") return e.right;
  // Unsigned numbers have no negative: the sign changes in floating point.
  const negative = (subtrahend: Expr) => unary("-", cast(sym.type, subtrahend));
  if (e.op === "-=") return negative(e.right);
  const right = stripped(e.right);
  if (e.op !== "=" || right.kind !== "binary") return undefined;
  if (right.op === "+")
    return isSym(right.left, sym) ? right.right : isSym(right.right, sym) ? right.left : undefined;
  return right.op === "-" && isSym(right.left, sym) ? negative(right.right) : undefined;
}

function isSym(e: Expr, sym: Symbol): boolean {
  const bare = stripped(e);
  return bare.kind === "ident" && bare.sym === sym;
}

function stripped(e: Expr): Expr {
  return e.kind === "cast" && e.implicit ? stripped(e.arg) : e;
}

function refuseOthers(body: Stmt, { sym, loc }: Reduction): void {
  walkStmt(body, {
    expr(e) {
      if (e.kind !== "ident" || e.sym !== sym) return;
      throw new Illegal({
        code: "not-a-sum",
        loc: e.span.start.line > 0 ? e.span.start : loc,
        message: `'${sym.name}' is used here other than in '${sym.name} += …'`,
        why: "an exact sum has no value in floating point before its loop ends",
        remedy: "leave exact-sums out, or add to another variable",
      });
    },
  });
}

// ---------------------------------------------------------------- the number

/** 277 bits from the smallest to the largest float, a sign, and space for 2^42 additions. */
const SEGMENTS = 10;

interface Template {
  readonly declarations: readonly Stmt[];
  readonly begin: Stmt;
  readonly step: Stmt;
  readonly end: Stmt;
  /** Variables that make up the number. */
  readonly own: ReadonlyMap<string, Symbol>;
  /** Placeholders that the caller replaces. */
  readonly holes: ReadonlyMap<string, Symbol>;
}

function filled(template: Template, part: "begin" | "step" | "end", values: ReadonlyMap<string, Expr>): Stmt {
  const of = new Map([...values].map(([name, value]) => [entryOf(template.holes, name), value] as const));
  return substitute(template[part], of);
}

/** The parsed template, with all nodes at one source position. */
function template({ file, line }: Loc): Template {
  const { unit } = parse(`# ${line} ${JSON.stringify(file)}\n${text().replace(/\n/g, " ")}`, { file });
  const definition = unit.externals.find((item) => item.kind === "function");
  if (definition?.kind !== "function") throw new Error("no template");
  const { body } = definition.body;
  const [begin, step, end] = body.slice(-3) as [Stmt, Stmt, Stmt];
  const declarations = body.slice(0, -3);
  const own = new Map<string, Symbol>();
  for (const s of declarations) if (s.kind === "decl") for (const d of s.decls) own.set(d.sym.name, d.sym);
  return {
    declarations,
    begin,
    step,
    end,
    own,
    holes: new Map(definition.params.map((p) => [p.name, p] as const)),
  };
}

const segments = Array.from({ length: SEGMENTS }, (_, k) => k);

/** A float's digits at their position in the number: `low` in segment `at`, `high` above it, `more` in all beyond. */
const placed = (value: string): string => `
  unsigned code = arc_float_bits(${value}), exponent = code >> 23 & 255, fraction = code & 0x7fffff;
  if (exponent == 255) special |= fraction ? 4 : code >> 31 ? 2 : 1;
  unsigned place = exponent ? exponent - 1 : 0;
  unsigned long digits = exponent == 255 ? 0 : exponent ? fraction | 0x800000 : fraction;
  if (place & 16) digits <<= 16;
  if (place & 8) digits <<= 8;
  if (place & 4) digits <<= 4;
  if (place & 2) digits <<= 2;
  if (place & 1) digits <<= 1;
  long whole = digits;
  if (code >> 31) whole = -whole;
  unsigned low = whole, high = whole >> 32, more = whole >> 63, at = place >> 5;
`;

const part = (k: number): string =>
  [
    ...(k < 8 ? [`at == ${k} ? low`] : []),
    ...(k >= 1 && k < 9 ? [`at == ${k - 1} ? high`] : []),
    k < 2 ? "0u" : k < 9 ? `at < ${k - 1} ? more : 0u` : "more",
  ].join(" : ");

const text = (): string => `
unsigned arc_float_bits(float);
float arc_bits_float(unsigned);
void sum(float start, float addend, float result) {
  unsigned segment[${SEGMENTS}], carry[${SEGMENTS}];
  unsigned special;
  {
    special = 0;
    ${placed("start")}
    ${segments.map((k) => `segment[${k}] = ${part(k)}; carry[${k}] = 0;`).join("\n    ")}
  }
  {
    ${placed("addend")}
    unsigned long sum;
    ${[...segments]
      .reverse()
      .map(
        (k) =>
          `sum = (((unsigned long)segment[${k}] << 1 | 1) + ((unsigned long)(${part(k)}) << 1 | ${
            k > 0 ? `carry[${k - 1}]` : "0"
          })) >> 1; segment[${k}] = sum; carry[${k}] = sum >> 32;`,
      )
      .join("\n    ")}
  }
  {
    unsigned over = 0;
    for (int k = 0; k < ${SEGMENTS}; k++) {
      unsigned long sum = (unsigned long)segment[k] + over;
      segment[k] = sum;
      over = (unsigned)(sum >> 32) + carry[k];
    }
    unsigned negative = segment[${SEGMENTS - 1}] >> 31;
    over = negative;
    unsigned first = 0, second = 0, rest = 0, before = 0, below = 0;
    int top = 0;
    for (int k = 0; k < ${SEGMENTS}; k++) {
      unsigned long sum = (unsigned long)(negative ? ~segment[k] : segment[k]) + over;
      unsigned now = sum;
      over = sum >> 32;
      if (now) { first = now; second = before; rest = below; top = k; }
      below |= before;
      before = now;
    }
    unsigned long digits = top ? (unsigned long)first << 32 | second | (rest != 0) : first;
    unsigned nearest = arc_float_bits((float)digits);
    int exponent = (int)(nearest >> 23) + (top ? 32 * top - 181 : -149);
    unsigned code = exponent >= 255 ? 0x7f800000u : (unsigned)exponent << 23 | (nearest & 0x7fffff);
    if (top == 0 && first < 0x1000000) code = first;
    code |= negative << 31;
    if (special) code = special == 1 ? 0x7f800000u : special == 2 ? 0xff800000u : 0x7fc00000u;
    result = arc_bits_float(code);
  }
}
`;
