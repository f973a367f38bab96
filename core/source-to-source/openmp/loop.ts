/** `loop` inside a construct or a routine. */
import { clause } from "../../ir/directives/directive.ts";
import { asWritten, CannotSay, directive, type Rewrite } from "../sites/rewrite.ts";
import { isCompute, type Site } from "../sites/site.ts";
import { oneTeamFor, regionClauses } from "./compute.ts";
import { takesThreads } from "./constructs.ts";
import type { ToOpenMp } from "./context.ts";
import { formOf, gangLoop, hasOneTeam, inOneTeam, wholeNest } from "./kernels.ts";
import { sharedLoop } from "./loops.ts";
import { sizeOfLoop } from "./sizes.ts";

export function loop(site: Site, context: ToOpenMp): Rewrite {
  const { facts } = context;
  const { pragma } = site.directive;
  const found = facts.loop(pragma);
  // OpenARC's nests of one level are read as one loop, with the outermost directive.
  const level = ["gang", "worker"].find((name) => clause(site.directive, name));
  const outer = site.around.findLast((s) => level !== undefined && clause(s.directive, level));
  if (!found && level !== undefined && outer)
    throw new CannotSay(
      site.directive.loc,
      `OpenMP has no counterpart of a '${level}' loop inside a '${level}' loop`,
      "write collapse(2) on the outer one, and leave this directive out",
    );
  const construct = site.around.findLast(isCompute);
  const form = construct?.directive.name.startsWith("kernels") ? formOf(construct, facts) : undefined;
  const shared = sharedLoop(site, found && hasOneTeam(form, found.task) ? inOneTeam(found) : found, context);
  const { because } = shared;
  const alone = form === "split" && found?.task && wholeNest(found.task)?.site.pragma === pragma;
  const around = alone && hasOneTeam(form, found.task) ? [oneTeamFor(site, construct as Site, context)] : [];
  const isSeq = clause(site.directive, "seq") !== undefined;
  const isKept = (form !== undefined && (!isSeq || around.length > 0)) || shared.saysLess;
  const kept = isKept ? { kept: true as const } : {};
  if (shared.constructs.length === 0)
    return {
      directives: around,
      because,
      ...kept,
      ...(shared.advice !== undefined && { advice: shared.advice }),
    };
  const sizes = construct ? sizeOfLoop(shared.constructs, construct, context) : [];
  const clauses = asWritten([...sizes, ...shared.clauses], site.written);
  const name = shared.constructs.join(" ");
  const task = form === "split" ? found?.task : undefined;
  if (!task || gangLoop(task)?.site.pragma !== pragma)
    return { directives: [...around, directive(name, clauses)], because, ...kept };
  const region = regionClauses(construct as Site, task, site.stmt, context);
  // `distribute` has no reduction, but the teams do that the directive is combined with.
  const ofTeams = takesThreads(shared.constructs) ? [] : asWritten(shared.reductions, site.written);
  return {
    directives: [directive(`target teams ${name}`, [...clauses, ...ofTeams, ...region.clauses])],
    because: [...because, ...region.because],
    ...kept,
  };
}
