/** `arc explain`: why something was last built, from what, and what a build would do with it now. */

import type { Engine, Explanation } from "../../core/build/engine-interface.ts";
import { type Action, type Address, titleOf } from "../../core/build/model/action.ts";
import { EngineError } from "../../core/build/model/error.ts";
import type { Event, Reason } from "../../core/build/model/event.ts";
import { knownOf } from "../build/build.ts";
import { type Call, type Status, status } from "../call/call.ts";
import { wrapLines } from "../call/wrap.ts";
import { notGrown, select } from "../project/addresses.ts";
import { withLocations } from "../project/cycle.ts";
import { type Workspace, withWorkspace } from "../project/workspace.ts";
import { bytes, reason, seconds } from "../show/words.ts";

type Planned = Extract<Event, { type: "planned" }>;

export function run(call: Call): Promise<Status> {
  return withWorkspace(call, call.positionals, async (workspace) => {
    const { plan } = workspace;
    const goals = [...plan.programs, ...plan.comparisons];
    const planned = await planOf(workspace, call, select(call.positionals, goals, knownOf(workspace)));
    const explained = [...planned].map(([address, now]) => ({
      address,
      now,
      last: lastOf(workspace, address),
    }));
    if (explained.length === 0) throw notGrown(call.positionals[0] ?? "");
    if (call.options.json === true) call.out(`${JSON.stringify(explained)}\n`);
    else {
      const all = explained.map(({ address, now, last }) => describe(address, now, last)).join("\n");
      call.out(wrapLines(all, call.outColumns()));
    }
    return status.done;
  });
}

/** What a build would do now with the given addresses, decided by the same function as in a build. */
async function planOf(
  { engine, plan }: Workspace,
  call: Call,
  { addresses, later }: ReturnType<typeof select>,
): Promise<ReadonlyMap<Address, Planned>> {
  const requested = new Set(addresses);
  const planned = new Map<Address, Planned>();
  try {
    await engine.build(plan.actions, {
      targets: later ?? addresses,
      dryRun: true,
      keepGoing: true,
      signal: call.signal,
      onEvent(event) {
        if (event.type === "planned" && (later?.(event.address) ?? requested.has(event.address)))
          planned.set(event.address, event);
      },
    });
  } catch (error) {
    throw withLocations(error, engine.root);
  }
  // Actions that an expansion has yet to add had their place in the last build's graph.
  if (later !== undefined)
    for (const [action, because] of grownFrom(engine, plan.actions)) {
      const { address } = action;
      if (!later(address) || planned.has(address)) continue;
      planned.set(address, { type: "planned", address, title: titleOf(action), verdict: "unknown", because });
    }
  return planned;
}

/** Actions added by expansions in the last build, each with the action whose expansion added it. */
function* grownFrom(engine: Engine, actions: Iterable<Action>): Generator<[grown: Action, from: Address]> {
  for (const { address, expand } of actions) {
    if (expand === undefined) continue;
    const grown = engine.grown(address);
    for (const action of grown) yield [action, address];
    yield* grownFrom(engine, grown);
  }
}

function lastOf({ engine }: Workspace, address: Address): Explanation | undefined {
  try {
    return engine.explain(address);
  } catch (error) {
    if (error instanceof EngineError && error.code === "not-built") return undefined;
    throw error;
  }
}

function describe(address: Address, now: Planned, last: Explanation | undefined): string {
  const lines = [
    now.title === address ? address : `${address}: ${now.title}`,
    `  now: ${nowWords(now)}`,
    ...digestsOf(now.reason),
  ];
  if (last === undefined) {
    lines.push("  last: never built");
    return `${lines.join("\n")}\n`;
  }
  const { parts, result, why, key } = last;
  const failed = result.failure === undefined ? "" : `, failed: ${result.failure.message}`;
  lines.push(
    `  last: ${why === undefined ? "up to date" : reason(why)}; took ${seconds(result.seconds)}${failed}`,
  );
  lines.push(...digestsOf(why));
  for (const { loc, severity, message } of result.diagnostics ?? result.failure?.diagnostics ?? [])
    lines.push(`  ${loc.file}:${loc.line}:${loc.col}: ${severity}: ${message}`);
  lines.push(`  key: ${key}`);
  for (const [name, version] of parts.tools)
    lines.push(`  tool: ${name}${version === "" ? "" : ` (${version})`}`);
  for (const input of parts.inputs) {
    lines.push(
      `  input: ${input.name} ${short(input.digest)}${input.by === undefined ? "" : ` from ${input.by}`}`,
    );
  }
  const { files = [], missing = [] } = result.discovered ?? {};
  if (files.length > 0) lines.push(`  found: ${listSome(files.map(([file]) => file))}`);
  if (missing.length > 0) lines.push(`  looked for and did not find: ${listSome(missing)}`);
  for (const output of result.outputs)
    lines.push(`  output: ${output.name} ${short(output.digest)} ${bytes(output.size)}`);
  return `${lines.join("\n")}\n`;
}

function nowWords({ verdict, reason: why, because }: Planned): string {
  const words = {
    "up-to-date": "up to date",
    cached: "would be taken from the cache",
    failed: "would fail as before",
    run: "would run",
    unknown: `is known after ${because ?? "what it needs"}`,
    skip: "would be skipped",
  };
  return why === undefined ? words[verdict] : `${words[verdict]}: ${reason(why)}`;
}

/** For a changed input: digests of its bytes before and after, and the action that made them. */
function digestsOf(why: Reason | undefined): readonly string[] {
  if (why?.kind !== "input-changed") return [];
  const { before, after, by } = why;
  const ofSystem = why.input.startsWith("/") ? "a file of the system" : "a file of the project";
  const maker = by === undefined ? ofSystem : `made by ${by}`;
  return [`       ${why.input}: ${before ?? "none"} before, ${after ?? "none"} after, ${maker}`];
}

const short = (digest: string): string => digest.slice(0, 12);

function listSome(names: readonly string[]): string {
  const own = names.filter((name) => !name.startsWith("/"));
  const shown = own.slice(0, 8);
  return [
    ...shown,
    ...(own.length > shown.length ? [`${own.length - shown.length} more`] : []),
    ...(names.length > own.length ? [`${names.length - own.length} of the system`] : []),
  ].join(", ");
}
