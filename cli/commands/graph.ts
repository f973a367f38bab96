/** `arc graph`: what there is to do, and what it needs. */
import type { Action } from "../../core/build/action.ts";
import { select } from "../addresses.ts";
import { knownAddresses } from "../build.ts";
import { type Call, type Status, status } from "../call.ts";
import { withWorkspace } from "../workspace.ts";

export function run(call: Call): Promise<Status> {
  return withWorkspace(call, call.positionals, ({ plan }) => {
    const goals = [...plan.programs, ...plan.comparisons];
    const { addresses } = select(call.positionals, goals, knownAddresses(plan));
    const actions = needed(plan.actions, addresses);
    if (call.options.json === true) call.out(`${JSON.stringify(actions)}\n`);
    else call.out(call.options.dot === true ? dot(actions) : text(actions));
    return status.done;
  });
}

/** The actions of some addresses and all that they need, needs first. */
function needed(actions: readonly Action[], addresses: readonly string[]): readonly Action[] {
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

function needsOf(action: Action): readonly string[] {
  return [...new Set(action.inputs.flatMap(({ from }) => ("action" in from ? [from.action] : [])))];
}

function text(actions: readonly Action[]): string {
  return actions
    .map((action) => {
      const files = action.inputs.flatMap(({ from }) => ("file" in from ? [from.file] : []));
      const needs = [...needsOf(action), ...files.filter((file) => !file.startsWith("/"))];
      const later = (action.expand?.promises ?? []).map((address) => `  then ${address}\n`).join("");
      const skip = action.skip === undefined ? "" : `  not here: ${action.skip}\n`;
      return `${action.address}: ${action.title ?? action.step}\n${needs.map((need) => `  needs ${need}\n`).join("")}${skip}${later}`;
    })
    .join("");
}

function dot(actions: readonly Action[]): string {
  const quote = (name: string): string => `"${name.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
  const edges = actions.flatMap((action) => [
    ...needsOf(action).map((need) => `  ${quote(need)} -> ${quote(action.address)};\n`),
    ...(action.expand?.promises ?? []).map(
      (later) => `  ${quote(action.address)} -> ${quote(later)} [style=dashed];\n`,
    ),
  ]);
  const nodes = actions.map(
    (action) => `  ${quote(action.address)} [tooltip=${quote(action.title ?? action.step)}];\n`,
  );
  return `digraph arc {\n  rankdir=LR;\n  node [shape=box];\n${nodes.join("")}${edges.join("")}}\n`;
}
