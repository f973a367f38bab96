/** The loops of a gang routine whose iterations the gangs that call it share. */
import { canonical, mapChildren } from "../../../lang/index.ts";
import type { Stmt } from "../../../lang/tree/ast.ts";
import { asNode, type Loop } from "../../model/ir.ts";
import type { Routine } from "../../model/program.ts";
import { usesOf } from "../access.ts";

/** A routine's body with each outermost loop of gangs, and with the other statements outside of these, mapped. */
export function mapGangLoops(
  body: Stmt,
  level: Routine["level"] | undefined,
  gangLoop: (loop: Loop) => Loop,
  other: (loop: Loop) => Loop = (loop) => loop,
): Stmt {
  const map = (s: Stmt): Stmt => {
    const loop = asNode(s, "loop");
    if (!loop || s.kind !== "ext") return mapChildren(s, map);
    const isOfGangs = loop.parallel.levels.includes("gang") || (level === "gang" && isLeftToArc(loop));
    if (isOfGangs) return { ...s, ext: gangLoop(loop) };
    const ext: Loop = { ...other(loop), body: map(loop.body) };
    return { ...s, ext };
  };
  return map(body);
}

/** Without a level, gangs may share it if no gang needs all of its results in variables of its own. */
function isLeftToArc({ parallel, reductions, body }: Loop): boolean {
  if (parallel.independence !== "independent" || parallel.levels.length > 0 || reductions.length > 0)
    return false;
  const uses = usesOf(body);
  return [...uses.of].every(
    ([sym, use]) =>
      uses.declared.has(sym) ||
      sym.scope === "file" ||
      !(use.written || use.addressTaken || (use.elementsWritten && canonical(sym.type).kind === "array")),
  );
}
