/** Data clauses as map clauses (OpenACC 3.3, section 2.7; OpenMP 5.0, sections 2.12 and 2.19.7). */

import { clauseAliases } from "../../ir/acc/grammar.ts";
import type { Clause, VarRef } from "../../ir/directives/directive.ts";
import { canonical, evaluateInteger } from "../../lang/index.ts";
import type { OpenMpVersion } from "../model/source.ts";
import { type Pair, pairs } from "../sites/pairs.ts";
import { refusePieces } from "../sites/pieces.ts";
import { CannotSay, type NewClause, put } from "../sites/rewrite.ts";
import type { Site } from "../sites/site.ts";
import { readonlyAdvice } from "../text/advice.ts";
import type { WrittenClause } from "../text/written.ts";
import { memoryNamed, namedOnce } from "./memory-named.ts";

const types: Readonly<Record<string, string>> = {
  copy: "tofrom",
  copyin: "to",
  copyout: "from",
  create: "alloc",
};
const entering: Readonly<Record<string, string>> = { copyin: "to", create: "alloc" };

export const isDataClause = (name: string): boolean =>
  name in types || ["present", "no_create", "deviceptr", "attach", "detach", "delete"].includes(name);

interface Mapped {
  readonly clauses: readonly NewClause[];
  /** The map clauses among them in their parts; `modifier`: "always, ", "present, " or nothing. */
  readonly maps: readonly { readonly map: string; readonly modifier: string; readonly list: string }[];
  /** Assertions before the construct. */
  readonly before: readonly string[];
  readonly because: readonly string[];
}

/** Translates one data clause of a construct or a data directive. */
export function mapClause(site: Site, c: Clause, from: WrittenClause, version: OpenMpVersion): Mapped {
  const list = listText(c, from);
  const name = canonicalName(c.name);
  refuseModifiers(c);
  const readonly = c.modifiers.includes("readonly");
  const because = readonly
    ? [
        "`readonly` is advice that OpenMP has no word for: it stays as a comment, and the data is copied in as before",
      ]
    : [];
  const always = c.modifiers.includes("always") || (name === "copyin" && c.modifiers.includes("alwaysin"));
  const onlyOut = name === "copyout" && c.modifiers.includes("alwaysout");
  const type = (site.directive.name === "enter data" ? entering : types)[name];
  refuseUnlike(c);
  if (type !== undefined) {
    const [modifier, named] = [
      always || onlyOut ? "always, " : "",
      `${readonly ? readonlyAdvice : ""}${list}`,
    ];
    return {
      clauses: [put(`map(${modifier}${type}: ${named})`, from)],
      maps: [{ map: type, modifier, list: named }],
      before: [],
      because,
    };
  }
  switch (name) {
    case "present":
      return present(c.vars, list, version, from);
    case "deviceptr":
      return { clauses: [put(`is_device_ptr(${list})`, from)], maps: [], before: [], because: [] };
    case "no_create":
      throw new CannotSay(
        c.loc,
        "OpenMP has no clause that maps a variable only where it is on the device already",
        "write copyin or present, or two constructs under a test with acc_is_present",
        "`no_create` makes no copy where there is none (OpenACC 3.3, section 2.7.11)",
      );
    default:
      throw new CannotSay(
        c.loc,
        `'${c.name}' has no counterpart in OpenMP: pointers are attached when what they lead to is mapped`,
        "map the structure and the member's section in one clause, as in copyin(s, s.p[0:n])",
      );
  }
}

export const canonicalName = (name: string): string => clauseAliases[name] ?? name;

/** The variables as written, without preceding modifiers. */
export function listText(c: Clause, from: WrittenClause): string {
  const text = from.argument ?? c.vars.map((v) => v.written).join(", ");
  return c.modifiers.length > 0 || /^\w+\s*:/.test(text) ? text.replace(/^[\w\s,]*:\s*/, "") : text;
}

/**
 * A pointer without a section means its target in OpenACC, and the pointer itself in OpenMP, whose sections are always
 * pieces of memory.
 */
export function refuseUnlike(c: Clause): void {
  if (["present", "deviceptr", "attach", "detach", "no_create"].includes(canonicalName(c.name))) return;
  refusePieces(c.vars, "OpenMP");
  const bare = c.vars.find((v) => isBarePointer(v));
  if (bare)
    throw new CannotSay(
      bare.loc,
      `'${bare.written}' is a pointer: OpenMP would map the pointer itself, not what it leads to`,
      `say how much of it is meant: ${bare.written}[0:n]`,
    );
}

export const isBarePointer = ({ object, section }: VarRef): boolean =>
  section.length === 0 && canonical(object.type).kind === "pointer";

function refuseModifiers(c: Clause): void {
  const name = canonicalName(c.name);
  for (const modifier of c.modifiers) {
    const oneWay = (modifier === "alwaysin" || modifier === "alwaysout") && name === "copy";
    if (modifier === "zero")
      throw new CannotSay(
        c.loc,
        "OpenMP does not set memory of the device to zero when it maps it",
        "leave `zero` out and set the elements in a loop of their own on the device",
      );
    if (modifier === "capture")
      throw new CannotSay(c.loc, "OpenMP has no word for `capture`", "leave it out");
    if (oneWay)
      throw new CannotSay(
        c.loc,
        `'always' of OpenMP's map(tofrom:) is for both ways, '${modifier}' for one`,
        `write copy(${c.vars.map((v) => v.written).join(", ")}) and 'update' where the other copy is needed`,
      );
  }
}

/** Data that must be present: the `present` modifier of 5.1; before 5.1, an assertion (CCAMP's Table 14). */
function present(
  vars: readonly VarRef[],
  list: string,
  version: OpenMpVersion,
  from?: WrittenClause,
): Mapped {
  // For a bare pointer, OpenMP maps a target that is already present, without a clause.
  const mapped = vars.filter((v) => !isBarePointer(v));
  const text = mapped.length === vars.length ? list : mapped.map((v) => v.written).join(", ");
  const modifier = version === "5.1" ? "present, " : "";
  const clauses = mapped.length > 0 ? [put(`map(${modifier}alloc: ${text})`, from)] : [];
  const maps = mapped.length > 0 ? [{ map: "alloc", modifier, list: text }] : [];
  if (version === "5.1")
    return { clauses, maps, before: vars.filter(isBarePointer).map(assertion), because: [] };
  return {
    clauses,
    maps,
    before: vars.map(assertion),
    because: ["OpenMP 5.0 has no `present`: an assertion takes its place (5.1 has it: --openmp 5.1)"],
  };
}

/** Tests the presence of the first byte, which replaces `present(x)` where no clause can express it. */
export function assertion(v: VarRef): string {
  const { object, section, written } = v;
  const memory = memoryNamed(v);
  const isPointer = memory.endsWith("]") || canonical(object.type).kind === "pointer";
  const absent = isPointer ? [`!${memory}`] : [];
  const here = `omp_target_is_present(${firstAddress(v, memory)}, omp_get_default_device())`;
  return `assert(${[...absent, ...emptiness(section, written), here].join(" || ")});`;
}

function firstAddress({ object, section, written }: VarRef, memory: string): string {
  const { kind } = canonical(object.type);
  if (section.length === 0) return kind === "array" || kind === "pointer" ? written : `&${written}`;
  const subscripts = written
    .slice(memory.length)
    .replace(/\[\s*([^:\]]*?)\s*:[^\]]*\]/g, (_, start) => `[${start || 0}]`);
  return /^(\[0\])+$/.test(subscripts) ? memory : `&${memory}${subscripts}`;
}

/** An empty section needs no presence. */
function emptiness(section: VarRef["section"], written: string): readonly string[] {
  const lengths = [...written.matchAll(/\[[^\]:]*:([^\]]*)\]/g)].map(([, text = ""]) => text.trim());
  return lengths.flatMap((text, i) => {
    const length = section[i]?.length;
    if (text === "" || (length && (evaluateInteger(length) ?? 0n) > 0n)) return [];
    return [/^\w+$/.test(text) ? `!${text}` : `!(${text})`];
  });
}

/** Which ways a clause moves its data: in, out. */
const ways: Readonly<Record<string, readonly [boolean, boolean]>> = {
  copy: [true, true],
  copyin: [true, false],
  copyout: [false, true],
  create: [false, false],
};

/** The clause that moves what two clauses together move. */
function together(one: string, other: string): string | undefined {
  const [a, b] = [ways[one], ways[other]];
  if (!a || !b) return undefined;
  return Object.keys(ways).find(
    (name) => ways[name]?.[0] === (a[0] || b[0]) && ways[name]?.[1] === (a[1] || b[1]),
  );
}

/**
 * A directive's clauses with one clause for each variable that two of them move, which OpenMP's have to do
 * (OpenMP 5.0, section 2.19.7.1): `copyin(a) copyout(a)` is `copy(a)`.
 */
export function eachOnce(site: Site): readonly Pair[] {
  const all = pairs(site);
  const seen = new Map<string, { readonly name: string; readonly v: VarRef; readonly modifiers: boolean }>();
  const merged = new Map<string, { readonly name: string; readonly v: VarRef }>();
  for (const { c } of all) {
    const name = canonicalName(c.name);
    if (!isDataClause(name)) continue;
    for (const v of c.vars) {
      const root = namedOnce(v);
      const first = seen.get(root);
      if (first) {
        const both = together(merged.get(root)?.name ?? first.name, name);
        if (both === undefined || first.v.written !== v.written || first.modifiers || c.modifiers.length > 0)
          throw new CannotSay(
            v.loc,
            `'${root}' stands in two data clauses, of which OpenMP takes one`,
            memoryNamed(first.v) === memoryNamed(v)
              ? "write the one clause that says both, as copy for copyin and copyout"
              : `give '${v.written}' a directive of its own, 'data' or 'enter data'`,
            "a list item may appear in one map clause of a construct (OpenMP 5.0, section 2.19.7.1)",
          );
        merged.set(root, { name: both, v });
      } else seen.set(root, { name, v, modifiers: c.modifiers.length > 0 });
    }
  }
  if (merged.size === 0) return all;
  const isMerged = (v: VarRef): boolean => merged.has(namedOnce(v));
  const rest = all.flatMap((pair): readonly Pair[] => {
    const { c, from } = pair;
    if (!isDataClause(canonicalName(c.name)) || !c.vars.some(isMerged)) return [pair];
    const vars = c.vars.filter((v) => !isMerged(v));
    const list = vars.map(({ written }) => written);
    return vars.length === 0
      ? []
      : [{ c: { ...c, vars }, from: { ...from, argument: list.join(", "), list } }];
  });
  const own = [...merged.values()].flatMap(({ name, v }): readonly Pair[] => {
    const [model] = all.filter(({ c }) => c.vars.includes(v));
    const { written } = v;
    return model
      ? [{ c: { ...model.c, name, vars: [v] }, from: { ...model.from, argument: written, list: [written] } }]
      : [];
  });
  return [...rest, ...own];
}
