/** What subscribes to the engine's events to show a build. */

import { ActionTable } from "../../core/build/graph/action-table.ts";
import type { BuildResult } from "../../core/build/graph/build-result.ts";
import type { Action, Address } from "../../core/build/model/action.ts";
import type { Event } from "../../core/build/model/event.ts";
import type { BuildRequests } from "../../core/build/schedule/requests.ts";
import type { Diagnostic } from "../../schema/document/diagnostic.ts";
import { oneLine } from "../show/words.ts";
import type { Keyboard } from "./keyboard.ts";

export interface Ui {
  onEvent(event: Event): void;
  /** The last word, after which nothing is redrawn. */
  finish(result: BuildResult): Promise<void>;
  /** Gives the terminal back when the build ended in an exception. */
  abandon(): void;
  /** After a build that failed: what somebody wants to be tried again, in a build behind it. Told once. */
  again?(): readonly Address[];
}

/** A build, and builds behind it as long as somebody wants what failed to be tried again. */
export async function untilLeft(
  ui: Ui,
  build: (force?: readonly Address[]) => Promise<BuildResult>,
): Promise<BuildResult> {
  let result = await build();
  for (let again = ui.again?.() ?? []; again.length > 0 && !result.interrupted; again = ui.again?.() ?? [])
    result = await build(again);
  return result;
}

/** What the one at the terminal may ask of what is shown. */
export interface Controls {
  readonly requests: BuildRequests;
  readonly keyboard: Keyboard;
  /** As Ctrl-C does. */
  readonly quit: () => void;
}

/** What every way of showing a build needs to know. */
export interface UiContext {
  /** The graph at the start; expansions come as events. */
  readonly graph: Iterable<Action>;
  readonly write: (text: string) => void;
  readonly color: boolean;
  readonly columns: number;
  /** No word about a build in which all was up to date. */
  readonly quiet: boolean;
  /** What relative file names in findings are relative to. */
  readonly root: string;
  /** Findings of a failed action, for people. */
  readonly formatFindings: (diagnostics: readonly Diagnostic[]) => string;
  /** What of a failure's log is shown; default: all. */
  readonly foldLog?: (address: Address, log: string) => string;
}

/** The actions of a build, also those that are added on the way. */
export class Actions {
  readonly #actions: ActionTable;
  constructor(graph: Iterable<Action>) {
    this.#actions = new ActionTable(ActionTable.of(graph));
  }
  add(actions: readonly Action[]): void {
    for (const action of actions) this.#actions.add(action);
  }
  of(address: Address): Action | undefined {
    return this.#actions.of(address);
  }
  /** Undefined for small works that nobody needs to hear of when they succeed. */
  titleOf(address: Address): string | undefined {
    const number = this.#actions.numberOf(address);
    const title = number === undefined ? undefined : this.#actions.titleOf(number);
    return title === undefined ? undefined : oneLine(title);
  }
}
