/**
 * Copies that a `target` has of variables and that its teams share, as of counters that they raise atomically. OpenACC's
 * firstprivate gives each gang one, and `copyin` is the host's own variable where device and host share memory.
 */
import { isVariableArray } from "../../ir/directives/own-arrays.ts";
import type { Task } from "../../ir/model/ir.ts";
import { CannotSay } from "../sites/rewrite.ts";
import type { Site } from "../sites/site.ts";

/** Throws `CannotSay`. */
export function refuseSharedCopies({ directive: d }: Site, { items }: Task): void {
  // Teams begin their own copies of arrays of variable size with one for all, too.
  const shared = items.find(({ mapping, sym }) => mapping.is === "copied" && !isVariableArray({ sym }));
  // Sizes that normalisation passes have no name in the text.
  if (!shared || d.pragma.scope.lookup(shared.sym.name) !== shared.sym) return;
  const { name } = shared.sym;
  throw new CannotSay(
    d.loc,
    `the teams of this region change one copy of '${name}', and OpenACC gives each gang a copy`,
    `copy it before, int shared = ${name};, and map the copy: map(tofrom: shared)`,
  );
}
