/** The levels of parallelism around a walk through the text, and which threads of each run what it meets. */
import type { Directive } from "../read/directive.ts";
import type { Exec, Level } from "./access.ts";

type Open<T> = { -readonly [K in keyof T]: T[K] };

const everyone: Exec = { is: "all" };

export class Teams {
  private levels: Open<Level>[] = [];
  /** As they were taken last, until they change. */
  private taken: readonly Level[] | undefined;

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
    this.taken = undefined;
    this.levels.push({ id, phase: 0, exec, kind, directive, loopsOutside });
  }

  leave(depth: number): void {
    this.taken = undefined;
    this.levels.length = depth;
  }

  /** From here on only some run the code, unless that is so already. */
  restrict(exec: Exec): void {
    const level = this.levels.at(-1);
    this.taken = undefined;
    if (level?.exec.is === "all") level.exec = exec;
  }

  /** All of the innermost level run the code again. */
  rejoin(): void {
    const level = this.levels.at(-1);
    this.taken = undefined;
    if (level) level.exec = everyone;
  }

  /** Runs `inside` as code that only some of the innermost threads run. */
  during(exec: Exec, inside: () => void): void {
    const level = this.levels.findLast((l) => l.kind === "threads");
    if (level?.exec.is !== "all") return inside();
    this.taken = undefined;
    level.exec = exec;
    inside();
    this.taken = undefined;
    level.exec = everyone;
  }

  /** Gives the innermost threads their next phase; undefined where there are none. */
  barrier(): Level | undefined {
    const level = this.levels.findLast((l) => l.kind === "threads");
    this.taken = undefined;
    if (level) level.phase++;
    return level;
  }

  /** As they are now, outermost first. */
  snapshot(): readonly Level[] {
    this.taken ??= this.levels.map((level) => ({ ...level }));
    return this.taken;
  }
}
