/**
 * Resumes the last build after a change that left the graph unchanged: arc.yaml is not read, and only the actions that
 * the change can reach. The settings from arc.yaml are carried over from the build before.
 */

import type { Engine, EngineBuildOptions } from "../../core/build/engine-interface.ts";
import type { Check } from "../../core/build/files/up-to-date.ts";
import type { BuildResult } from "../../core/build/graph/build-result.ts";
import type { Action, Registry } from "../../core/build/model/action.ts";
import type { Event } from "../../core/build/model/event.ts";
import { commandStep } from "../../rules/steps/command.ts";
import type { Call, Status } from "../call/call.ts";
import { mustHave } from "../project/must-have.ts";
import { checkHits, openEngine, type Settings } from "../project/settings.ts";
import { formatFindings } from "../show/findings.ts";
import { chooseUi, requestsOf } from "../ui/choose.ts";
import type { Skip } from "../ui/lines.ts";
import { type Ui, type UiContext, untilLeft } from "../ui/ui.ts";
import { buildStatus, noOpSummary } from "./outcome.ts";
import { Recorder } from "./recorder.ts";
import { tracing, untracedWords } from "./tracing.ts";

interface Carried {
  readonly settings: Settings;
  readonly skips: readonly Skip[];
}

/** Text for the next call of the same kind. */
export function carry(settings: Settings, skips: readonly Skip[]): string {
  const carried: Carried = { settings, skips };
  return JSON.stringify(carried);
}

/** Knows only the project's own commands; the compiler is loaded when a change reaches it. */
const quickRegistry: Registry = {
  steps: new Map([[commandStep.name, commandStep]]),
  expansions: new Map(),
  rest: async () => (await import("../../rules/registry.ts")).registry,
};

/** Undefined when the graph may have changed, so that everything must be read. */
export async function resumeBuild(call: Call, check: Check): Promise<Status | undefined> {
  if (check.upToDate || check.rows === undefined || check.rows.graph === 0) return undefined;
  // This option edits arc.yaml, so arc.yaml must be read.
  if (call.options["declare-inputs"] === true) return undefined;
  const { settings } = JSON.parse(check.rows.carry) as Carried;
  const engine = await openEngine(settings, call, quickRegistry);
  try {
    const result = await resumeIn(engine, check, call);
    return result && buildStatus(result);
  } finally {
    await engine.close();
  }
}

type ResumeRequest = Pick<EngineBuildOptions, "targets" | "giveWay" | "onEvent" | "force">;

/** Builds in an open engine. Undefined when the graph may have changed. */
export async function resumeIn(
  engine: Engine,
  check: Check,
  call: Call,
  request: ResumeRequest = {},
): Promise<BuildResult | undefined> {
  if (check.rows === undefined || check.rows.graph === 0) return undefined;
  const carried = JSON.parse(check.rows.carry) as Carried;
  const { settings } = carried;
  let skips: readonly Skip[] = carried.skips;
  const recorder: { of?: Recorder } = {};
  const requests = requestsOf(call);
  const ui = new LateUi((actions) => {
    recorder.of = new Recorder(actions);
    const reached = new Set(actions.map((action) => action.address));
    skips = skips.filter((skip) => !reached.has(skip.address));
    const context: UiContext = {
      graph: actions,
      write: call.err,
      color: call.color,
      columns: call.columns,
      width: call.errColumns,
      root: settings.root,
      formatFindings: (diagnostics) =>
        formatFindings(diagnostics, {
          cwd: call.cwd,
          root: settings.root,
          color: call.color,
          columns: call.columns,
        }),
    };
    return chooseUi(call, context, requests);
  });
  try {
    const traced = tracing(call);
    const options: EngineBuildOptions = {
      ...request,
      ...(requests && { requests }),
      keepGoing: call.options["keep-going"] === true,
      ...mustHave(call),
      ...checkHits(settings),
      ...traced,
      signal: call.signal,
      summary: (built) => noOpSummary(built, skips),
      carry: () => carry(settings, skips),
      onActions: (actions) => ui.open(actions),
      onEvent: (event) => {
        if (event.type === "skipped" && event.because === undefined) skips = [...skips, event];
        request.onEvent?.(event);
        recorder.of?.onEvent(event);
        ui.onEvent(event);
      },
    };
    let last = await engine.resume(check, options);
    if (last !== undefined && ui.view !== undefined) {
      const first = last;
      last = await untilLeft(ui.view, async (force) =>
        force === undefined ? first : ((await engine.resume(check, { ...options, force })) ?? first),
      );
    }
    const result = last;
    if (result === undefined) {
      ui.view?.abandon();
      return undefined;
    }
    for (const { address, reason } of carried.skips) {
      // Skips are reported again, as a complete build would do.
      if (!result.outcomes.has(address)) ui.onEvent({ type: "skipped", address, reason });
    }
    recorder.of?.save(settings.root);
    await ui.view?.finish(result);
    if (call.options.json !== true) call.err(untracedWords(traced));
    return result;
  } catch (error) {
    ui.view?.abandon();
    throw error;
  }
}

/** Opens the display when the actions are known; earlier messages (another arc builds here) wait for that. */
class LateUi {
  readonly #choose: (actions: readonly Action[]) => Ui;
  readonly #early: Event[] = [];
  view: Ui | undefined;

  constructor(choose: (actions: readonly Action[]) => Ui) {
    this.#choose = choose;
  }

  open(actions: readonly Action[]): void {
    this.view = this.#choose(actions);
    for (const event of this.#early.splice(0)) this.view.onEvent(event);
  }

  onEvent(event: Event): void {
    if (this.view === undefined) this.#early.push(event);
    else this.view.onEvent(event);
  }
}
