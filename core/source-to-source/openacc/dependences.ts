/**
 * Dependences of target tasks as queues. If each task names exactly one element of one array, which it changes, each
 * element is a queue. Otherwise all tasks share a queue, whose order satisfies every dependence, since tasks depend
 * only on earlier ones. A task that reads another element would need more: whoever changes that element later waits for
 * the reader, and OpenACC's queues do not wait for each other unasked. The array that arc wrote for queues never means
 * that.
 */
import { CannotSay, directive, type NewClause, put, type Rewrite } from "../sites/rewrite.ts";
import type { Site } from "../sites/site.ts";
import type { WrittenClause } from "../text/written.ts";

const unnumbered = "64";

interface Depend {
  readonly type: string;
  readonly items: readonly string[];
}

export class Dependences {
  /** The array whose elements stand for queues. */
  readonly array: string | undefined;

  private readonly isOwn: boolean;

  /** Whether tasks are ordered, and by something else than the array that arc wrote for queues. */
  readonly isForeign: boolean;

  /** `own`: the array that arc wrote for the queues of a source in OpenACC. */
  constructor(sites: readonly Site[], own: string | undefined) {
    const all = sites.filter((site) => isTarget(site) || isTask(site)).flatMap(dependsOf);
    const names = new Set(all.flatMap(({ items }) => items.map((item) => elementOf(item)?.array ?? "")));
    const [only] = names;
    this.isOwn = only !== undefined && only === own;
    const queued = sites.filter((site) => isTask(site) || (isTarget(site) && hasNowait(site)));
    const one = queued.every(
      (site) =>
        changed(site).length === 1 && (this.isOwn || dependsOf(site).every(({ type }) => type !== "in")),
    );
    this.array = names.size === 1 && one && only !== "" ? only : undefined;
    this.isForeign = queued.length > 0 && (this.array === undefined || !this.isOwn);
  }

  /** Arc wrote `[(q) % 64]` for queue q, with a test for one that may be negative, and `[64]` for `async` without a number. */
  private readonly queueOf = (item: string): string | undefined => {
    const index = elementOf(item)?.index ?? "";
    if (!this.isOwn) return index;
    if (index === unnumbered) return undefined;
    return (/^\((.*)\) < 0 \? 64 : \(\1\) % 64$/.exec(index) ?? /^\((.*)\) % 64$/.exec(index))?.[1] ?? index;
  };

  /** nowait and depend clauses of a construct. */
  clauses(site: Site): { readonly clauses: readonly NewClause[]; readonly because: readonly string[] } {
    const from = site.written.clauses.find((c) => c.name === "nowait" || c.name === "depend");
    const depends = dependsOf(site);
    const nowait = hasNowait(site);
    if (!nowait && depends.length === 0) return { clauses: [], because: [] };
    if (this.array === undefined) {
      const why = "tasks that depend on each other share one queue, which keeps their order";
      return {
        clauses: [put(nowait ? "async(1)" : "wait(1)", from)],
        because: depends.length > 0 ? [why] : [],
      };
    }
    const own = nowait ? changed(site).map(this.queueOf)[0] : undefined;
    const others = depends.flatMap(({ items }) => items.map(this.queueOf)).filter((queue) => queue !== own);
    const waits =
      others.length > 0 ? [put(`wait(${others.map((q) => q ?? "acc_async_noval").join(", ")})`)] : [];
    const async_ = nowait ? [put(own === undefined ? "async" : `async(${own})`, from)] : [];
    return { clauses: [...async_, ...waits], because: [] };
  }

  /** The queue that `taskwait` waits for. */
  wait(site: Site): string {
    const depends = dependsOf(site);
    if (depends.length === 0) return "wait";
    if (this.array === undefined) return "wait(1)";
    const queues = depends.flatMap(({ items }) => items.map(this.queueOf));
    return `wait(${queues.map((q) => q ?? "acc_async_noval").join(", ")})`;
  }

  /** A task without statements makes the queue of its output wait for the queues of its inputs. */
  emptyTask(site: Site): Rewrite {
    if (this.array === undefined)
      return { directives: [], because: ["tasks share one queue, which keeps their order"] };
    const [own] = changed(site).map(this.queueOf);
    const waited = dependsOf(site)
      .flatMap(({ items }) => items.map(this.queueOf))
      .filter((queue) => queue !== own);
    if (waited.length === 0)
      return { directives: [], because: ["the task depends on its own queue alone, which keeps its order"] };
    const async_ = own === undefined ? "async" : `async(${own})`;
    return {
      directives: [directive(`wait(${waited.map((q) => q ?? "acc_async_noval").join(", ")})`, [put(async_)])],
      because: ["an empty task that depends on queues makes its own queue wait for them"],
    };
  }
}

const isTask = ({ directive: { name } }: Site): boolean => name === "task";
const isTarget = ({ directive: { name } }: Site): boolean => name.startsWith("target");
const hasNowait = ({ written }: Site): boolean => written.clauses.some((c) => c.name === "nowait");

const dependsOf = (site: Site): readonly Depend[] =>
  site.written.clauses.filter((c) => c.name === "depend").map((c) => dependOf(site, c));

function dependOf({ directive: d }: Site, { argument = "" }: WrittenClause): Depend {
  const found = /^\s*(in|out|inout)\s*:\s*([\s\S]+)$/.exec(argument);
  if (!found)
    throw new CannotSay(
      d.loc,
      `depend(${argument}) has no counterpart in OpenACC`,
      "write depend with in, out or inout and variables",
    );
  return { type: found[1] ?? "", items: itemsOf(found[2] ?? "") };
}

/** Splits a list at commas outside of brackets. */
function itemsOf(text: string): readonly string[] {
  const items: string[] = [];
  let depth = 0;
  let item = "";
  for (const c of text) {
    if (c === "(" || c === "[") depth++;
    if (c === ")" || c === "]") depth--;
    if (c === "," && depth === 0) {
      items.push(item.trim());
      item = "";
    } else item += c;
  }
  return [...items, item.trim()];
}

const changed = (site: Site): readonly string[] =>
  dependsOf(site).flatMap(({ type, items }) => (type === "in" ? [] : items));

function elementOf(item: string): { readonly array: string; readonly index: string } | undefined {
  const found =
    /^(\w+)\[(\(.*\) < 0 \? 64 : \(.*\) % 64)\]$/.exec(item) ??
    /^(\w+)\s*\[((?:[^:[\]]|\[[^:[\]]*\])+)\]$/.exec(item);
  return found ? { array: found[1] ?? "", index: (found[2] ?? "").trim() } : undefined;
}
