/** Work and updates in queues, beside other queues and the host. */
import type { Access } from "../memory/access.ts";
import { clauseOf } from "../read/directive.ts";
import { type Fault, faultAt } from "./fault.ts";
import { harmless, type Known } from "./known.ts";
import { asConstruct, type Construct, type Move } from "./trace.ts";

/** Work in a queue, and code that uses the same memory before the queue is waited for. */
export function queued(known: Known, construct: Construct, queue: string): Fault | undefined {
  const { begin, end, directive } = construct;
  if (clauseOf(directive, "depend") || construct.conditional) return undefined;
  const wait = known.trace.moves.find((m) => m.at.order > end.order && waitsFor(m, queue))?.at.order;
  const sync = known.trace.calls.find(
    (c) => c.at.order > end.order && /wait|sync|queue|stream|^$/.test(c.name),
  );
  const until = Math.min(wait ?? Number.POSITIVE_INFINITY, sync?.at.order ?? Number.POSITIVE_INFINITY);
  const mine = known.device(known.inside(begin.order, end.order));
  for (const move of known.trace.moves) {
    const fault = movedBeside(known, construct, queue, until, mine, move);
    if (fault) return fault;
  }
  for (const other of known.inside(end.order, until)) {
    const there = known.computeOf(other);
    if (!there || other.owner > 0) continue;
    if (
      !separate(queue, there.queue) ||
      clauseOf(there.directive, "wait") ||
      clauseOf(there.directive, "depend")
    )
      continue;
    if (there.conditional || !there.begin.guards.every((g) => begin.guards.includes(g))) continue;
    const clash = mine.find(
      (a) =>
        a.location.root === other.location.root &&
        (a.mode === "write" || other.mode === "write") &&
        known.overlap(a, other),
    );
    if (!clash) continue;
    return faultAt("queue-race", "proved", other, { construct, other: { loc: clash.loc, expr: clash.expr } });
  }
  return undefined;
}

/** Work in a queue, and an update in another one or of the host, of what the work changes. */
function movedBeside(
  known: Known,
  construct: Construct,
  queue: string,
  until: number,
  mine: readonly Access[],
  { directive, motion, at, items, queue: other }: Move,
): Fault | undefined {
  if ((motion !== "to-host" && motion !== "to-device") || at.order < construct.end.order || at.order >= until)
    return undefined;
  if (!separate(queue, other) || ["if", "wait", "depend"].some((name) => clauseOf(directive, name)))
    return undefined;
  if (!at.guards.every((g) => construct.begin.guards.includes(g))) return undefined;
  for (const mapped of items) {
    const isOf = (a: Access): boolean =>
      a.location.root === mapped.sym && (a.mode === "write" || motion === "to-device");
    const clash = mine.find((a) => isOf(a) && known.inSection(a, mapped, directive, at));
    if (!clash) continue;
    return {
      kind: "queue-race",
      certainty: "proved",
      sym: mapped.sym,
      loc: mapped.loc,
      construct,
      other: { loc: clash.loc, expr: clash.expr },
    };
  }
  return undefined;
}

/** Work in a queue, and host code that uses the memory in its clauses before waiting for the queue. */
export function besideHost(known: Known, construct: Construct, queue: string): Fault | undefined {
  const { begin, end, directive } = construct;
  if (clauseOf(directive, "depend") || construct.conditional || !/^(\d+|\?|nowait)$/.test(queue))
    return undefined;
  const wait = known.trace.moves.find((m) => m.at.order > end.order && waitsFor(m, queue))?.at.order;
  const call = known.trace.calls.find((c) => c.at.order > end.order && !harmless.test(c.name))?.at.order;
  const until = Math.min(wait ?? Number.POSITIVE_INFINITY, call ?? Number.POSITIVE_INFINITY);
  for (const mapped of construct.mapped) {
    const { sym, motion } = mapped;
    if (motion !== "to" && motion !== "from" && motion !== "tofrom") continue;
    if (known.isOutside(construct, sym) || known.absent(sym, construct) !== "proved") continue;
    const all = known.all(sym);
    const mine = all.filter((a) => a.order > begin.order && a.order < end.order && a.owner === 0);
    // Enclosing teams end with barriers, which also wait for it.
    if (mine.some((a) => (a.context.levels[0]?.directive.loc.line ?? Infinity) < directive.loc.line))
      return undefined;
    const clash = all
      .filter((a) => a.order > end.order && a.order < until && !known.computeOf(a))
      .filter((a) => a.context.levels.length === 0 && known.unconditional(a, begin.guards))
      .flatMap((read) => {
        const write = mine.find(
          (a) =>
            (read.mode === "write"
              ? motion !== "from" || a.mode === "write"
              : a.mode === "write" && motion !== "to") && known.overlap(a, read),
        );
        return write ? [{ read, write }] : [];
      })[0];
    if (!clash) continue;
    const other = { loc: clash.write.loc, expr: clash.write.expr };
    return faultAt("queue-race", "proved", clash.read, { construct, mapped, other, byHost: true });
  }
  return undefined;
}

/** The copy that an `exit data` in a queue makes of what its function has put on the device, and host code beside it. */
export function exitBesideHost(known: Known, move: Move): Fault | undefined {
  const puts = (m: Move, sym: Move["syms"][number]) => m.motion === "enter" && m.syms.includes(sym);
  const items = move.items.filter(
    ({ sym, motion }) => motion === "from" && known.trace.moves.filter((m) => puts(m, sym)).length === 1,
  );
  return moveBesideHost(known, { ...move, motion: "to-host", items });
}

/** An update in a queue, and host code that uses the memory before waiting for the queue. */
export function moveBesideHost(known: Known, move: Move): Fault | undefined {
  const { directive, motion, at, items, queue } = move;
  if (queue === undefined || !/^(\d+|\?|nowait)$/.test(queue)) return undefined;
  if (["if", "if_present", "depend"].some((name) => clauseOf(directive, name))) return undefined;
  const isAfter = (order: number): boolean => order > at.order;
  const wait = known.trace.moves.find((m) => isAfter(m.at.order) && waitsFor(m, queue))?.at.order;
  const call = known.trace.calls.find((c) => isAfter(c.at.order) && !harmless.test(c.name))?.at.order;
  const until = Math.min(wait ?? Number.POSITIVE_INFINITY, call ?? Number.POSITIVE_INFINITY);
  const construct = asConstruct(move, items);
  for (const mapped of items) {
    const clash = known
      .host(known.accesses(mapped.sym, at.order, until))
      .find(
        (a) =>
          (motion === "to-host" || a.mode === "write") &&
          a.context.levels.length === 0 &&
          known.unconditional(a, at.guards) &&
          known.inSection(a, mapped, directive, at),
      );
    if (!clash) continue;
    const other = { loc: mapped.loc };
    return faultAt("queue-race", "proved", clash, { construct, mapped, other, byHost: true });
  }
  return undefined;
}

/** Whether a directive waits, or may wait, for the work in a queue. */
const waitsFor = ({ motion, queues }: Move, queue: string): boolean =>
  motion === "wait" && !(/^\d+$/.test(queue) && queues?.every((q) => /^\d+$/.test(q) && q !== queue));

/** Whether the work of two queues is unordered; `second` absent: the host waits for it, and for no queue. */
function separate(first: string, second: string | undefined): boolean {
  if (first === "nowait") return true;
  if (first === "?" || second === "?") return false;
  if (second === undefined) return /^\d+$/.test(first);
  return /^\d+$/.test(first) && /^\d+$/.test(second) && first !== second;
}
