/**
 * `omp_cur_iteration` in `doacross` for C compilers that do not know it (OpenMP 5.2, section 15.9.7): the counter of the
 * loop with `ordered`, which then says how many loops it means.
 *
 *     for ordered                                        for ordered(1)
 *     for (i = 0; i < n; i += 2)                    =>   for (i = 0; i < n; i += 2)
 *       ordered doacross(sink: omp_cur_iteration - 1)      ordered doacross(sink: i - 2)
 */
import { itemAt } from "../../../checked/access.ts";
import { evaluateInteger, mapStmt, walkStmt } from "../../../lang/index.ts";
import type { Diagnostic, Pragma, PragmaToken, Stmt } from "../../../lang/tree/ast.ts";
import { countedHeader } from "../../analysis/loops/counted.ts";
import type { LoopHeader } from "../../model/ir.ts";

const word = "omp_cur_iteration";

/** `ordered doacross(...)`, and `ordered depend(...)`. */
const isDoacross = ({ tokens }: Pragma): boolean =>
  tokens[0]?.text === "omp" &&
  tokens[1]?.text === "ordered" &&
  tokens.some((t, i) => /^(doacross|depend)$/.test(t.text) && tokens[i + 1]?.text === "(");

/** The place of the clause `ordered` of a loop's directive. */
const orderedAt = ({ tokens }: Pragma): number =>
  tokens[0]?.text === "omp" && tokens[1]?.text !== "ordered"
    ? tokens.findIndex((t, i) => i > 1 && t.text === "ordered")
    : -1;

export function withCounters(body: Stmt, complain: (found: Diagnostic) => void): Stmt {
  return mapStmt(body, {
    stmt(s) {
      const pragma = s.pragmas?.find((p) => orderedAt(p) >= 0);
      if (s.kind !== "for" || !pragma || !has(s, isDoacross)) return s;
      const at = orderedAt(pragma);
      const { tokens } = pragma;
      const count = tokens[at + 1]?.text === "(" ? Number(tokens[at + 2]?.text) : 1;
      const header = count === 1 ? countedHeader(s) : undefined;
      const known = header && !("severity" in header) ? header : undefined;
      const inner = mapStmt(s, {
        stmt(one) {
          if (!one.pragmas?.some((p) => isDoacross(p) && uses(p))) return one;
          const pragmas = one.pragmas.map((p) =>
            isDoacross(p) && uses(p) ? counted(p, known, count, complain) : p,
          );
          return { ...one, pragmas };
        },
      });
      if (tokens[at + 1]?.text === "(") return inner;
      const { loc } = itemAt(tokens, at);
      const one: readonly PragmaToken[] = [
        { kind: "punct", text: "(", loc },
        { kind: "number", text: "1", loc },
        { kind: "punct", text: ")", loc },
      ];
      const stated: Pragma = {
        ...pragma,
        tokens: [...tokens.slice(0, at + 1), ...one, ...tokens.slice(at + 1)],
        added: "clauses",
      };
      return { ...inner, pragmas: (inner.pragmas ?? []).map((p) => (p === pragma ? stated : p)) };
    },
  });
}

function has(s: Stmt, holds: (pragma: Pragma) => boolean): boolean {
  let found = false;
  walkStmt(s, {
    stmt(one) {
      found ||= one.pragmas?.some(holds) ?? false;
      return !found;
    },
    expr: () => false,
  });
  return found;
}

/** `sink: omp_cur_iteration`; `source` needs no iteration. */
const uses = ({ tokens }: Pragma): boolean =>
  tokens.some((t, i) => t.text === word && tokens[i - 2]?.text === "sink");

function counted(
  pragma: Pragma,
  header: LoopHeader | undefined,
  count: number,
  complain: (found: Diagnostic) => void,
): Pragma {
  const step = header && evaluateInteger(header.step);
  const { tokens } = pragma;
  const at = tokens.findIndex((t) => t.text === word);
  const { loc } = itemAt(tokens, at);
  if (!header || step === undefined) {
    complain({
      severity: "error",
      code: "cur-iteration",
      loc,
      message:
        count === 1
          ? "the step of this loop is no constant, and so its previous iteration has no name"
          : `'${word} - 1' is the iteration before this one of ${count} loops together, which older C compilers cannot name`,
      remedy: "write doacross(sink: ...) with the loops' variables",
    });
    return pragma;
  }
  const forwards = step > 0n;
  const size = forwards ? step : -step;
  const behind = tokens.slice(at + 3);
  const words: readonly PragmaToken[] = [
    { kind: "ident", text: header.var.name, loc },
    { kind: "punct", text: forwards ? "-" : "+", loc },
    { kind: "number", text: `${size}`, loc },
  ];
  return { ...pragma, tokens: [...tokens.slice(0, at), ...words, ...behind], added: "clauses" };
}
