/**
 * Loops whose iterations wait for others: `ordered(n)` with `depend(sink:)` and `depend(source)`, or `doacross` (OpenMP
 * 5.2, section 15.9.6).
 */
import { evaluateInteger, parseExpr } from "../../lang/index.ts";
import type { PragmaToken } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import type { Distance, Doacross } from "../memory/access.ts";
import { clausesOf, type Directive, split } from "../read/directive.ts";

/** The state after a directive inside the loops; undefined: the analysis does not understand it. */
export function afterOrdered(d: Directive, now: Doacross): Doacross | undefined {
  let next: Doacross | undefined = now;
  for (const { tokens } of clausesOf(d, "depend", "doacross")) {
    if (!next) return undefined;
    const colon = tokens.findIndex((t) => t.text === ":");
    const kind = tokens[0]?.text;
    const rest = colon < 0 ? [] : tokens.slice(colon + 1);
    if (kind === "source") next = { ...next, posted: true };
    else if (kind === "sink") {
      const distance = distanceOf(rest, d, next.loops);
      if (distance) next.all.push(distance);
      next = distance && { ...next, waited: [...next.waited, distance] };
    } else return undefined;
  }
  return next;
}

/** Parses the distance in `i - 1, j`. */
function distanceOf(
  tokens: readonly PragmaToken[],
  { pragma }: Directive,
  loops: Doacross["loops"],
): Distance | undefined {
  const parts = split(tokens);
  if (parts.length !== loops.length) return undefined;
  const found: number[] = [];
  for (const [k, part] of parts.entries()) {
    const parsed = parseExpr(part, pragma.scope);
    if ("severity" in parsed) return undefined;
    const e = stripImplicit(parsed);
    const moved = e.kind === "binary" && (e.op === "-" || e.op === "+");
    const variable = moved ? stripImplicit(e.left) : e;
    const by = moved ? evaluateInteger(e.right) : 0n;
    if (variable.kind !== "ident" || variable.sym !== loops[k]?.header?.var || by === undefined)
      return undefined;
    found.push(moved && e.op === "+" ? -Number(by) : Number(by));
  }
  return found;
}

/** How many chained waits are tried. */
const mostSteps = 2000;

/**
 * Whether an iteration `distance` ahead of another, which has `waited` for some, runs after everything that the other
 * did before it posted. The order may go through iterations in between, each of which waits for all that the loop ever
 * waits for. Limits of the iteration space are ignored, so more iterations seem ordered than are.
 */
export function inOrder(distance: Distance, waited: readonly Distance[], all: readonly Distance[]): boolean {
  const seen = new Set<string>();
  const open = waited.map((w) => minus(distance, w));
  for (const left of open) {
    const key = left.join();
    if (seen.has(key)) continue;
    if (left.every((x) => x === 0)) return true;
    if (seen.add(key).size > mostSteps) return true;
    // Distances are positive in loop order: the first component that is not zero is positive.
    const ahead = (left.find((x) => x !== 0) ?? 0) > 0;
    // A component that every wait leaves unchanged or decreases never increases again.
    const reachable = left.every((x, k) => x === 0 || all.some((w) => Math.sign(w[k] ?? 0) === Math.sign(x)));
    if (ahead && reachable) open.push(...all.map((w) => minus(left, w)));
  }
  return false;
}

const minus = (a: Distance, b: Distance): Distance => a.map((x, k) => x - (b[k] ?? 0));
