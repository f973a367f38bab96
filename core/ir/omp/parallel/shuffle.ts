/**
 * `shuffle`, an extension of the REX compiler (A. Wang, "REX: A Source-to-Source OpenMP Compiler for Productive Research
 * of Parallel Programming", 2023, chapter 4): the clause names variables of which each thread has a copy, the directive
 * exchanges their values between threads. `xor` is arc's extension.
 *
 *     parallel shuffle(v)                     each thread has a copy of v, initialised with its value
 *       shuffle down(mask, 1, x +=, v)        x += the next thread's v, for the threads of a warp in mask
 */
import { brokenConstraints, canonical, isInteger, sizeOf } from "../../../lang/index.ts";
import type { Diagnostic, Expr, Pragma } from "../../../lang/tree/ast.ts";
import { exprStmt } from "../../../lang/tree/build.ts";
import { error } from "../../directives/clause-checks.ts";
import { type Clause, clause, type Directive, site, type VarRef } from "../../directives/directive.ts";
import type { Around, Reading } from "../../directives/read-state.ts";
import type { Shuffle } from "../../model/ir.ts";
import { node } from "../../model/node-shapes.ts";
import { ruleOf } from "../directive/parse.ts";
import { refusedInLoop } from "./close-nesting.ts";
import { refusedInFunction } from "./threads.ts";

/** Whether a construct has the clause. */
export const hasShuffle = ({ tokens }: Pragma): boolean =>
  tokens.some((t, i) => t.text === "shuffle" && tokens[i + 1]?.text === "(");

export const shuffled = (d: Directive): readonly VarRef[] =>
  d.clauses.flatMap((c) => (c.name === "shuffle" ? c.vars : []));

/** A number of a size that one exchange can transfer. */
function isHandedOn({ object }: VarRef): boolean {
  const type = canonical(object.type);
  const isNumber = type.kind === "int" || type.kind === "float" || type.kind === "enum";
  return isNumber && (sizeOf(type) ?? 16) <= 8 && !type.quals?.atomic;
}

/** Checks the variables of the clause. */
export function numbersOnly({ vars }: Clause): readonly Diagnostic[] {
  return vars
    .filter((v) => v.object.kind === "ident" && v.section.length === 0 && !isHandedOn(v))
    .map((v) =>
      error(
        "shuffle-type",
        v.loc,
        `'${v.written}' is not a number of 8 bytes at most, and threads hand only those to each other`,
        "hand on a number, or write values to an array of the team and meet at a barrier",
      ),
    );
}

/**
 * The construct with `firstprivate` in place of the clause: each thread's copy is initialised from the region's or the
 * team's variable.
 */
export function withCopies(d: Directive, { omp }: Around): Directive {
  const { leaves } = ruleOf(d);
  const named = new Set(d.clauses.flatMap((c) => c.vars.map((v) => v.sym)));
  const ofTeams = leaves[0] === "parallel" && !omp?.threads ? [...(omp?.ofTeams ?? [])] : [];
  const more = ofTeams.filter((sym) => !named.has(sym));
  const refs = more.map(
    (sym): VarRef => ({
      sym,
      object: { kind: "ident", sym, type: sym.type, span: d.span },
      section: [],
      written: sym.name,
      loc: d.loc,
    }),
  );
  const clauses = d.clauses.map((c) => (c.name === "shuffle" ? { ...c, name: "firstprivate" } : c));
  const added: Clause = { name: "firstprivate", loc: d.loc, vars: refs, modifiers: [], exprs: [], names: [] };
  return { ...d, clauses: refs.length > 0 ? [...clauses, added] : clauses };
}

/** Threads of the host have no warps. */
export function refusedOnHost(reading: Reading, d: Directive): boolean {
  const shuffleClause = clause(d, "shuffle");
  if (!shuffleClause || reading.around.region || ruleOf(d).leaves[0] === "target") return false;
  reading.report(
    "shuffle-outside-region",
    shuffleClause.loc,
    "'shuffle' stands on a construct of the host's own threads, which cannot read each other's variables",
    "write the construct inside 'target', or write values to an array and meet at a barrier",
  );
  return true;
}

/** `shuffle sync`, `up`, `down` and `xor`, which all threads of a team must reach. */
export function shuffle(reading: Reading, d: Directive): Shuffle | undefined {
  const { omp = {} } = reading.around;
  if (refusedInFunction(reading, d) || refusedInLoop(reading, d)) return undefined;
  const refuse = (code: string, message: string, remedy: string): undefined => {
    reading.report(code, d.loc, message, remedy);
    return undefined;
  };
  if (!omp.threads)
    return refuse(
      "shuffle-outside-parallel",
      `'${d.name}' stands outside of 'parallel', where no other thread has a value to read`,
      "write it inside a 'parallel' construct of a 'target' region",
    );
  const [variable] = d.argument?.vars ?? [];
  const [mask, lane, assignment] = (d.argument?.exprs ?? []) as readonly Expr[];
  if (!variable || !mask || !lane || !assignment) return undefined;
  const isWhole = variable.object.kind === "ident" && variable.section.length === 0;
  if (!isWhole || !omp.shuffles?.has(variable.sym))
    return refuse(
      "shuffle-variable",
      `'${variable.written}' is not a variable that a 'shuffle' clause around names`,
      `write ${isWhole ? `shuffle(${variable.sym.name}) on the 'parallel' construct` : "a variable of the clause"}: other threads read only those`,
    );
  const found = [...[mask, lane].flatMap((e) => integer(d, e)), ...brokenConstraints(exprStmt(assignment))];
  reading.diagnostics.push(...found);
  if (found.length > 0) return undefined;
  return node<Shuffle>({
    kind: "shuffle",
    way: ruleOf(d).exchange as Shuffle["way"],
    mask,
    lane,
    assignment,
    site: site(d),
  });
}

function integer({ name }: Directive, e: Expr): readonly Diagnostic[] {
  if (!isInteger(e.type))
    return [error("clause-type", e.span.start, `'${name}' needs an integer here`, "convert it to int")];
  return [];
}
