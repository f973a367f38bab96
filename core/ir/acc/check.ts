/** Restrictions between the clauses of one directive (OpenACC 3.3, chapter 2). */
import { canonical } from "../../lang/index.ts";
import type { Diagnostic, Symbol } from "../../lang/tree/ast.ts";
import { condition, error, integers, section, sized, wholeOnly } from "../directives/clause-checks.ts";
import type { Clause, Directive } from "../directives/directive.ts";
import { merged } from "../directives/merged.ts";
import { isOwnArray } from "../directives/own-arrays.ts";
import { written } from "./data.ts";

/** Mutually exclusive clauses. */
const alternatives: readonly (readonly string[])[] = [
  ["seq", "independent", "auto"],
  ["read", "write", "update", "capture"],
];

/** Clauses of which a directive needs at least one. `without`: what other compilers do if there is none. */
interface Needed {
  readonly code: string;
  readonly clauses: readonly string[];
  readonly without?: string;
}

const needed: Readonly<Record<string, Needed>> = {
  data: {
    code: "data-without-clause",
    clauses: [
      "copy",
      "copyin",
      "copyout",
      "create",
      "no_create",
      "present",
      "deviceptr",
      "attach",
      "default",
    ],
    without: "it moves nothing",
  },
  "enter data": { code: "data-without-clause", clauses: ["copyin", "create", "attach"] },
  "exit data": { code: "data-without-clause", clauses: ["copyout", "delete", "detach"] },
  declare: {
    code: "data-without-clause",
    clauses: ["copy", "copyin", "copyout", "create", "present", "deviceptr", "device_resident", "link"],
  },
  host_data: { code: "host-data-without-variables", clauses: ["use_device"] },
  update: { code: "update-without-data", clauses: ["self", "device"] },
  set: { code: "set-without-clause", clauses: ["default_async", "device_num", "device_type"] },
  routine: {
    code: "routine-without-level",
    clauses: ["gang", "worker", "vector", "seq"],
    without: "taken as 'seq'",
  },
};

/** Clauses that give each gang or lane a copy of a variable. */
const copying = ["private", "firstprivate"];

const levels = ["gang", "worker", "vector"];

/** `keeps`: whether a variable-length array's size expression still has the value it had at the declaration. */
export function checkDirective(directive: Directive, keeps: (sym: Symbol) => boolean): readonly Diagnostic[] {
  return [
    ...missing(directive),
    ...groups(directive).flatMap((clauses) => contradictions(directive, clauses)),
    ...parts(directive, keeps),
    ...directive.clauses.flatMap(values),
    ...sharing(directive),
    ...merged(written(directive)).warnings,
    ...directive.clauses.flatMap((c) => c.vars.flatMap(section)),
  ];
}

function missing({ name, clauses, loc }: Directive): readonly Diagnostic[] {
  const rule = needed[name];
  if (!rule || clauses.some((c) => rule.clauses.includes(c.name))) return [];
  const message = `'${name}' has none of the clauses that say what to do`;
  const found = error(rule.code, loc, message, `add one of ${rule.clauses.join(", ")}`);
  if (rule.without === undefined) return [found];
  return [{ ...found, severity: "warning", message: `${message}: ${rule.without}` }];
}

/** Clauses that apply together: those for all devices, and those after each device_type. */
function groups({ clauses }: Directive): Clause[][] {
  const byTypes = new Map<string, Clause[]>();
  for (const c of clauses) {
    const key = String(c.deviceTypes);
    byTypes.set(key, [...(byTypes.get(key) ?? []), c]);
  }
  return [...byTypes.values()];
}

function contradictions(directive: Directive, clauses: readonly Clause[]): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const both = (code: string, first: Clause | undefined, second: Clause | undefined) => {
    if (!first || !second) return;
    const late = clauses.indexOf(first) < clauses.indexOf(second) ? second : first;
    const early = late === first ? second : first;
    found.push(
      error(
        code,
        late.loc,
        `'${late.name}' contradicts '${early.name}'`,
        `keep '${early.name}' or '${late.name}'`,
      ),
    );
  };
  const first = (names: readonly string[]) => clauses.find((c) => names.includes(c.name));
  const sets = directive.name === "routine" ? [[...levels, "seq"]] : alternatives;
  for (const names of sets) {
    const one = first(names);
    both(
      "conflicting-clauses",
      one,
      clauses.find((c) => c !== one && names.includes(c.name)),
    );
  }
  if (directive.name !== "routine") both("seq-with-level", first(["seq"]), first(levels));
  both("tile-with-collapse", first(["tile"]), first(["collapse"]));
  return found;
}

function parts({ name, clauses }: Directive, keeps: (sym: Symbol) => boolean): readonly Diagnostic[] {
  return clauses.flatMap((c) => {
    if (c.name === "use_device") return wholeOnly({ ...c, vars: c.vars.filter((v) => v.section.length > 0) });
    if (copying.includes(c.name)) return copied(c, keeps);
    return name === "declare"
      ? wholeOnly({ ...c, vars: c.vars.filter((v) => v.object.kind !== "ident") })
      : [];
  });
}

/** Copying a section copies the whole array, but the region may not touch the elements outside the section. */
function copied(c: Clause, keeps: (sym: Symbol) => boolean): readonly Diagnostic[] {
  const sections = c.vars.filter((v) => v.section.length > 0 && v.object.kind === "ident");
  const pointed = sections.filter((v) => canonical(v.object.type).kind !== "array" && !isOwnArray(v));
  return [
    ...sized(c, c.name === "private" ? "OpenACC 3.3, section 2.5.10" : "OpenACC 3.3, section 2.5.11", keeps),
    ...wholeOnly({ ...c, vars: c.vars.filter((v) => !sections.includes(v)) }),
    ...pointed.map((v) =>
      error(
        "private-behind-pointer",
        v.loc,
        `'${v.written}' is memory behind a pointer: '${c.name}' makes no copies of it here`,
        `declare an array in the loop, or '${v.sym.name}' as an array`,
        "how much memory each gang or lane needs must be known when the region is compiled",
      ),
    ),
  ];
}

/** Clauses with integer arguments, and those of them whose argument is a count. */
const numbers = ["async", "wait", "default_async", "device_num"];
const counts = ["num_gangs", "num_workers", "vector_length", "gang", "worker", "vector"];

function values({ name, exprs }: Clause): readonly Diagnostic[] {
  if (name === "if" || name === "self") return condition({ name, exprs });
  const counting = counts.includes(name) || name === "tile";
  if (!counting && !numbers.includes(name)) return [];
  return integers({ name, exprs }, counting, name === "tile" ? "tile-argument" : "clause-value");
}

/** `private`, `firstprivate` and `reduction` exclude each other. */
function sharing({ clauses }: Directive): readonly Diagnostic[] {
  const first = new Map<Symbol, string>();
  return clauses
    .filter((c) => ["private", "firstprivate", "reduction"].includes(c.name))
    .flatMap((c) =>
      c.vars.flatMap((v) => {
        const before = first.get(v.sym);
        first.set(v.sym, before ?? c.name);
        if (before === undefined || before === c.name) return [];
        const message = `'${v.written}' is both '${before}' and '${c.name}'`;
        return [error("conflicting-sharing", v.loc, message, "keep it in one of the two clauses")];
      }),
    );
}
