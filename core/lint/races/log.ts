/** The findings of a walk through one outermost construct. */
import type { Symbol } from "../../lang/tree/ast.ts";
import type { Access, Around, Task } from "./access.ts";

export interface Walked {
  readonly accesses: readonly Access[];
  readonly tasks: readonly Task[];
  /** Threads synchronise in ways that the analysis does not model. */
  readonly synchronised: boolean;
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
  /** Together with a loop that waits for an unknown event, a flush is a way to wait for another thread. */
  flushes = false;
  spins = false;
  /** Number of statements analysed inside called functions. */
  inlined = 0;

  /** `loops`: the enclosing ones. */
  constructor(loops: readonly Around[]) {
    this.loops = [...loops];
  }

  /** Undefined if nothing was accessed. */
  finished(tasks: readonly Task[]): Walked | undefined {
    const { accesses, changed, loops } = this;
    const synchronised = this.synchronised || (this.flushes && this.spins);
    return accesses.length > 0 ? { accesses, tasks, synchronised, changed, loops } : undefined;
  }
}
