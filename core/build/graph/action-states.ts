/** Where each action of a build is on its way: one state an action, which nothing but `move` changes. */
import { withRoom } from "./column.ts";

const STATES = [
  /** The build is not about it. */
  "unwanted",
  /** The build is about it; what it needs was not looked at yet. */
  "wanted",
  /** For others to be done. */
  "waiting",
  /** What it needs is done. */
  "decidable",
  /** Whether it must run is found out, or its result is put in place. */
  "deciding",
  /** Another one that has its key is under way. */
  "sharing",
  /** The shared cache is asked for its result. */
  "asking",
  /** For a place to run in. */
  "queued",
  "running",
  /** It is done but for what it adds to the graph. */
  "expanding",
  "done",
  "failed",
  "skipped",
  /** Of a dry run: what would become of it is known. */
  "planned",
] as const;

export type ActionState = (typeof STATES)[number];
export type EndState = Extract<ActionState, "done" | "failed" | "skipped" | "planned">;

const END_STATES: readonly EndState[] = ["done", "failed", "skipped", "planned"];

/** What may come after what. */
const NEXT: Readonly<Record<ActionState, readonly ActionState[]>> = {
  unwanted: ["wanted"],
  wanted: ["waiting"],
  waiting: ["decidable", "skipped"],
  decidable: ["deciding"],
  deciding: ["waiting", "decidable", "sharing", "asking", "queued", "running", "expanding", ...END_STATES],
  sharing: ["decidable"],
  asking: ["decidable", "queued", "expanding", "done", "failed"],
  queued: ["decidable", "sharing", "running"],
  running: ["waiting", "decidable", "expanding", "done", "failed"],
  expanding: ["decidable", "done", "failed", "planned"],
  // What it made was lost.
  done: ["decidable"],
  // Somebody asked for another try.
  failed: ["decidable"],
  skipped: ["wanted"],
  planned: [],
};

const numberOf = (state: ActionState): number => STATES.indexOf(state);
const FIRST_END = Math.min(...END_STATES.map(numberOf));
const MAY_FOLLOW = STATES.map((state) => NEXT[state].reduce((bits, next) => bits | (1 << numberOf(next)), 0));

/** By position of the actions in the graph. */
export class ActionStates {
  #states = new Uint8Array(0);

  of(index: number): ActionState {
    return STATES[this.#states[index] ?? 0] as ActionState;
  }

  is(index: number, state: ActionState): boolean {
    return this.of(index) === state;
  }

  /** How it ended; undefined: it did not. */
  end(index: number): EndState | undefined {
    return this.isOver(index) ? (this.of(index) as EndState) : undefined;
  }

  isOver(index: number): boolean {
    return (this.#states[index] ?? 0) >= FIRST_END;
  }

  /** Throws where the table does not allow it, which is a mistake in arc. */
  move(index: number, next: ActionState): void {
    const before = this.#states[index] ?? 0;
    const after = numberOf(next);
    if (((MAY_FOLLOW[before] as number) & (1 << after)) === 0)
      throw new Error(`action ${index} is ${STATES[before]} and cannot be ${next} after that`);
    this.#states = withRoom(this.#states, index + 1);
    this.#states[index] = after;
  }
}
