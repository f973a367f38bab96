/** What a walk found in one outermost construct. */
import type { Symbol } from "../../lang/tree/ast.ts";
import type { Access, Around } from "./access.ts";
import type { Task } from "./tasks.ts";

export interface Walked {
  readonly accesses: readonly Access[];
  readonly tasks: readonly Task[];
  /** Threads wait for one another in ways that are not followed. */
  readonly synchronised: boolean;
  /** What parallel code sets or declares. */
  readonly changed: ReadonlySet<Symbol>;
  /** Headers of its loops, with the calls they stand in. */
  readonly loops: readonly Around[];
}

export class AccessLog {
  readonly accesses: Access[] = [];
  readonly changed = new Set<Symbol>();
  readonly loops: Around[];
  synchronised = false;
  /** What is written is made visible, and loops wait for what is not counted: together a way to wait for a thread. */
  flushes = false;
  spins = false;
  /** Statements followed into functions. */
  inlined = 0;

  /** `loops`: those around it. */
  constructor(loops: readonly Around[]) {
    this.loops = [...loops];
  }

  /** Undefined where nothing was accessed. */
  finished(tasks: readonly Task[]): Walked | undefined {
    const { accesses, changed, loops } = this;
    const synchronised = this.synchronised || (this.flushes && this.spins);
    return accesses.length > 0 ? { accesses, tasks, synchronised, changed, loops } : undefined;
  }
}
