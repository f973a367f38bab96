/** The levels of parallelism at the current position of the walk, and which threads of each run the code. */

import type { Exec, Level } from "../memory/access.ts";
import type { Directive } from "../read/directive.ts";

type Open<T> = { -readonly [K in keyof T]: T[K] };

const everyone: Exec = { is: "all" };

export class Teams {
  private levels: Open<Level>[] = [];
  /** The last snapshot, until the levels change. */
  private latest: readonly Level[] | undefined;

  get depth(): number {
    return this.levels.length;
  }

  innermost(): Level | undefined {
    return this.levels.at(-1);
  }

  threads(): Level | undefined {
    return this.levels.findLast((level) => level.kind === "threads");
  }

  enter(id: number, kind: Level["kind"], directive: Directive, loopsOutside: number, exec = everyone): void {
    this.latest = undefined;
    this.levels.push({ id, phase: 0, exec, kind, directive, loopsOutside });
  }

  leave(depth: number): void {
    this.latest = undefined;
    this.levels.length = depth;
  }

  /** From here on only some threads run the code, unless that is so already. */
  restrict(exec: Exec): void {
    const level = this.levels.at(-1);
    this.latest = undefined;
    if (level?.exec.is === "all") level.exec = exec;
  }

  /** All threads of the innermost level run the code again. */
  rejoin(): void {
    const level = this.levels.at(-1);
    this.latest = undefined;
    if (level) level.exec = everyone;
  }

  /** Runs `inside` as code that only some of the innermost threads run. */
  during(exec: Exec, inside: () => void): void {
    const level = this.levels.findLast((l) => l.kind === "threads");
    if (level?.exec.is !== "all") return inside();
    this.latest = undefined;
    level.exec = exec;
    inside();
    this.latest = undefined;
    level.exec = everyone;
  }

  /** Starts the next phase of the innermost threads; undefined if there are none. */
  barrier(): Level | undefined {
    const level = this.levels.findLast((l) => l.kind === "threads");
    this.latest = undefined;
    if (level) level.phase++;
    return level;
  }

  /** The current levels, outermost first. */
  snapshot(): readonly Level[] {
    this.latest ??= this.levels.map((level) => ({ ...level }));
    return this.latest;
  }
}
