/** Directives that move data, wait, or describe functions and variables. */
import type { Clause } from "../../ir/directives/directive.ts";
import { canonical } from "../../lang/index.ts";
import type { Loc } from "../../lang/tree/ast.ts";
import { refuseEndOfRegion } from "../sites/counts.ts";
import { pairs } from "../sites/pairs.ts";
import { CannotSay, directive, type NewClause, put, type Rewrite } from "../sites/rewrite.ts";
import { isCompute, type Site } from "../sites/site.ts";
import { order, queueTexts, refuseDeviceTypes, wordsOf } from "./clauses.ts";
import type { ToOpenMp } from "./context.ts";
import { canonicalName, eachOnce, isDataClause, listText, mapClause, refuseUnlike } from "./data.ts";
import { declareInFunction, queuedData } from "./open-data.ts";

/** `if(e)` on a directive that is not combined. */
const plainCondition = (site: Site): NewClause[] => {
  const found = wordsOf(site, "if");
  return found ? [put(`if(${found.argument ?? ""})`, found)] : [];
};

export function data(site: Site, context: ToOpenMp): Rewrite {
  const { directive: d } = site;
  refuseDeviceTypes(d);
  if (d.clauses.some(({ name }) => name === "async" || name === "wait")) return queuedData(site, context);
  const clauses = [...plainCondition(site)];
  const before: string[] = [];
  const because: string[] = [];
  for (const { c, from } of eachOnce(site)) {
    if (!isDataClause(canonicalName(c.name))) {
      if (c.name === "default")
        because.push(`default(${c.names[0]}) is for the regions inside, whose clauses say it`);
      if (c.name === "pipe") throw new CannotSay(c.loc, "OpenMP has no pipes", "write create");
      continue;
    }
    if (c.name === "deviceptr") {
      because.push(`deviceptr(${from.argument ?? ""}) is said by is_device_ptr of the regions inside`);
      continue;
    }
    const mapped = mapClause(site, c, from, context.version);
    clauses.push(...mapped.clauses);
    before.push(...mapped.before);
    because.push(...mapped.because);
  }
  if (!clauses.some(({ text }) => text.startsWith("map")))
    return {
      directives: [],
      before,
      because: [...because, "nothing is mapped: OpenMP's directive would be empty"],
    };
  return { directives: [directive("target data", clauses)], before, because };
}

export function enterOrExit(site: Site, context: ToOpenMp): Rewrite {
  const { directive: d } = site;
  refuseEndOfRegion(site, context.sites, "data");
  const finalize = d.clauses.find((c) => c.name === "finalize");
  const { clauses: queue, before, behind, because } = order(site, context.queues);
  const when = plainCondition(site);
  const clauses: NewClause[] = [...when];
  // OpenMP either copies out and counts down, or deletes. Outside of regions both counts end here.
  const copied: NewClause[] = [];
  for (const { c, from } of eachOnce(site)) {
    const name = canonicalName(c.name);
    if (!isDataClause(name)) continue;
    refuseUnlike(c);
    if (name === "copyout" && finalize) copied.push(put(`from(${listText(c, from)})`));
    if (name === "delete" || (name === "copyout" && finalize))
      clauses.push(put(`map(${finalize ? "delete" : "release"}: ${listText(c, from)})`, from));
    else clauses.push(...mapClause(site, c, from, context.version).clauses);
  }
  const last = directive(`target ${d.name}`, [...clauses, ...queue]);
  if (copied.length === 0) return { directives: [last], before, because, ...waiting(behind) };
  return {
    directives: [directive("target update", [...when, ...copied, ...queue]), last],
    before,
    because: [...because, "map(delete:) copies nothing: an update copies before it"],
    kept: true,
    ...(behind.length > 0 && { behind }),
  };
}

export function update(site: Site, context: ToOpenMp): Rewrite {
  refuseDeviceTypes(site.directive);
  const { clauses: queue, before, behind, because } = order(site, context.queues);
  const must = !site.directive.clauses.some((c) => c.name === "if_present");
  const modifier = must && context.version === "5.1" ? "present: " : "";
  const clauses: NewClause[] = [...plainCondition(site)];
  for (const { c, from } of pairs(site)) {
    refuseUnlike(c);
    const way = c.name === "device" ? "to" : c.name === "self" ? "from" : undefined;
    if (way && c.vars.length > 0) clauses.push(put(`${way}(${modifier}${from.argument ?? ""})`, from));
  }
  const absent =
    must && modifier === ""
      ? [
          "where data is absent, OpenMP 5.0 does nothing; OpenACC ends the program (5.1 has `present:`: --openmp 5.1)",
        ]
      : [];
  return {
    directives: [directive("target update", [...clauses, ...queue])],
    before,
    because: [...because, ...absent],
    ...waiting(behind),
    ...(absent.length > 0 && { kept: true as const }),
  };
}

/** Lines behind a directive, which only OpenMP needs. */
const waiting = (behind: readonly string[]): Pick<Rewrite, "behind" | "kept"> =>
  behind.length > 0 ? { behind, kept: true } : {};

export function hostData(site: Site): Rewrite {
  const clauses: NewClause[] = [...plainCondition(site)];
  for (const { c, from } of pairs(site)) {
    if (c.name !== "use_device") continue;
    const [arrays, pointers] = [true, false].map((isArray) =>
      c.vars.filter((v) => (canonical(v.object.type).kind !== "pointer") === isArray).map((v) => v.written),
    );
    if (pointers && pointers.length > 0) clauses.push(put(`use_device_ptr(${pointers.join(", ")})`, from));
    if (arrays && arrays.length > 0) clauses.push(put(`use_device_addr(${arrays.join(", ")})`, from));
  }
  return { directives: [directive("target data", clauses)] };
}

/** Both languages use the same keywords, except for OpenACC's condition. */
export function atomic(site: Site): Rewrite {
  const [construct] = site.around.filter(isCompute);
  const shared = site.around.some((s) => s.directive.name.endsWith("loop"));
  if (construct && !shared && construct.directive.name !== "serial")
    throw new CannotSay(
      site.directive.loc,
      "every gang makes this update, and OpenMP has no 'atomic' for code of teams outside of loops",
      "make the update in a loop over gangs, or a reduction of the construct",
      "only distribute, parallel and loop may stand directly inside teams (OpenMP 5.0, section 2.7)",
    );
  const when = site.directive.clauses.find((c) => c.name === "if");
  if (when)
    throw new CannotSay(
      when.loc,
      "OpenMP's 'atomic' has no condition",
      "leave the clause out: the update is right without it",
    );
  return {
    directives: [
      directive(
        "atomic",
        site.written.clauses.map((from) => put(from.name, from)),
      ),
    ],
  };
}

export function wait(site: Site, context: ToOpenMp): Rewrite {
  const when = wordsOf(site, "if");
  const made = waitAlways(site, context);
  if (when?.argument === undefined) return made;
  return {
    ...made,
    before: [`if (${when.argument}) {`, ...(made.before ?? [])],
    behind: ["}"],
    kept: true,
    because: [...(made.because ?? []), "OpenMP's 'taskwait' has no condition: an `if` around it has"],
  };
}

function waitAlways(site: Site, context: ToOpenMp): Rewrite {
  const { directive: d, written, function: def } = site;
  const { queues } = context;
  const list = argumentList(written.argument, d.loc);
  const waited = (d.argument?.exprs ?? []).map((e, i) =>
    queues.element(e === "*" ? undefined : e, list[i], d.loc, def),
  );
  const elements = waited.filter((element) => element !== undefined);
  const own = pairs(site).find(({ c }) => c.name === "async");
  if (!own) {
    if (waited.length === 0) return { directives: [directive("taskwait")] };
    return {
      directives: elements.length === 0 ? [] : [directive(`taskwait depend(inout: ${elements.join(", ")})`)],
    };
  }
  const [queue] = own.c.exprs;
  const onto = queues.element(queue === "*" ? undefined : queue, own.from.argument, own.c.loc, def);
  if (waited.length === 0 || onto === undefined)
    throw new CannotSay(
      own.c.loc,
      "OpenMP's tasks depend on named ones: none can wait for all that runs",
      "name the queues, as in wait(1, 2) async(3)",
    );
  return {
    directives: [],
    before: [`#pragma omp task depend(in: ${elements.join(", ")}) depend(inout: ${onto})`, ";"],
    because: ["an empty task that depends on the queues makes the one wait for the others"],
  };
}

const argumentList = (text: string | undefined, loc: Loc): readonly string[] =>
  queueTexts({ list: (text ?? "").split(",").map((part) => part.trim()) }, loc);

export function control(site: Site): Rewrite {
  const { directive: d } = site;
  refuseDeviceTypes(d);
  const number = wordsOf(site, "device_num");
  const queue = d.clauses.find((c) => c.name === "default_async");
  if (queue)
    throw new CannotSay(queue.loc, "OpenMP has no default queue", "name the queue in each async clause");
  if (d.name === "shutdown")
    throw new CannotSay(d.loc, "OpenMP has no directive that ends the use of a device", "leave it out");
  const when = wordsOf(site, "if");
  if (!number) return { directives: [], because: ["OpenMP initialises devices when they are first used"] };
  const call = `omp_set_default_device(${number.argument ?? ""});`;
  return { directives: [], before: [when ? `if (${when.argument ?? ""}) ${call}` : call] };
}

/** `cache` is advice. */
export const cache = ({ written }: Site): Rewrite => ({
  directives: [],
  advice: `cache(${written.argument ?? ""})`,
  because: ["`cache` is advice that OpenMP has no word for: it stays as a comment"],
});

/** `extern int a[];`: OpenMP's variables of the device have complete types (OpenMP 5.0, section 2.12.7). */
function refuseUnsized({ vars }: Clause): void {
  const unsized = vars.find(({ sym }) => {
    const type = canonical(sym.type);
    return type.kind === "array" && type.size === undefined && type.sizeExpr === undefined;
  });
  if (unsized)
    throw new CannotSay(
      unsized.loc,
      `the size of '${unsized.written}' is not known here, and OpenMP declares variables of known size`,
      `declare it with its size before the directive: extern ... ${unsized.written}[100];`,
    );
}

export function declare(site: Site, context: ToOpenMp): Rewrite {
  if (site.function) return declareInFunction(site, context);
  const directives = pairs(site).map(({ c, from }) => {
    const name = canonicalName(c.name);
    refuseUnsized(c);
    if (name === "link") return directive("declare target", [put(`link(${from.argument ?? ""})`, from)]);
    if (name === "create" || name === "copyin" || name === "device_resident")
      return directive("declare target", [put(`to(${listText(c, from)})`, from)]);
    throw new CannotSay(
      c.loc,
      `a variable of the file that is '${c.name}' has no counterpart in OpenMP`,
      "write create or copyin here, and 'update' where the value is needed",
    );
  });
  return { directives };
}

/** A routine becomes a function between `declare target` and its end; a named one becomes a list item. */
export function routine(site: Site): Rewrite {
  const { directive: d, written, next, nextSpan } = site;
  refuseDeviceTypes(d);
  const bind = d.clauses.find((c) => c.name === "bind");
  if (bind)
    throw new CannotSay(
      bind.loc,
      "a function of another name on the device is a 'declare variant' in OpenMP",
      `call '${bind.names[0] ?? ""}' in the region`,
    );
  const nohost = d.clauses.some((c) => c.name === "nohost");
  const extra = nohost ? [put("device_type(nohost)")] : [];
  const later = d.argument?.names.find((name) => !d.pragma.scope.lookup(name));
  if (later !== undefined)
    throw new CannotSay(
      d.loc,
      `'${later}' is declared behind the directive, and 'declare target' takes what is declared before`,
      `declare '${later}' before the directive`,
    );
  if (d.argument)
    return { directives: [directive("declare target", [put(`to(${written.argument ?? ""})`), ...extra])] };
  if (nohost && next)
    throw new CannotSay(
      d.loc,
      "'nohost' needs the list form in OpenMP",
      "write routine(NAME) nohost behind the function",
    );
  if (!next || !nextSpan)
    throw new CannotSay(
      d.loc,
      "the function behind 'routine' comes out of a macro",
      "write routine(NAME) behind it",
    );
  return { directives: [directive("declare target")], after: ["#pragma omp end declare target"] };
}
