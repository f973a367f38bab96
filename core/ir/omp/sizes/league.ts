/** The number of teams: `num_teams`, and one where `if` does not hold (OpenMP 5.2, sections 3.4 and 10.2). */
import { evaluateInteger } from "../../../lang/index.ts";
import type { Expr } from "../../../lang/tree/ast.ts";
import { cond, intLit } from "../../../lang/tree/build.ts";
import { type Clause, clause, type Directive, exprOf } from "../../directives/directive.ts";

/** Undefined: the device chooses. */
export function leagueSize(d: Directive): Expr | undefined {
  const teams = exprOf(clause(d, "num_teams"));
  const condition = exprOf(d.clauses.find((c) => isIfOfTeams(c, d)));
  const holds = condition && evaluateInteger(condition);
  if (!condition || (holds !== undefined && holds !== 0n)) return teams;
  if (holds === 0n) return intLit(1);
  return teams && cond(condition, teams, intLit(1));
}

/** In a construct that `target` begins, an `if` for teams says so. */
export const isIfOfTeams = ({ name, names }: Clause, d: Directive): boolean =>
  name === "if" && (names[0] === "teams" || (names.length === 0 && d.name.startsWith("teams")));
