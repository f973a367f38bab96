/** What subscribes to the engine's events to show a build. */

import { ActionTable } from "../../core/build/graph/action-table.ts";
import type { BuildResult } from "../../core/build/graph/build-result.ts";
import type { Action, Address } from "../../core/build/model/action.ts";
import type { Event } from "../../core/build/model/event.ts";
import type { Diagnostic } from "../../schema/document/diagnostic.ts";
import { oneLine } from "../show/words.ts";

export interface Ui {
  onEvent(event: Event): void;
  /** The last word, after which nothing is redrawn. */
  finish(result: BuildResult): Promise<void>;
  /** Gives the terminal back when the build ended in an exception. */
  abandon(): void;
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
