/** Map clauses as data clauses (OpenMP 5.0, sections 2.12 and 2.19.7; OpenACC 3.3, sections 2.6 and 2.7). */
import type { Clause } from "../../ir/directives/directive.ts";
import { canonical } from "../../lang/index.ts";
import type { Symbol } from "../../lang/tree/ast.ts";
import { refuseEndOfRegion } from "../sites/counts.ts";
import { pairs } from "../sites/pairs.ts";
import { CannotSay, directive, type NewClause, put, type Rewrite } from "../sites/rewrite.ts";
import type { Site } from "../sites/site.ts";
import { readonlyAdvice } from "../text/advice.ts";
import type { WrittenClause } from "../text/written.ts";
import type { ToOpenAcc } from "./context.ts";
import { eachMapOnce } from "./maps-once.ts";
import { ofRegionsAlone } from "./regions-in-host-data.ts";

const structured: Readonly<Record<string, string>> = {
  to: "copyin",
  from: "copyout",
  tofrom: "copy",
  alloc: "create",
  storage: "create",
};
const entering: Readonly<Record<string, string>> = {
  to: "copyin",
  tofrom: "copyin",
  alloc: "create",
  storage: "create",
};
const leaving: Readonly<Record<string, string>> = {
  from: "copyout",
  tofrom: "copyout",
  release: "delete",
  delete: "delete",
};

/** The variables as written, without preceding map types and modifiers. */
function listText(c: Clause, from: WrittenClause): string {
  const text = from.argument ?? "";
  return c.names.length + c.modifiers.length > 0 ? text.replace(/^[\w\s,]*:\s*/, "") : text;
}

/** `iterator(k = 0:n)`, `a[0:n:2]`: every other element, and expressions: `*p`. */
function refuseLists({ vars, iterators, loc }: Clause): void {
  if (iterators)
    throw new CannotSay(
      iterators[0]?.loc ?? loc,
      "OpenACC's clauses have no iterators",
      "put a loop around a directive for one of the items, or name a section of them",
    );
  const computed = vars.find(({ written }) => /^[^A-Za-z_]/.test(written));
  if (computed)
    throw new CannotSay(
      computed.loc,
      `'${computed.written}' is an expression, and OpenACC's clauses take variables and parts of them`,
      "name the pointer with a section: p[0:1]",
    );
  const strided = vars.find((v) => v.section.some((dim) => dim.stride));
  if (strided)
    throw new CannotSay(
      strided.loc,
      `'${strided.written}' leaves out elements, and OpenACC's sections have no stride`,
      "name all of them: [start:length]",
    );
}

/**
 * What `always` says, as updates around a construct: data that is there is copied, other data is by the construct itself.
 * `order`: the clauses by which the construct joins a queue.
 */
export function alwaysUpdates(
  site: Site,
  { knowsAlways }: ToOpenAcc,
  order: readonly NewClause[] = [],
): Pick<Rewrite, "before" | "after"> {
  const found = knowsAlways
    ? []
    : pairs(site).filter(({ c }) => c.name === "map" && c.modifiers.includes("always"));
  const more = [...condition(site).clauses, ...order].map(({ text }) => ` ${text}`).join("");
  const update = (way: string, types: readonly string[]): readonly string[] => {
    const list = found.flatMap(({ c, from }) =>
      types.includes(c.names[0] ?? "tofrom") ? [listText(c, from).replace(readonlyAdvice, "")] : [],
    );
    return list.length > 0 ? [`#pragma acc update ${way}(${list.join(", ")})${more} if_present`] : [];
  };
  const [before, after] = [update("device", ["to", "tofrom"]), update("self", ["from", "tofrom"])];
  const name = site.directive.name;
  if (name === "target enter data") return { before };
  if (name === "target exit data") return { before: after };
  return { before, ...(after.length > 0 && { after }) };
}

export function mapClause(
  { directive: d }: Site,
  c: Clause,
  from: WrittenClause,
  { knowsAlways }: ToOpenAcc,
): NewClause {
  const fallback = d.name === "target exit data" ? "from" : "tofrom";
  const type = c.names[0] ?? fallback;
  const table =
    d.name === "target enter data" ? entering : d.name === "target exit data" ? leaving : structured;
  const name = table[type];
  refuseLists(c);
  const bare = c.vars.find((v) => v.section.length === 0 && canonical(v.object.type).kind === "pointer");
  if (bare)
    throw new CannotSay(
      bare.loc,
      `'${bare.written}' is a pointer, which this clause maps itself: OpenACC would take what it leads to`,
      `say what it leads to: ${bare.written}[0:n]`,
    );
  if (name === undefined)
    throw new CannotSay(
      c.loc,
      `map type '${type}' has no counterpart here`,
      "write to, from, tofrom or alloc",
    );
  const list = listText(c, from);
  if (c.modifiers.includes("present")) {
    if (d.name === "target enter data" || d.name === "target exit data")
      throw new CannotSay(c.loc, "OpenACC has no 'present' for this directive", "leave the modifier out");
    return put(`present(${list})`, from);
  }
  const modifiers = [
    ...(knowsAlways && c.modifiers.includes("always") && name !== "create" && name !== "delete"
      ? ["always"]
      : []),
    ...(name === "copyin" && list.startsWith(readonlyAdvice) ? ["readonly"] : []),
  ];
  const before = modifiers.length > 0 ? `${modifiers.join(", ")}: ` : "";
  return put(`${name}(${before}${list.replace(readonlyAdvice, "")})`, from);
}

/** A condition without the construct's name before it. */
export function condition(site: Site): {
  readonly clauses: readonly NewClause[];
  readonly because: readonly string[];
} {
  const because: string[] = [];
  const clauses = pairs(site).flatMap(({ c, from }) => {
    if (c.name !== "if") return [];
    if (c.names[0] !== undefined && !c.names[0].startsWith("target")) {
      because.push(
        `if(${from.argument ?? ""}) is about the number of threads, which OpenACC leaves to the compiler`,
      );
      return [];
    }
    return [put(`if(${(from.argument ?? "").replace(/^[a-z ]+:(?!:)\s*/, "")})`, from)];
  });
  return { clauses, because };
}

export function targetData(site: Site, context: ToOpenAcc): Rewrite {
  const { clauses: when } = condition(site);
  const maps = eachMapOnce(site).flatMap(({ c, from }) =>
    c.name === "map" ? [mapClause(site, c, from, context)] : [],
  );
  const looked = ofRegionsAlone(site, context.sites);
  const used = pairs(site).flatMap(({ c, from }) =>
    c.name === "use_device_ptr" || c.name === "use_device_addr" ? useDevice(c, from, looked) : [],
  );
  const data = maps.length > 0 ? [directive("data", [...when, ...maps])] : [];
  const hosts =
    used.length > 0
      ? [directive("host_data", [...(maps.length > 0 ? [] : when), ...used, put("if_present")])]
      : [];
  const because = looked.size > 0 ? ["regions inside look up themselves what only they use"] : [];
  return { directives: [...data, ...hosts], because, ...alwaysUpdates(site, context) };
}

/** `looked`: what regions inside look up themselves. */
function useDevice(c: Clause, from: WrittenClause, looked: ReadonlySet<Symbol>): readonly NewClause[] {
  const part = c.vars.find(({ section }) => section.length > 0);
  if (part)
    throw new CannotSay(
      part.loc,
      `'${part.written}' is a part of a variable, and OpenACC's 'use_device' takes whole ones`,
      "name the variable, and take the part's address inside",
    );
  const left = c.vars.filter(({ sym }) => !looked.has(sym));
  if (left.length === c.vars.length) return [put(`use_device(${from.argument ?? ""})`, from)];
  return left.length > 0 ? [put(`use_device(${left.map(({ written }) => written).join(", ")})`)] : [];
}

export function enterOrExit(site: Site, context: ToOpenAcc): Rewrite {
  const { dependences, sites } = context;
  refuseEndOfRegion(site, sites, "target data");
  const name = site.directive.name.replace("target ", "");
  const { clauses: when } = condition(site);
  const { clauses: order, because } = dependences.clauses(site);
  const maps = pairs(site).filter(({ c }) => c.name === "map");
  const final = maps.filter(({ c }) => c.names[0] === "delete");
  const others = maps.filter(({ c }) => c.names[0] !== "delete");
  const one = (list: typeof maps, more: readonly NewClause[]) =>
    list.length > 0
      ? [
          directive(name, [
            ...when,
            ...list.map(({ c, from }) => mapClause(site, c, from, context)),
            ...order,
            ...more,
          ]),
        ]
      : [];
  const directives = [...one(others, []), ...one(final, [put("finalize")])];
  return { directives, because, ...alwaysUpdates(site, context, order) };
}

export function update(site: Site, { dependences }: ToOpenAcc): Rewrite {
  const { clauses: when } = condition(site);
  const { clauses: order, because } = dependences.clauses(site);
  let must = false;
  let may = false;
  const moved = pairs(site).flatMap(({ c, from }) => {
    if (c.name !== "to" && c.name !== "from") return [];
    refuseLists(c);
    if (c.modifiers.includes("present")) must = true;
    else may = true;
    return [put(`${c.name === "to" ? "device" : "self"}(${listText(c, from)})`, from)];
  });
  if (must && may)
    throw new CannotSay(
      site.directive.loc,
      "OpenACC says for all variables of an 'update' whether they must be present",
      "write a directive for each",
    );
  const maybe = must ? [] : [put("if_present")];
  return { directives: [directive("update", [...when, ...moved, ...order, ...maybe])], because };
}
