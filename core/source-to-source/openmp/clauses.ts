/** Parts shared by many constructs: conditions, queues, waiting, and pairs of parsed and written clauses. */
import type { Directive } from "../../ir/directives/directive.ts";
import { canonical, elementType } from "../../lang/index.ts";
import type { CType, Loc } from "../../lang/tree/ast.ts";
import { pairs } from "../sites/pairs.ts";
import { CannotSay, type NewClause, put } from "../sites/rewrite.ts";
import type { Site } from "../sites/site.ts";
import type { WrittenClause } from "../text/written.ts";
import { type Queues, queueOf } from "./queues.ts";

export const wordsOf = (site: Site, name: string): WrittenClause | undefined =>
  pairs(site).find(({ c }) => c.name === name)?.from;

export function refuseDeviceTypes(d: Directive): void {
  const found = d.clauses.find((c) => c.name === "device_type");
  if (found)
    throw new CannotSay(
      found.loc,
      "clauses for one type of device have no plain counterpart in OpenMP",
      "write one directive for each type under `#if`, or leave device_type and what follows it out",
    );
}

/** What private and reduction clauses of OpenACC may name, and OpenMP's may not. */
export function refuseParts({ clauses }: Directive): void {
  for (const { name, vars } of clauses)
    for (const { section, object, written, loc } of vars) {
      if ((name === "private" || name === "firstprivate") && section.length > 0)
        throw new CannotSay(
          loc,
          `'${written}' is a part of a variable, and OpenMP's '${name}' takes whole ones`,
          "declare an array of that size inside the region",
        );
      if (name === "reduction" && canonical(scalarIn(object.type)).kind === "record")
        throw new CannotSay(
          loc,
          `'${written}' is a structure, and OpenMP's 'reduction' takes numbers`,
          "reduce a variable for each member",
        );
    }
}

const scalarIn = (type: CType): CType => {
  const inner = elementType(type);
  return inner ? scalarIn(inner) : type;
};

/** `if` and `self` as a condition of the `target` construct. */
export function condition(site: Site): NewClause[] {
  const [yes, no] = [wordsOf(site, "if"), wordsOf(site, "self")];
  const inverted = no && (no.argument === undefined ? "0" : `!(${no.argument})`);
  if (yes?.argument === undefined && inverted === undefined) return [];
  const all = [yes?.argument && (inverted ? `(${yes.argument})` : yes.argument), inverted].filter(Boolean);
  return [put(`if(target: ${all.join(" && ")})`, yes ?? no)];
}

interface Order {
  readonly clauses: readonly NewClause[];
  /** Waits needed before the construct. */
  readonly before: readonly string[];
  /** The wait behind it, if the queue may be the synchronous one. */
  readonly behind: readonly string[];
  readonly because: readonly string[];
}

/** async(q) becomes nowait and a dependence on the queue; wait(r) becomes a dependence on the other queue. */
export function order(site: Site, queues: Queues): Order {
  const { function: def } = site;
  const clauses: NewClause[] = [];
  const before: string[] = [];
  const behind: string[] = [];
  const because: string[] = [];
  for (const { c, from } of pairs(site)) {
    if (c.name === "async") {
      behind.push(...queues.ifSync(queueOf(c), from.argument, c.loc, def));
      const element = queues.element(queueOf(c), from.argument, c.loc, def);
      if (element === undefined) because.push("`async(acc_async_sync)` is what happens without a clause");
      else clauses.push(put("nowait", from), put(`depend(inout: ${element})`));
    } else if (c.name === "wait" && c.exprs.length === 0) {
      before.push("#pragma omp taskwait");
      because.push("`wait` without a queue is for all: the program waits for them before the construct");
    } else if (c.name === "wait") {
      const list = queueTexts(from, c.loc).map((text, i) =>
        queues.element(c.exprs[i] === "*" ? undefined : c.exprs[i], text, c.loc, def),
      );
      const elements = list.filter((element) => element !== undefined);
      if (elements.length > 0) clauses.push(put(`depend(in: ${elements.join(", ")})`, from));
    }
  }
  if (behind.length > 0)
    because.push("the queue may be acc_async_sync, for which the program waits: nowait has no condition");
  return { clauses, before, behind, because };
}

/** `wait([queues:] list)`: the list. */
export function queueTexts({ list }: Pick<WrittenClause, "list">, loc: Loc): readonly string[] {
  if (/^devnum\s*:/.test(list[0] ?? ""))
    throw new CannotSay(
      loc,
      "tasks of OpenMP depend on objects, not on another device's queues",
      "write `wait` without queues: the program waits for all of its tasks, on every device",
    );
  return list.map((text) => text.replace(/^queues\s*:\s*/, ""));
}
