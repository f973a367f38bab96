/** `apply` of host loops' `tile` and `unroll`, which C compilers drop without a word. */
import { walkStmt } from "../../../lang/index.ts";
import type { Diagnostic, Pragma, Stmt } from "../../../lang/tree/ast.ts";
import { refusedApply } from "../directive/grammar.ts";

/** Of a function. Regions are not looked at: their directives are read as such. */
export function appliedIn(body: Stmt): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  walkStmt(body, {
    stmt(s) {
      if (s.pragmas?.some(isRegion)) return false;
      found.push(...(s.pragmas ?? []).flatMap(refused));
      return true;
    },
    expr: () => false,
  });
  return found;
}

const isRegion = ({ tokens: [model, word, next] }: Pragma): boolean =>
  model?.text === "omp" && word?.text === "target" && next?.text !== "data";

function refused({ tokens }: Pragma): readonly Diagnostic[] {
  const [model, word, ...rest] = tokens;
  const apply = rest.find(({ text }) => text === "apply");
  if (model?.text !== "omp" || !/^(tile|unroll)$/.test(word?.text ?? "") || !apply) return [];
  const { section, remedy } = refusedApply;
  return [
    {
      severity: "error",
      code: "unsupported-clause",
      loc: apply.loc,
      message: `'apply' of '${word?.text}' is not carried out (${section})`,
      remedy,
    },
  ];
}
