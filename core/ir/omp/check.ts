/** Restrictions between the clauses of one directive (OpenMP 5.0, chapter 2). */
import type { Diagnostic, Symbol } from "../../lang/tree/ast.ts";
import {
  addressable,
  condition,
  error,
  integers,
  section,
  sized,
  wholeOnly,
} from "../directives/clause-checks.ts";
import type { Clause, Directive } from "../directives/directive.ts";
import { needsMap } from "./data.ts";
import { numbersOnly } from "./parallel/shuffle.ts";

/** `keeps`: whether a variable-length array's size expression still has the value it had at the declaration. */
export function checkDirective(d: Directive, keeps: (sym: Symbol) => boolean): readonly Diagnostic[] {
  return [
    ...missing(d),
    ...alternatives(d),
    ...sharing(d),
    ...d.clauses.flatMap((c) => [
      ...(whole.includes(c.name) ? wholeOnly(c) : []),
      ...(["use_device_ptr", "is_device_ptr"].includes(c.name) ? addressable(c) : []),
      ...(owning.includes(c.name) ? sized(c, "OpenMP 5.2, section 5.3", keeps) : []),
      ...(c.name === "shuffle" ? numbersOnly(c) : []),
      ...values(c),
      ...c.vars.flatMap(section),
      ...strides(c),
    ]),
  ];
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

/** An atomic construct has one of four kinds. */
function alternatives({ clauses }: Directive): Diagnostic[] {
  const [first, second] = clauses.filter((c) => ["read", "write", "update", "capture"].includes(c.name));
  if (!first || !second) return [];
  const message = `'${second.name}' contradicts '${first.name}'`;
  return [error("conflicting-clauses", second.loc, message, `keep '${first.name}' or '${second.name}'`)];
}

const sharings = ["private", "firstprivate", "lastprivate", "reduction", "shared", "shuffle"];

/** A variable has one data-sharing attribute, except that firstprivate and lastprivate may be combined. */
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

/** Clauses that name whole variables only. */
const whole = [
  "private",
  "firstprivate",
  "lastprivate",
  "shared",
  "shuffle",
  "is_device_ptr",
  "use_device_ptr",
];

const owning = ["private", "firstprivate", "lastprivate"];

/** Only data movement accepts strides. */
function strides({ name, vars }: Clause): readonly Diagnostic[] {
  if (["map", "to", "from", "depend"].includes(name)) return [];
  return vars
    .filter((v) => v.section.some((d) => d.stride))
    .map((v) =>
      error(
        "strided-section",
        v.loc,
        `'${v.written}' leaves out elements, and '${name}' takes sections without a stride`,
        "name all of them: [start:length]",
      ),
    );
}

const counts = ["num_teams", "num_threads", "thread_limit", "safelen", "simdlen"];

function values(c: Clause): readonly Diagnostic[] {
  if (c.name === "if") return condition(c);
  return counts.includes(c.name) ? integers(c, true) : [];
}
