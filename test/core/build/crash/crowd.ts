/** What crowd.property.test.ts and its processes tell each other. */

/** Actions by number; each needs only earlier ones. */
export type Graph = readonly {
  readonly needs: readonly number[];
  readonly milliseconds: number;
  readonly fails: boolean;
}[];

export interface Member {
  readonly jobs: number;
  /** When it starts, in ms. */
  readonly after: number;
  readonly forced: boolean;
  /** Its clock jumps by so many ms, so many ms after its start. */
  readonly jump: number;
  readonly jumpsAfter: number;
  readonly mishap: "none" | "kill" | "interrupt" | "stop";
  /** When the mishap happens after its start, and for how long it is stopped, in ms. */
  readonly mishapAfter: number;
  readonly stopped: number;
  /** A watch builds so often, and gives way to its next build after so many ms; else there is one build. */
  readonly givesWayAfter: readonly number[];
  /** Takes turns between contexts of its project. */
  readonly contexts: 1 | 2;
  /** Runs again what it takes from the store. */
  readonly checksHits: boolean;
}
