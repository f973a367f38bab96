/** Subscribers to the engine's events that display a build. */

import { ActionTable } from "../../core/build/graph/action-table.ts";
import type { BuildResult } from "../../core/build/graph/build-result.ts";
import type { Action, Address } from "../../core/build/model/action.ts";
import type { Event } from "../../core/build/model/event.ts";
import type { BuildRequests } from "../../core/build/schedule/requests.ts";
import type { Diagnostic } from "../../schema/document/diagnostic.ts";
import { oneLine } from "../show/words.ts";
import type { Keyboard } from "./keyboard.ts";

/** Say nothing of a build in which everything was up to date, or nothing but how far it is and what fails. */
export type Quiet = "if-up-to-date" | "unless-failed";

export interface Ui {
  onEvent(event: Event): void;
  /** Prints the summary; nothing is redrawn after that. */
  finish(result: BuildResult): Promise<void>;
  /** Restores the terminal when the build ended in an exception. */
  abandon(): void;
  /** After a failed build: the actions that the user wants to retry in a follow-up build. Returned once. */
  again?(): readonly Address[];
}

/** Runs a build, and follow-up builds as long as the user wants failures to be retried. */
export async function untilLeft(
  ui: Ui,
  build: (force?: readonly Address[]) => Promise<BuildResult>,
): Promise<BuildResult> {
  let result = await build();
  for (let again = ui.again?.() ?? []; again.length > 0 && !result.interrupted; again = ui.again?.() ?? [])
    result = await build(again);
  return result;
}

/** What the user can request through the display. */
export interface Controls {
  readonly requests: BuildRequests;
  readonly keyboard: Keyboard;
  /** Acts like Ctrl-C. */
  readonly quit: () => void;
}

/** What every display of a build needs. */
export interface UiContext {
  /** The graph at the start; expansions arrive as events. */
  readonly graph: Iterable<Action>;
  readonly write: (text: string) => void;
  readonly color: boolean;
  readonly columns: number;
  /** Width at which lines are wrapped; infinite where no terminal shows them. */
  readonly width: () => number;
  readonly quiet?: Quiet;
  /** Relative file names in findings are relative to this folder. */
  readonly root: string;
  /** Formats the findings of a failed action. */
  readonly formatFindings: (diagnostics: readonly Diagnostic[]) => string;
  /** Shortens a failure's log; default: it is shown completely. */
  readonly foldLog?: (address: Address, log: string) => string;
}

/** The actions of a build, including those added during the build. */
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
  /** Undefined for minor actions that need no line when they succeed. */
  titleOf(address: Address): string | undefined {
    const number = this.#actions.numberOf(address);
    const title = number === undefined ? undefined : this.#actions.titleOf(number);
    return title === undefined ? undefined : oneLine(title);
  }
}
