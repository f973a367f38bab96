/**
 * Pointers that change places on the host while what they lead to is on the device. A data region copies back what its
 * clauses named when it began, whatever the pointers lead to at its end.
 */
import { elementType, isPointer, sizeOf } from "../../lang/index.ts";
import type { Symbol } from "../../lang/tree/ast.ts";
import type { Access, Guard } from "../memory/access.ts";
import { type Certainty, type Fault, faultAt } from "./fault.ts";
import { harmless, type Known } from "./known.ts";
import { isCounted, type Operation, type Place, replay, Unknown, type Where } from "./replay.ts";
import { asConstruct, type Construct, type Mapped, type Move } from "./trace.ts";

/** Results that the host reads through pointers which have changed places, and that are on the device. */
export function swapped(known: Known): readonly Fault[] {
  const { settings, walked, constructs, moves } = known.trace;
  const { facts } = known.file;
  const several = new Set(
    settings
      .map(({ pointer }) => pointer)
      .filter((sym) => isPointer(sym.type) && (facts.settings.get(sym)?.length ?? 0) > 1),
  );
  if (several.size === 0 || walked.synchronised || [...several].some((sym) => facts.addressed.has(sym)))
    return [];
  const maps = [...constructs.flatMap((c) => c.mapped), ...moves.flatMap((m) => m.items)];
  if (!maps.some(({ sym }) => several.has(sym)) || constructs.some((c) => c.conditional)) return [];
  const runs = [false, true].map((odd) => faultsOf(known, odd));
  const unknown = settings.some(
    ({ pointer, at }) => several.has(pointer) && at.loops.some((loop) => !isCounted(loop)),
  );
  const [even = [], odd = []] = runs;
  const both = odd.filter((fault) => !unknown || even.some((other) => other.loc === fault.loc));
  if (both.length > 0 || !known.file.doubts) return both;
  return [...even, ...odd].map((fault) => ({ ...fault, certainty: "maybe" as const }));
}

interface OnDevice {
  readonly construct: Construct;
  readonly mapped: Mapped;
  readonly certainty: Certainty;
}

interface Contents {
  /** Of its data, while it is there, and the last one. */
  held?: OnDevice | undefined;
  count: number;
  /** The device has stored what the host does not have. */
  ofDevice?: Access | undefined;
}

/** `odd`: loops of unknown length have an odd number of turns. */
function faultsOf(known: Known, odd: boolean): readonly Fault[] {
  const replayed = new Replayed(known);
  try {
    replay(known.trace, odd, (operation, where, guards) => replayed.step(operation, where, guards));
  } catch (error) {
    if (error instanceof Unknown) return [];
    throw error;
  }
  return replayed.faults;
}

class Replayed {
  readonly faults: Fault[] = [];
  private readonly known: Known;
  private readonly contents = new Map<Place, Contents>();
  /** What each open construct holds. */
  private readonly open = new Map<Construct, readonly (readonly [Place, Mapped])[]>();
  /** Conditions under which devices are used at all. */
  private outside: readonly Guard[] | undefined;

  constructor(known: Known) {
    this.known = known;
  }

  step(operation: Operation, where: Where, guards: readonly Guard[]): void {
    const own = guards.filter((g) => !g.ofLoop && !this.outside?.includes(g));
    switch (operation.is) {
      case "begin": {
        this.outside ??= guards;
        const { construct } = operation;
        this.open.set(construct, this.enter(construct, construct.mapped, where));
        return;
      }
      case "end":
        for (const [place, mapped] of this.open.get(operation.construct) ?? []) this.leave(place, mapped);
        return;
      case "move":
        this.outside ??= guards;
        return this.move(operation.move, where, own.length > 0);
      case "call":
        if (harmless.test(operation.call.name)) return;
        // It may do anything with what it gets.
        for (const sym of operation.call.syms)
          if (isPointer(sym.type)) this.contents.delete(where(sym, operation.call.at.frame));
        return;
      case "set":
        // Whether it takes place decides what leads where.
        if (own.length > 0) throw new Unknown();
        return;
      case "access":
        return this.access(operation.access, where, own.length > 0);
    }
  }

  private of(place: Place): Contents {
    const known = this.contents.get(place) ?? { count: 0 };
    this.contents.set(place, known);
    return known;
  }

  private enter(
    construct: Construct,
    all: readonly Mapped[],
    where: Where,
  ): readonly (readonly [Place, Mapped])[] {
    return all.flatMap((mapped) => {
      const { sym, motion, section } = mapped;
      if (!isPointer(sym.type)) return [];
      if (motion === "present") return [];
      // A part of it, or a clause that does something else.
      const isWhole = section && (section.start?.map((t) => t.text).join("") ?? "0") === "0";
      if (motion === "other" || !isWhole) throw new Unknown();
      const place = where(sym, construct.begin.frame);
      const contents = this.of(place);
      if (contents.count++ === 0) {
        const certainty = this.known.ownsAlone(sym);
        contents.held = certainty && { construct, mapped, certainty };
        contents.ofDevice = undefined;
      }
      return [[place, mapped] as const];
    });
  }

  private leave(place: Place, { motion, deleted }: Mapped): void {
    const contents = this.of(place);
    contents.count = deleted ? 0 : Math.max(0, contents.count - 1);
    if (contents.count === 0 && (motion === "from" || motion === "tofrom")) contents.ofDevice = undefined;
  }

  private move(move: Move, where: Where, isConditional: boolean): void {
    if (move.motion === "wait") return;
    for (const item of move.items) {
      if (!isPointer(item.sym.type)) continue;
      if (/->|\./.test(item.text)) throw new Unknown();
      const place = where(item.sym, move.at.frame);
      if (move.motion === "to-host" || move.motion === "to-device") this.of(place).ofDevice = undefined;
      else if (isConditional) throw new Unknown();
      else if (move.motion === "enter") this.enter(asConstruct(move, [item]), [item], where);
      else this.leave(place, item);
    }
  }

  private access(access: Access, where: Where, isConditional: boolean): void {
    const { root, steps } = access.location;
    if (!isPointer(root.type)) return;
    const [first, ...more] = steps;
    if (first?.is !== "deref") return;
    if (more.some(({ is }) => is === "deref")) {
      if (access.mode === "write") throw new Unknown();
      return;
    }
    const place = where(root, access.context.frame);
    const contents = this.of(place);
    const onDevice = this.known.computeOf(access) !== undefined;
    if (access.mode === "write") {
      if (!onDevice) contents.ofDevice = undefined;
      else if (!isConditional && contents.count > 0 && access.owner === 0) contents.ofDevice = access;
      return;
    }
    const { held, ofDevice: write } = contents;
    if (onDevice || isConditional || !held || !write || !this.meet(write, access)) return;
    const { construct, mapped, certainty } = held;
    const other = { loc: write.loc, expr: write.expr };
    const kind = contents.count > 0 ? "stale-host-read" : "lost-result";
    const named = { construct, mapped, sym: mapped.sym, other };
    const changed = root !== mapped.sym && { movedTo: root };
    this.faults.push(faultAt(kind, certainty, access, { ...named, ...changed }));
  }

  /** Both access an element of one place, through pointers that lead there. */
  private meet(write: Access, read: Access): boolean {
    const [a, b] = [write, read].map(({ location: { root } }) => elementType(root.type));
    if (!a || !b || sizeOf(a) === undefined || sizeOf(a) !== sizeOf(b)) return false;
    const { root } = write.location;
    return this.known.overlap(this.there(write, root), this.there(read, root));
  }

  private there(a: Access, root: Symbol): Access {
    const relies = a.location.relies.filter((sym) => sym !== a.location.root);
    const guards = a.context.guards.filter((g) => !g.ofLoop && !this.outside?.includes(g));
    return {
      ...a,
      location: { root, steps: a.location.steps, relies },
      context: { ...a.context, guards },
    };
  }
}
