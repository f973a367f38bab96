/** What the clauses of one directive must be together (OpenMP 5.0, the restrictions of chapter 2). */
import type { Diagnostic, Expr, Loc, Symbol } from "../../lang/ast.ts";
import { evaluateInteger, isInteger, isScalar } from "../../lang/index.ts";
import { sections } from "../acc/check.ts";
import type { Clause, Directive } from "../directive.ts";
import { needsMap } from "./data.ts";

export function checkDirective(d: Directive): readonly Diagnostic[] {
  return [
    ...missing(d),
    ...alternatives(d),
    ...sharing(d),
    ...d.clauses.flatMap((c) => [...parts(c), ...values(c), ...c.vars.flatMap(sections)]),
  ];
}

function error(code: string, loc: Loc, message: string, remedy: string): Diagnostic {
  return { severity: "error", code, loc, message, remedy };
}

function missing(d: Directive): Diagnostic[] {
  if (needsMap(d))
    return [
      error(
        "data-without-clause",
        d.loc,
        `'${d.name}' has none of the clauses that say what to do`,
        "add map",
      ),
    ];
  const moves = d.clauses.some((c) => c.name === "to" || c.name === "from");
  if (d.name !== "target update" || moves) return [];
  return [
    error("update-without-data", d.loc, "'target update' does not say what to update", "add to or from"),
  ];
}

/** An atomic construct is one of four. */
function alternatives({ clauses }: Directive): Diagnostic[] {
  const [first, second] = clauses.filter((c) => ["read", "write", "update", "capture"].includes(c.name));
  if (!first || !second) return [];
  const message = `'${second.name}' contradicts '${first.name}'`;
  return [error("conflicting-clauses", second.loc, message, `keep '${first.name}' or '${second.name}'`)];
}

const sharings = ["private", "firstprivate", "lastprivate", "reduction", "shared"];

/** A variable is of one kind; the first value and the last one may both be asked for. */
function sharing({ clauses }: Directive): Diagnostic[] {
  const first = new Map<Symbol, string>();
  const both = (names: readonly string[]) => names.every((n) => n === "firstprivate" || n === "lastprivate");
  return clauses
    .filter((c) => sharings.includes(c.name))
    .flatMap((c) =>
      c.vars.flatMap((v) => {
        const before = first.get(v.sym);
        first.set(v.sym, before ?? c.name);
        if (before === undefined || (before !== c.name && both([before, c.name]))) return [];
        if (before === c.name)
          return [
            error(
              "duplicate-variable",
              v.loc,
              `'${v.written}' is named twice in '${before}'`,
              "name it once",
            ),
          ];
        const message = `'${v.written}' is both '${before}' and '${c.name}'`;
        return [error("conflicting-sharing", v.loc, message, "keep it in one of the two clauses")];
      }),
    );
}

const whole = [
  "private",
  "firstprivate",
  "lastprivate",
  "shared",
  "is_device_ptr",
  "use_device_ptr",
  "use_device_addr",
];

function parts({ name, vars }: Clause): Diagnostic[] {
  if (!whole.includes(name)) return [];
  return vars
    .filter((v) => v.section.length > 0 || v.object.kind !== "ident")
    .map((v) =>
      error(
        "not-a-whole-variable",
        v.loc,
        `'${v.written}' is a part of a variable, and '${name}' takes whole ones`,
        `write ${v.sym.name}`,
      ),
    );
}

const counts = ["num_teams", "num_threads", "thread_limit", "safelen", "simdlen"];

function values({ name, exprs }: Clause): Diagnostic[] {
  const given = exprs.filter((e): e is Expr => e !== "*");
  if (name === "if")
    return given
      .filter((e) => !isScalar(e.type))
      .map((e) => error("clause-type", e.span.start, "'if' needs a condition", "write a comparison"));
  if (!counts.includes(name)) return [];
  return given.flatMap((e) => {
    if (!isInteger(e.type))
      return [
        error("clause-type", e.span.start, `'${name}' needs an integer`, "write an integer expression"),
      ];
    const value = evaluateInteger(e);
    if (value === undefined || value > 0n) return [];
    return [
      error(
        "clause-value",
        e.span.start,
        `'${name}' needs a positive number, not ${value}`,
        "write 1 or more",
      ),
    ];
  });
}
