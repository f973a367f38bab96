/** The state of each action in a build. Only `move` changes it. */
import { withRoom } from "./column.ts";

const STATES = [
  /** Not part of the build. */
  "unwanted",
  /** Part of the build; its needs were not looked at yet. */
  "wanted",
  /** Waits for other actions to finish. */
  "waiting",
  /** Everything that it needs is done. */
  "decidable",
  /** arc finds out whether it must run, or materializes its result. */
  "deciding",
  /** Waits for another action with the same key, of this or of another process. */
  "sharing",
  /** The shared cache is being asked for its result. */
  "asking",
  /** Waits for free resources. */
  "queued",
  "running",
  /** Done except for the actions that its expansion adds. */
  "expanding",
  "done",
  "failed",
  "skipped",
  /** In a dry run: what would happen to it is known. */
  "planned",
] as const;

export type ActionState = (typeof STATES)[number];
type EndState = Extract<ActionState, "done" | "failed" | "skipped" | "planned">;

const END_STATES: readonly EndState[] = ["done", "failed", "skipped", "planned"];

/** The allowed transitions. */
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
  // Its outputs were lost.
  done: ["decidable"],
  // Another try was requested.
  failed: ["decidable"],
  skipped: ["wanted"],
  planned: [],
};

const numberOf = (state: ActionState): number => STATES.indexOf(state);
const FIRST_END = Math.min(...END_STATES.map(numberOf));
const MAY_FOLLOW = STATES.map((state) => NEXT[state].reduce((bits, next) => bits | (1 << numberOf(next)), 0));

/** States by the action's position in the graph. */
export class ActionStates {
  #states = new Uint8Array(0);

  of(index: number): ActionState {
    return STATES[this.#states[index] ?? 0] as ActionState;
  }

  is(index: number, state: ActionState): boolean {
    return this.of(index) === state;
  }

  /** How the action ended; undefined while it has not. */
  end(index: number): EndState | undefined {
    return this.isOver(index) ? (this.of(index) as EndState) : undefined;
  }

  isOver(index: number): boolean {
    return (this.#states[index] ?? 0) >= FIRST_END;
  }

  /** Throws on a transition that the table does not allow, which is a bug in arc. */
  move(index: number, next: ActionState): void {
    const before = this.#states[index] ?? 0;
    const after = numberOf(next);
    if (((MAY_FOLLOW[before] as number) & (1 << after)) === 0)
      throw new Error(`action ${index} is ${STATES[before]} and cannot be ${next} after that`);
    this.#states = withRoom(this.#states, index + 1);
    this.#states[index] = after;
  }
}
