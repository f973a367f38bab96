/** What the clauses of one directive must be together (OpenACC 3.3, the restrictions of chapter 2). */
import type { CType, Diagnostic, Expr, Loc, Symbol } from "../../lang/ast.ts";
import { canonical, evaluateInteger, isInteger, isScalar } from "../../lang/index.ts";
import type { Clause, Directive, VarRef } from "../directive.ts";

/** Clauses of which only one may stand on a directive. */
const alternatives: readonly (readonly string[])[] = [
  ["seq", "independent", "auto"],
  ["read", "write", "update", "capture"],
];

/** Clauses of which a directive without any does nothing. */
const needed: Readonly<Record<string, { readonly code: string; readonly clauses: readonly string[] }>> = {
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
  routine: { code: "routine-without-level", clauses: ["gang", "worker", "vector", "seq"] },
};

/** Clauses that name variables, never a part of one. */
const wholeVariables = ["private", "firstprivate", "use_device"];

const levels = ["gang", "worker", "vector"];

export function checkDirective(directive: Directive): Diagnostic[] {
  return [
    ...missing(directive),
    ...groups(directive).flatMap((clauses) => contradictions(directive, clauses)),
    ...parts(directive),
    ...directive.clauses.flatMap(values),
    ...sharing(directive),
    ...directive.clauses.flatMap((c) => c.vars.flatMap(sections)),
  ];
}

function error(code: string, loc: Loc, message: string, remedy: string, why?: string): Diagnostic {
  return { severity: "error", code, loc, message, remedy, ...(why && { why }) };
}

function missing({ name, clauses, loc }: Directive): Diagnostic[] {
  const rule = needed[name];
  if (!rule || clauses.some((c) => rule.clauses.includes(c.name))) return [];
  const list = rule.clauses.join(", ");
  return [
    error(rule.code, loc, `'${name}' has none of the clauses that say what to do`, `add one of ${list}`),
  ];
}

/** Clauses that hold together: those for all devices, and those behind each device_type. */
function groups({ clauses }: Directive): Clause[][] {
  const byTypes = new Map<string, Clause[]>();
  for (const c of clauses) {
    const key = String(c.deviceTypes);
    byTypes.set(key, [...(byTypes.get(key) ?? []), c]);
  }
  return [...byTypes.values()];
}

function contradictions(directive: Directive, clauses: readonly Clause[]): Diagnostic[] {
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

function parts({ name, clauses }: Directive): Diagnostic[] {
  return clauses.flatMap((c) => {
    const whole = wholeVariables.includes(c.name) || name === "declare";
    if (!whole) return [];
    return c.vars
      .filter((v) => v.section.length > 0 || v.object.kind !== "ident")
      .map((v) =>
        error(
          "not-a-whole-variable",
          v.loc,
          `'${v.written}' is a part of a variable, and '${c.name}' takes whole ones`,
          `write ${v.sym.name}`,
        ),
      );
  });
}

/** Clauses whose arguments are numbers, and those of them that count something. */
const numbers = ["async", "wait", "default_async", "device_num"];
const counts = ["num_gangs", "num_workers", "vector_length", "gang", "worker", "vector"];

function values({ name, exprs }: Clause): Diagnostic[] {
  const given = exprs.filter((e): e is Expr => e !== "*");
  if (name === "if" || name === "self")
    return given
      .filter((e) => !isScalar(e.type))
      .map((e) => error("clause-type", e.span.start, `'${name}' needs a condition`, "write a comparison"));
  const counting = counts.includes(name) || name === "tile";
  if (!counting && !numbers.includes(name)) return [];
  return given.flatMap((e) => {
    if (!isInteger(e.type))
      return [
        error("clause-type", e.span.start, `'${name}' needs an integer`, "write an integer expression"),
      ];
    const value = counting ? evaluateInteger(e) : undefined;
    if (value === undefined || value > 0n) return [];
    const code = name === "tile" ? "tile-argument" : "clause-value";
    return [error(code, e.span.start, `'${name}' needs a positive number, not ${value}`, "write 1 or more")];
  });
}

/** Private, firstprivate and reduction exclude each other. */
function sharing({ clauses }: Directive): Diagnostic[] {
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

/** Constant sections must lie inside their arrays. */
export function sections(v: VarRef): Diagnostic[] {
  let type: CType | undefined = canonical(v.object.type);
  let shown = "";
  for (const { start, length } of v.section) {
    const extent: number | undefined =
      type?.kind === "array" && typeof type.size === "number" ? type.size : undefined;
    const from = start ? evaluateInteger(start) : 0n;
    const count = length && evaluateInteger(length);
    const beyond =
      extent !== undefined && from !== undefined && (from < 0n || from + (count ?? 0n) > BigInt(extent));
    if (beyond || (count !== undefined && count < 0n)) {
      const whole = extent === undefined ? "[start:length] with a length of 0 or more" : `[0:${extent}]`;
      const message = `the section '${v.written}' does not lie inside the array`;
      return [error("section-out-of-bounds", v.loc, message, `at most ${v.sym.name}${shown}${whole} exists`)];
    }
    shown += "[0]";
    type =
      type?.kind === "array" ? canonical(type.of) : type?.kind === "pointer" ? canonical(type.to) : undefined;
  }
  return [];
}
