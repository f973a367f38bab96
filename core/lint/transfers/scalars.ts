/** Scalars whose results stay on the device. */
import { isPointer, isScalar } from "../../lang/index.ts";
import type { Symbol } from "../../lang/tree/ast.ts";
import type { Access } from "../memory/access.ts";
import { namedIn, symbolsOf } from "../read/directive.ts";
import { declaredIn } from "./declared.ts";
import { type Fault, faultAt } from "./fault.ts";
import type { Known } from "./known.ts";
import { storesIn } from "./stored.ts";
import type { Construct, Mapped } from "./trace.ts";

/** Scalars that no clause names are copied to a target region and not back (OpenMP 5.2, section 5.8.1). */
export function lostScalars(known: Known, construct: Construct): readonly Fault[] {
  const { begin, end, stmt } = construct;
  if (construct.conditional || !stmt) return [];
  const own = declaredIn(stmt);
  const named = namedIn(stmt);
  const seen = new Set<Symbol>();
  const found: Fault[] = [];
  for (const write of known.trace.walked.accesses) {
    const { root: sym, steps } = write.location;
    if (write.order < begin.order || write.order > end.order || write.mode !== "write" || steps.length > 0)
      continue;
    if (seen.has(sym) || own.has(sym) || named.has(sym) || known.isOutside(construct, sym)) continue;
    seen.add(sym);
    if (!isScalar(sym.type) || isPointer(sym.type) || write.owner > 0 || known.file.facts.addressed.has(sym))
      continue;
    if (known.file.declared.has(sym.name) || !known.unconditional(write, begin.guards)) continue;
    const read = readAfter(known, construct, sym);
    if (!read) continue;
    const other = { loc: write.loc, expr: write.expr };
    found.push(faultAt("lost-result", "proved", read, { construct, sym, other }));
  }
  return found;
}

/**
 * Scalars that no clause names are each gang's own in `parallel` and `serial`; `kernels` copies them back (OpenACC 3.3,
 * section 2.6.2). What happens to such copies is no access of the trace.
 */
export function lostCopies(known: Known, construct: Construct): readonly Fault[] {
  const { directive, stmt } = construct;
  if (construct.conditional || !stmt || directive.words.has("kernels")) return [];
  const own = declaredIn(stmt);
  const named = namedIn(stmt);
  return storesIn(stmt).flatMap(({ sym, expr, certain }) => {
    if (own.has(sym) || named.has(sym) || known.isOutside(construct, sym)) return [];
    if (!isScalar(sym.type) || isPointer(sym.type) || known.file.facts.addressed.has(sym)) return [];
    if (known.file.declared.has(sym.name) || known.file.held.has(sym)) return [];
    const read = readAfter(known, construct, sym);
    if (!read) return [];
    const other = { loc: expr.span.start, expr };
    return [faultAt("lost-result", certain ? "proved" : "maybe", read, { construct, sym, other })];
  });
}

/** Scalars that nothing but a clause of this construct moves, in one of these ways. */
function ownScalars(
  known: Known,
  construct: Construct,
  motions: readonly Mapped["motion"][],
): readonly Mapped[] {
  if (construct.conditional) return [];
  return construct.mapped.filter(
    ({ sym, motion, part }) =>
      motions.includes(motion) &&
      !part &&
      isScalar(sym.type) &&
      !isPointer(sym.type) &&
      !known.isOutside(construct, sym) &&
      !known.file.facts.addressed.has(sym),
  );
}

/** Scalars that a clause copies to a region and not back, and that the region sets or reduces. */
export function lostMapped(known: Known, construct: Construct): readonly Fault[] {
  const { begin, end, directive } = construct;
  const reduced = new Set(symbolsOf(directive, "reduction"));
  return ownScalars(known, construct, ["to", "alloc"]).flatMap((mapped) => {
    const { sym } = mapped;
    const certainty = known.absent(sym, construct);
    const write = known
      .all(sym)
      .find(
        ({ mode, order, owner }) =>
          mode === "write" && order > begin.order && order < end.order && (owner === 0 || reduced.has(sym)),
      );
    if (!certainty || !write || !(reduced.has(sym) || known.unconditional(write, begin.guards))) return [];
    if (known.moved(sym, "to-host", begin.order, end.order)) return [];
    const read = readAfter(known, construct, sym);
    const other = { loc: write.loc, expr: write.expr };
    return read ? [faultAt("lost-result", certainty, read, { construct, mapped, sym, other })] : [];
  });
}

/** Scalars that a clause gives room on the device without a value, and that the region reads, or adds to, first. */
export function unsetScalars(known: Known, construct: Construct): readonly Fault[] {
  const { begin, end, directive } = construct;
  const reduced = new Set(symbolsOf(directive, "reduction"));
  return ownScalars(known, construct, ["from", "alloc"]).flatMap((mapped) => {
    const { sym } = mapped;
    const first = known
      .all(sym)
      .find(
        ({ order, owner }) => order > begin.order && order < end.order && (owner === 0 || reduced.has(sym)),
      );
    if (!first || !(reduced.has(sym) || (first.mode === "read" && known.unconditional(first, begin.guards))))
      return [];
    const certainty = known.absent(sym, construct);
    const isCopied =
      known.moved(sym, "to-device", begin.order, first.order) ||
      known.copiedInside(sym, begin.order, first.order);
    return certainty && !isCopied
      ? [faultAt("read-before-copy", certainty, first, { construct, mapped, sym })]
      : [];
  });
}

/** The host's next use of a scalar, if that surely is a read of what the region has left. */
function readAfter(known: Known, { begin, end }: Construct, sym: Symbol): Access | undefined {
  const read = known.all(sym).find((a) => a.order > end.order);
  if (read?.mode !== "read" || known.computeOf(read) || !known.unconditional(read, begin.guards))
    return undefined;
  const same = read.context.loops.every((l, i) => begin.loops[i] === l) && read.context.frame === begin.frame;
  return same ? read : undefined;
}
