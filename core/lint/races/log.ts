/** The findings of a walk through one outermost construct. */
import type { Symbol } from "../../lang/tree/ast.ts";
import type { Access, Around, Task } from "../memory/access.ts";

export interface Walked {
  readonly accesses: readonly Access[];
  readonly tasks: readonly Task[];
  /** Threads synchronise in ways that the analysis does not model. */
  readonly synchronised: boolean;
  /** They do at most by the one loop that waits, and by `flush`. */
  readonly waitsOnce?: true;
  /** Atomic accesses order others. */
  readonly flushes?: true;
  /** Variables that parallel code sets or declares. */
  readonly changed: ReadonlySet<Symbol>;
  /** Headers of its loops, with the calls that contain them. */
  readonly loops: readonly Around[];
}

export class AccessLog {
  readonly accesses: Access[] = [];
  readonly changed = new Set<Symbol>();
  readonly loops: Around[];
  synchronised = false;
  /** Together with loops that wait for an unknown event, a flush is a way to wait for another thread. */
  flushes = false;
  spins = 0;
  /** Number of statements analysed inside called functions. */
  inlined = 0;

  /** `loops`: the enclosing ones. */
  constructor(loops: readonly Around[]) {
    this.loops = [...loops];
  }

  /** Undefined if nothing was accessed. */
  finished(tasks: readonly Task[]): Walked | undefined {
    const { accesses, changed, loops } = this;
    const synchronised = this.synchronised || (this.flushes && this.spins > 0);
    const waitsOnce = !this.synchronised && this.spins === 1 && { waitsOnce: true as const };
    const flushes = this.flushes && { flushes: true as const };
    return accesses.length > 0
      ? { accesses, tasks, synchronised, changed, loops, ...waitsOnce, ...flushes }
      : undefined;
  }
}

/** Accesses by the variable at whose memory they begin, in order. */
export function byRoot(accesses: readonly Access[]): ReadonlyMap<Symbol, readonly Access[]> {
  const groups = new Map<Symbol, Access[]>();
  for (const access of accesses) {
    const group = groups.get(access.location.root);
    if (group) group.push(access);
    else groups.set(access.location.root, [access]);
  }
  return groups;
}

/** Whether a thread that looks at `read` may see what another one stores at `write`, if no lock keeps them apart. */
export type Meeting = (write: Access, read: Access) => boolean;

/**
 * One thread waits for another in a loop that looks into a variable inside of `critical` or under a lock, and the other
 * one sets it there. What comes before the setting is then ordered before what comes after the loop.
 */
export function signalled({ accesses }: Walked, meet: Meeting): boolean {
  // Few loops wait.
  if (!accesses.some(({ context }) => context.loops.some((loop) => loop.waits))) return false;
  const shared = accesses.filter((a) => a.owner < a.context.levels.length);
  const waits = new Set(loopsOf(shared).filter((loop) => loop.waits && onlyLooks(loop, shared)));
  if (waits.size === 0) return false;
  const looks = shared.filter((a) => a.mode === "read" && a.context.loops.some((l) => waits.has(l)));
  const writes = shared.filter((a) => a.mode === "write" && a.context.locks.size > 0);
  return looks.some((read) =>
    writes.some((write) => commonLock(write, read) && meet(free(write), free(read))),
  );
}

const loopsOf = (accesses: readonly Access[]): readonly Around[] => [
  ...new Set(accesses.flatMap(({ context }) => context.loops)),
];

/** A loop that also works on shared memory is not there to wait. */
const onlyLooks = (loop: Around, shared: readonly Access[]): boolean =>
  shared.every((a) => !a.context.loops.includes(loop) || a.atomic || a.context.locks.size > 0);

const commonLock = (a: Access, b: Access): boolean =>
  [...a.context.locks].some((lock) => b.context.locks.has(lock));

const free = (access: Access): Access => ({ ...access, context: { ...access.context, locks: new Set() } });
