/** Tells whether a file of the project comes from the user or from one of the project's own actions. */
import type { ActionInput } from "../../core/build/model/action.ts";
import type { ProjectAction } from "../../schema/contract/project.ts";

export class Origins {
  /** Output path without a trailing slash -> the action that writes it. */
  readonly #makers = new Map<string, string>();

  constructor(actions: readonly ProjectAction[]) {
    for (const action of actions) {
      for (const output of action.outputs) this.#makers.set(trimSlash(output), action.name);
    }
  }

  /** A file inside a folder that an action makes is taken together with the whole folder. */
  input(path: string): ActionInput {
    const name = trimSlash(path);
    for (let made = name; made !== "" && made !== "."; made = parentOf(made)) {
      const action = this.#makers.get(made);
      if (action !== undefined) return { name: made, from: { action, output: made } };
    }
    return { name, from: { file: name } };
  }

  /** Inputs for several paths, which may lie in the same folder made by an action. */
  inputs(paths: readonly string[]): readonly ActionInput[] {
    const byName = new Map(paths.map((path) => this.input(path)).map((input) => [input.name, input]));
    return [...byName.values()];
  }
}

const trimSlash = (path: string): string => path.replace(/\/+$/, "");

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
