/** What OpenMP constructs decide for the directives inside them. */
import type { Stmt, Symbol } from "../../lang/tree/ast.ts";
import { stripBlocks } from "../../lang/tree/build.ts";
import { usesOf } from "../analysis/access.ts";
import { countedHeader } from "../analysis/loops/counted.ts";
import { clause, type Directive } from "../directives/directive.ts";
import type { Around, OmpAround } from "../directives/read-state.ts";
import { ruleOf } from "./directive/parse.ts";
import { shuffled } from "./parallel/shuffle.ts";
import { contextOf } from "./selectors/context.ts";

/** The context of the statement that a directive applies to; `source`: this statement as written. */
export function inside(around: Around, d: Directive, source: Stmt): Around {
  if (d.name === "target data") return { ...around, mapped: mappedBy(around, d) };
  const { leaves } = ruleOf(d);
  if (leaves.length === 0) return around;
  const constructs = leaves.filter((leaf) => leaf !== "distribute" && leaf !== "loop");
  const shuffles = new Set(shuffled(d).map((v) => v.sym));
  const omp: OmpAround = {
    ...around.omp,
    sharedByThreads: sharedByThreads(around, d, source),
    ...(leaves.includes("target") && { mapped: mappedBy(around, d) }),
    ...(shuffles.size > 0 && { shuffles: new Set([...(around.omp?.shuffles ?? []), ...shuffles]) }),
    ...(leaves.at(-1) === "teams" && { ofTeams: shuffles }),
    concurrent:
      isConcurrent(d) || (around.omp?.concurrent && !leaves.includes("parallel")) ? true : undefined,
    constructs: [...contextOf(around).constructs, ...constructs],
    ...(leaves.includes("teams") && { teams: true as const }),
    ...(leaves.includes("parallel") && { threads: true as const }),
    // A construct nested in another one has a team of one thread, which shares no loops.
    ...(leaves.includes("parallel") && around.omp?.threads && { shared: undefined }),
    ...((leaves.includes("for") || (leaves.includes("parallel") && leaves.includes("loop"))) && {
      shared: true as const,
    }),
  };
  return { ...around, region: around.region ?? "omp", omp };
}

/** `loop`, and `order(concurrent)`. */
const isConcurrent = (d: Directive): boolean =>
  ruleOf(d).leaves.includes("loop") || d.clauses.some(({ name }) => name === "order");

function mappedBy({ mapped }: Around, d: Directive): ReadonlySet<Symbol> {
  const own = d.clauses.flatMap((c) => (c.name === "map" ? c.vars.map((v) => v.sym) : []));
  return new Set([...(mapped ?? []), ...own]);
}

/**
 * What the threads of a team share (OpenMP 5.2, section 5.1.1): variables from outside of the `parallel` construct that
 * neither clauses nor loops since then make copies of. Undefined where no `parallel` stands around, or if it makes copies
 * of everything.
 */
function sharedByThreads({ omp }: Around, d: Directive, source: Stmt): ReadonlySet<Symbol> | undefined {
  const begins = ruleOf(d).leaves.includes("parallel");
  if (begins && clause(d, "default")?.names.some((name) => name.endsWith("private"))) return undefined;
  if (!begins && !omp?.sharedByThreads) return undefined;
  const uses = usesOf(source);
  const outer = begins
    ? [...uses.of.keys()].filter((sym) => !uses.declared.has(sym))
    : (omp?.sharedByThreads ?? []);
  const copied = new Set([
    ...d.clauses.filter((c) => copying.has(c.name)).flatMap((c) => c.vars.map((v) => v.sym)),
    ...countersOf(source),
  ]);
  return new Set([...outer].filter((sym) => !copied.has(sym)));
}

const copying = new Set(["private", "firstprivate", "lastprivate", "linear", "reduction", "in_reduction"]);

/** The counters of loops directly inside one another. */
function countersOf(source: Stmt): readonly Symbol[] {
  if (source.kind !== "for") return [];
  const header = countedHeader(source);
  return "severity" in header ? [] : [header.var, ...countersOf(stripBlocks(source.body))];
}
