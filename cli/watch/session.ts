/** The project of a watch, kept open between builds: read again only when arc.yaml, or what it names, changed. */
import type { Call } from "../call.ts";
import { isCurrent, type Opened, openProject, planWorkspace, type Workspace } from "../workspace.ts";

export class Session {
  readonly #call: Call;
  #opened: Opened | undefined;

  constructor(call: Call) {
    this.#call = call;
  }

  /** As things are now. Throws InvalidProject, UsageError or EngineError. */
  async workspace(): Promise<Workspace> {
    if (this.#opened === undefined || !isCurrent(this.#opened)) {
      this.#opened = await openProject(this.#call, this.#opened);
    }
    return planWorkspace(this.#opened, this.#call, this.#call.positionals);
  }

  async close(): Promise<void> {
    await this.#opened?.engine.close();
  }
}
