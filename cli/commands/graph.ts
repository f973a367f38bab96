/** `arc graph`: shows the actions and what they need. */
import type { Action } from "../../core/build/model/action.ts";
import { nearest } from "../../schema/document/nearest.ts";
import { knownOf } from "../build/build.ts";
import { type Call, type Status, status } from "../call/call.ts";
import { UsageError } from "../call/usage-error.ts";
import { wrapLines } from "../call/wrap.ts";
import { select } from "../project/addresses.ts";
import { withWorkspace } from "../project/workspace.ts";
import { compileCommands } from "../show/compile-commands.ts";
import { graphFormats, needsOf } from "../show/graph-formats.ts";

/** A format that does not show the graph, but what tools for C want to know about it. */
const commandsFormat = "compile-commands";

export function run(call: Call): Promise<Status> {
  const print = call.options.format === commandsFormat ? undefined : formatOf(call);
  return withWorkspace(call, call.positionals, (workspace) => {
    const { plan, project } = workspace;
    const goals = [...plan.programs, ...plan.comparisons];
    const { addresses } = select(call.positionals, goals, knownOf(workspace));
    const actions = needed(plan.actions, addresses);
    call.out(print === undefined ? compileCommands(actions, project.root) : print(actions));
    return status.done;
  });
}

function formatOf({ options, outColumns }: Call): (actions: readonly Action[]) => string {
  const name = options.json === true ? "json" : String(options.format ?? "text");
  const format = graphFormats[name];
  if (format !== undefined)
    return name === "text" ? (actions) => wrapLines(format(actions), outColumns()) : format;
  const known = [...Object.keys(graphFormats), commandsFormat];
  const near = nearest(name, known);
  const remedy = `${near === undefined ? "" : `did you mean ${near}? `}there are ${known.join(", ")}`;
  throw new UsageError(`--format ${name} is no format of a graph`, remedy);
}

/** The actions of some addresses and everything they need, needs first. */
function needed(actions: Iterable<Action>, addresses: readonly string[]): readonly Action[] {
  const byAddress = new Map<string, Action>();
  for (const action of actions) {
    byAddress.set(action.address, action);
    for (const promise of action.expand?.promises ?? []) byAddress.set(promise, action);
  }
  const seen = new Set<Action>();
  const walk = (address: string): void => {
    const action = byAddress.get(address);
    if (action === undefined || seen.has(action)) return;
    for (const need of needsOf(action)) walk(need);
    seen.add(action);
  };
  for (const address of addresses) walk(address);
  return [...seen];
}
