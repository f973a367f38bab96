/** Clauses of compute constructs and of their loops. */
import { usesOf } from "../../ir/analysis/access.ts";
import type { Clause } from "../../ir/directives/directive.ts";
import type { Level, Loop } from "../../ir/model/ir.ts";
import { ruleOf } from "../../ir/omp/directive/parse.ts";
import { areIndependent, chunkOf } from "../../ir/omp/parallel/chunks.ts";
import { canonical } from "../../lang/index.ts";
import type { LoopFacts } from "../sites/facts.ts";
import { type Pair, pairs } from "../sites/pairs.ts";
import { CannotSay, type NewClause, put } from "../sites/rewrite.ts";
import type { Site } from "../sites/site.ts";
import { arrayReductions } from "./array-reductions.ts";
import { privatesOfCollapsed, refuseOtherNests, variablesOf } from "./collapsed-nests.ts";
import type { ToOpenAcc } from "./context.ts";
import { mapClause } from "./data.ts";
import { firstUsed } from "./first-used.ts";
import { refuseLastingCounters } from "./lasting-counters.ts";
import { isLookedUp } from "./regions-in-host-data.ts";

export const sizeNames = ["num_teams", "thread_limit", "num_threads", "simdlen"];
const ofLoops = ["collapse", "schedule", "dist_schedule", "order", "bind"];
const hints: Readonly<Record<string, string>> = {
  schedule: "which thread has which iterations is no matter of results",
  dist_schedule: "which gang has which iterations is no matter of results",
  simdlen: "the number of lanes is the compiler's choice",
  safelen: "what may run at once was proved, or is left in order",
  aligned: "how data is aligned, compilers for devices find out",
  nontemporal: "how data is cached, compilers for devices decide",
  order: "iterations of OpenACC's independent loops run in any order",
  proc_bind: "where threads run, OpenACC does not say",
  bind: "levels of the loop are said by name",
  default: "what variables are is said by their clauses",
  defaultmap: "what variables are is said by their clauses",
  hint: "it has no effect on results",
  device: "OpenACC's device is the one that acc_set_device_num chose",
  if: "",
  nowait: "",
  depend: "",
};

/** The translation of a clause; `alone`: there is no loop that could take it. */
export function ofConstruct(
  site: Site,
  { c, from }: Pair,
  alone: boolean,
  context: ToOpenAcc,
  reasons: string[],
): readonly NewClause[] {
  const { argument = "" } = from;
  switch (c.name) {
    case "map":
      return [mapClause(site, c, from, context)];
    case "is_device_ptr":
      return deviceAddresses(site, { c, from }, context);
    case "firstprivate":
      refuseCopiesOfThreads(site, c);
      return [put(`firstprivate(${argument})`, from)];
    case "private":
      return alone ? [put(`private(${argument})`, from)] : [];
    case "reduction":
      return alone ? [put(`reduction(${reductionText(c, argument)})`, from)] : [];
    case "shared":
      return [];
    case "defaultmap":
      return c.names[0] === "none" && c.names[1] === undefined
        ? [put("default(none)", from)]
        : other(c, reasons);
    default:
      if (sizeNames.includes(c.name) || ofLoops.includes(c.name)) return [];
      return other(c, reasons);
  }
}

/** Those that a construct around has made of what it maps are looked up by the region. */
function deviceAddresses(site: Site, { c, from }: Pair, { sites }: ToOpenAcc): readonly NewClause[] {
  const looked = c.vars.filter(({ sym }) => isLookedUp(site, sym, sites));
  if (looked.length === 0) return [put(`deviceptr(${from.argument ?? ""})`, from)];
  const [present, left] = [
    looked.map(({ sym, written }) => written + firstUsed(site, sym)),
    c.vars.filter((v) => !looked.includes(v)).map(({ written }) => written),
  ];
  return [
    put(`present(${present.join(", ")})`),
    ...(left.length > 0 ? [put(`deviceptr(${left.join(", ")})`)] : []),
  ];
}

/** Each thread of a combined construct has its copy; OpenACC gives one to each gang, whose lanes share it. */
function refuseCopiesOfThreads({ directive: d, stmt }: Site, { vars }: Clause): void {
  const hasThreads = ruleOf(d).leaves.some((leaf) => leaf === "parallel" || leaf === "simd");
  const uses = hasThreads && stmt ? usesOf(stmt).of : undefined;
  const changed = vars.find(({ sym }) => {
    const use = uses?.get(sym);
    return use && (use.written || (canonical(sym.type).kind === "array" && use.elementsWritten));
  });
  if (changed)
    throw new CannotSay(
      changed.loc,
      `each thread changes its copy of '${changed.written}', and OpenACC's firstprivate gives one to each gang`,
      "declare a variable in the loop, which begins with its value",
    );
}

/** `-` is an older spelling of `+`; modifiers say what holds in OpenACC anyway, but for `inscan`. */
function reductionText(c: Clause, argument: string): string {
  const text = argument.replace(/^\s*((default|task|original\s*\([^)]*\))\s*,\s*)+/, "");
  const [, own] = /^\s*(?:\w+\s*,\s*)?(?!(?:max|min)\b)([A-Za-z_]\w*)\s*:/.exec(text) ?? [];
  if (own !== undefined)
    throw new CannotSay(
      c.loc,
      `'${own}' is a reduction that the program declares, and OpenACC reduces by its own operators alone`,
      "store the values in an array, and combine them in a loop of their own",
    );
  return text.replace(/^\s*-\s*:/, `${c.op ?? "+"}:`);
}

function other(c: Clause, reasons: string[]): readonly NewClause[] {
  const why = hints[c.name];
  if (why === undefined)
    throw new CannotSay(
      c.loc,
      `'${c.name}' has no counterpart in OpenACC`,
      c.name === "lastprivate"
        ? "compute the value behind the loop, or write it in an array element of its own"
        : "write the code without the clause",
    );
  if (why !== "") reasons.push(`${c.name}: ${why}`);
  return [];
}

/** A construct of one loop over teams and threads leaves the levels to the compiler, as a loop without names of levels does. */
const leavesLevels = ({ free, levels }: Loop["parallel"]): boolean =>
  free === true && levels.join(" ") === "gang vector";

/** `loop` and its clauses. */
export function loopClauses(
  site: Site,
  facts: LoopFacts | undefined,
  context: ToOpenAcc,
  reasons: string[],
): readonly NewClause[] {
  const { levels, independence } = facts?.loop.parallel ?? {
    levels: [] as readonly Level[],
    independence: "seq",
  };
  const isFirst = site.directive.name.startsWith("target");
  refuseLastingCounters(site, facts);
  if (chunkOf(site.directive) !== undefined && site.stmt && !areIndependent(site.directive, site.stmt))
    throw new CannotSay(
      site.directive.loc,
      "OpenACC has no chunks of iterations that run in order, and these may need each other's results",
      "leave the schedule out if they do not, or write a loop over the chunks",
    );
  const clauses: NewClause[] = [];
  const chunk = pairs(site).find(({ c }) => c.name === "dist_schedule")?.c.exprs[0];
  const mapped = context.facts.mapped?.(site.directive.pragma) === true;
  const open: readonly string[] = mapped && levels.length === 0 ? ["independent"] : levels;
  const isOpen = !mapped && !chunk && facts !== undefined && leavesLevels(facts.loop.parallel);
  const words: readonly string[] = independence === "seq" ? ["seq"] : isOpen ? [] : open;
  const depth = site.stmt && context.facts.collapse?.(site.stmt);
  if (depth !== undefined && depth > 1) {
    clauses.push(put(`collapse(${depth})`));
    clauses.push(...privatesOfCollapsed(site.stmt, depth, variablesOf(site), context));
  }
  for (const word of words) {
    const list =
      word === "gang" && chunk
        ? pairs(site).find(({ c }) => c.name === "dist_schedule")?.from.list[1]
        : undefined;
    clauses.push(put(list === undefined ? word : `gang(static: ${list})`));
  }
  if (independence !== "seq" && (levels.length > 0 || mapped))
    clauses.push(...arrayReductions(site, context));
  for (const { c, from } of pairs(site)) {
    const { argument = "" } = from;
    if (c.name === "collapse" && mapped) continue;
    if (c.name === "collapse") {
      refuseOtherNests(site, c);
      clauses.push(put(`collapse(${argument})`, from));
    } else if (c.name === "private") clauses.push(put(`private(${argument})`, from));
    else if (c.name === "reduction") clauses.push(put(`reduction(${reductionText(c, argument)})`, from));
    else if (c.name === "dist_schedule" && chunk) continue;
    else if (sizeNames.includes(c.name) || c.name === "shared") continue;
    else if (c.name === "schedule" || c.name === "dist_schedule" || c.name === "order" || c.name === "bind")
      reasons.push(`${c.name}: ${hints[c.name]}`);
    else if (!isFirst && c.name !== "nowait") {
      if (c.name === "firstprivate" || c.name === "map")
        throw new CannotSay(
          c.loc,
          `OpenACC's 'loop' has no '${c.name}'`,
          "write the clause on the 'target' construct",
        );
      other(c, reasons);
    }
  }
  return clauses;
}
