/**
 * Values that one thread leaves and another one takes if a flag says that they are there. The flag is set and looked at
 * under one lock, or with atomics that order other memory, so what comes before the setting comes before what the look
 * allows.
 */
import { walkExpr } from "../../lang/index.ts";
import type { Expr, Symbol } from "../../lang/tree/ast.ts";
import type { Access } from "../memory/access.ts";
import type { Facts } from "../memory/facts.ts";

interface Region {
  readonly accesses: readonly Access[];
  /** Atomic accesses may order others. */
  readonly flushes?: true;
}

/** Whether a flag may order the two. */
export const handedOver = (a: Access, b: Access, region: Region, facts: Facts): boolean =>
  allowedBehind(a, b, region, facts) || allowedBehind(b, a, region, facts);

/** Whether `taken` runs only if a flag is set that is set after `left`. */
function allowedBehind(left: Access, taken: Access, { accesses, flushes }: Region, facts: Facts): boolean {
  const conditions = taken.context.guards.filter((g) => g.inside && !left.context.guards.includes(g));
  const asked = new Set(conditions.flatMap((g) => namesIn(g.test)));
  if (asked.size === 0) return false;
  const sources = sourcesOf(asked, facts);
  // What is left may itself be what is looked at, if it is under the lock.
  const signals = accesses.filter(
    (w) =>
      w.mode === "write" &&
      w.order >= left.order &&
      isShared(w) &&
      (w.location.root !== left.location.root || left.atomic || left.context.locks.size > 0),
  );
  return signals.some((signal) => {
    if (signal.atomic && flushes) return sources.has(signal.location.root);
    return accesses.some(
      (look) =>
        look.order < taken.order &&
        (sources.has(look.location.root) || (look.mode === "write" && asked.has(look.location.root))) &&
        [...look.context.locks].some((lock) => signal.context.locks.has(lock)),
    );
  });
}

const isShared = ({ owner, context }: Access): boolean => owner < context.levels.length;

function namesIn(e: Expr): readonly Symbol[] {
  const found: Symbol[] = [];
  walkExpr(e, {
    expr(part) {
      if (part.kind === "ident" && part.sym.kind !== "function") found.push(part.sym);
    },
  });
  return found;
}

/** The variables, and those that they get their values from. */
function sourcesOf(names: ReadonlySet<Symbol>, { settings }: Facts): ReadonlySet<Symbol> {
  const sources = new Set(names);
  for (const sym of sources)
    for (const { value } of settings.get(sym) ?? [])
      if (value) for (const s of namesIn(value)) sources.add(s);
  return sources;
}
