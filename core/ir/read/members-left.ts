/** A region gets a structure without what a pointer in it leads to: `copyin(f)`, and `f.x[i]` reads the host's memory. */
import { evaluateInteger, printExpr } from "../../lang/index.ts";
import type { Diagnostic, External, Stmt, TranslationUnit } from "../../lang/tree/ast.ts";
import { usesOf } from "../analysis/access.ts";
import { followedIn, hostMembers, type Member } from "../extents/host-members.ts";
import type { Task } from "../model/ir.ts";
import { nodesIn } from "../model/nodes.ts";
import type { Routine } from "../model/program.ts";

/** `externals`: those of the unit, with their directives read. */
export function membersLeft(
  unit: TranslationUnit,
  externals: readonly External[],
  routines: ReadonlyMap<unknown, Routine>,
): readonly Diagnostic[] {
  const functions = externals.flatMap((e) => (e.kind === "function" ? [e] : []));
  const tasks = functions.flatMap((f) => [...nodesIn(f.body, "task")]).filter(runsOnDevice);
  if (!tasks.some(({ body }) => followedIn(body).length > 0)) return [];
  const ofRoutines = functions.filter((f) => routines.has(f.sym)).map((f) => f.body);
  const isOfHost = hostMembers(unit, [...tasks.map(({ body }) => body), ...ofRoutines]);
  return tasks.flatMap(({ body }) => {
    const left = followedIn(body).filter((member) => isOfHost(member) && isFromOutside(member, body));
    const names = left.map((member) => printExpr(member));
    return left.filter((_, k) => names.indexOf(names[k] as string) === k).map(warning);
  });
}

const runsOnDevice = ({ condition, self }: Task): boolean =>
  self !== "always" && !(condition && evaluateInteger(condition) === 0n);

const isFromOutside = (member: Member, body: Stmt): boolean => {
  const { declared } = usesOf(body);
  return [...usesOf(member).of.keys()].some((sym) => !declared.has(sym));
};

function warning(member: Member): Diagnostic {
  const name = printExpr(member);
  return {
    severity: "warning",
    code: "member-left",
    loc: member.span.start,
    message: `what '${name}' leads to is not on the device: the region reads memory of the host there, or fails`,
    why: "a structure is copied as it is, with addresses of the host in its pointers, unless a clause names what they lead to (OpenACC 3.3, section 2.6.4; OpenMP 5.2, section 5.8.3)",
    remedy: `map ${name}[0:n] besides the structure, for the n elements behind it`,
  };
}
