/** One build of a workspace, displayed as the call asks. */
import path from "node:path";
import type { EngineBuildOptions } from "../../core/build/engine-interface.ts";
import type { BuildResult } from "../../core/build/graph/build-result.ts";
import type { Address } from "../../core/build/model/action.ts";
import type { Event, Undeclared } from "../../core/build/model/event.ts";
import { kernelsAddress } from "../../rules/steps/kernels/kernels.ts";
import { unfollowedVariables } from "../../rules/tools/compiler-variables.ts";
import type { Call } from "../call/call.ts";
import { type How, hardwareRows, withoutSchedules } from "../hardware/rows.ts";
import { hardwareTable } from "../hardware/table.ts";
import { addressMatcher, type Known, notGrown, select } from "../project/addresses.ts";
import { withLocations } from "../project/cycle.ts";
import { mustHave } from "../project/must-have.ts";
import { sameDesigns, sameDesignWords } from "../project/same-designs.ts";
import { checkHits } from "../project/settings.ts";
import type { Workspace } from "../project/workspace.ts";
import { formatFindings } from "../show/findings.ts";
import { callContext } from "../start/no-op.ts";
import { chooseUi, requestsOf } from "../ui/choose.ts";
import type { Skip } from "../ui/lines.ts";
import { type Quiet, untilLeft } from "../ui/ui.ts";
import { FindingsFiles } from "./findings-files.ts";
import { noOpSummary } from "./outcome.ts";
import { Recorder } from "./recorder.ts";
import { carry } from "./resume.ts";
import { Trace } from "./trace.ts";
import { tracing, untracedWords } from "./tracing.ts";

interface BuildRequest {
  /** Addresses as the user gave them. */
  readonly patterns: readonly string[];
  /** The default targets when no addresses are given. */
  readonly goals: readonly Address[];
  readonly dryRun?: boolean;
  /** Rebuilds everything requested, or these addresses. */
  readonly force?: boolean | readonly Address[];
  /** A build after an edit, which may have renamed a kernel that is asked for. */
  readonly afterEdit?: boolean;
  /** Aborted when a newer build is wanted. */
  readonly giveWay?: AbortSignal;
  /** Called with every event, in addition to the display. */
  readonly onEvent?: (event: Event) => void;
  /** Identifies the kind of call for builds in an engine that stays open; default: that of `arc build`. */
  readonly context?: string;
  /** What matters is printed by another program or later. */
  readonly quiet?: Quiet;
}

export async function buildWorkspace(
  workspace: Workspace,
  call: Call,
  request: BuildRequest,
): Promise<BuildResult> {
  const { engine, plan, project } = workspace;
  const { addresses, later, open } = select(request.patterns, request.goals, knownOf(workspace));
  const unmet = new Set(open);
  if (workspace.warnings.length > 0 && call.options.json !== true)
    call.err(formatFindings(workspace.warnings, findingsFormat(workspace, call)));
  const requests = requestsOf(call);
  const ui = uiOf(workspace, call, request, requests);
  const unfollowed = unfollowedVariables(
    (name) => engine.variable(name),
    { keyed: project.envFrom, passed: project.passEnv },
    project.targets.map(({ kind }) => kind),
  );
  for (const message of [...plan.notes, ...unfollowed]) ui.onEvent({ type: "warning", message });
  const trace =
    call.options.trace === undefined
      ? undefined
      : new Trace(path.resolve(call.cwd, String(call.options.trace)), plan.actions);
  const files = new FindingsFiles(call, plan.actions, project.root);
  files.add(workspace.warnings);
  const recorder = request.dryRun === true ? undefined : new Recorder(plan.actions);
  const skips: Skip[] = [];
  const undeclared: Undeclared[] = [];
  const how = new Map<Address, How>();
  const traced = tracing(call);
  // Warnings about arc.yaml must be repeated by every call, so such a call is not answered from memory.
  const isSilent = workspace.warnings.length + plan.notes.length + open.length === 0;
  const context = request.context ?? (isSilent ? callContext(call.args, call.cwd, call.env) : undefined);
  try {
    const options: EngineBuildOptions = {
      ...(context === undefined
        ? {}
        : {
            context,
            carry: () => carry(workspace.settings, skips),
            summary: (built) => noOpSummary(built, skips),
          }),
      targets: later ?? addresses,
      dryRun: request.dryRun ?? false,
      keepGoing: call.options["keep-going"] === true,
      ...mustHave(call),
      ...checkHits(workspace.settings),
      ...traced,
      force: request.force === true ? addresses : (request.force ?? false),
      signal: call.signal,
      ...(requests && { requests }),
      ...(request.giveWay === undefined ? {} : { giveWay: request.giveWay }),
      onEvent: (event: Event) => {
        if (event.type === "skipped" && event.because === undefined) skips.push(event);
        if (event.type === "undeclared") undeclared.push(event.files);
        trace?.onEvent(event);
        recorder?.onEvent(event);
        files.onEvent(event);
        request.onEvent?.(event);
        if (event.type === "done" || event.type === "planned")
          for (const pattern of unmet) if (addressMatcher([pattern])(event.address)) unmet.delete(pattern);
        if (event.type === "done") how.set(event.address, howOf[event.how]);
        ui.onEvent(event);
      },
    };
    const result = await untilLeft(ui, (force) =>
      engine.build(plan.actions, force === undefined ? options : { ...options, force }),
    );
    recorder?.save(project.root);
    await ui.finish(result);
    if (call.options.json !== true) call.err(untracedWords(traced));
    if (call.options["declare-inputs"] === true) await addInputs(workspace, call, undeclared);
    if (request.dryRun !== true && request.quiet === undefined) {
      showSameDesigns(workspace, call, how);
      await showHardware(workspace, call, how);
    }
    const [missed] = unmet;
    // A dry run, an incomplete build, and one after an edit cannot tell that an address does not exist.
    const isComplete = result.ok && result.counts.skipped === 0 && request.dryRun !== true;
    if (missed !== undefined && isComplete && request.afterEdit !== true) throw notGrown(missed);
    return result;
  } catch (error) {
    ui.abandon();
    throw withLocations(error, project.root);
  } finally {
    trace?.close();
    files.save();
  }
}

const findingsFormat = ({ project }: Workspace, { cwd, color, columns }: Call) => ({
  cwd,
  root: project.root,
  color,
  columns,
});

function uiOf(
  workspace: Workspace,
  call: Call,
  request: BuildRequest,
  requests: ReturnType<typeof requestsOf>,
): ReturnType<typeof chooseUi> {
  const findings = findingsFormat(workspace, call);
  return chooseUi(
    call,
    {
      graph: workspace.plan.actions,
      write: call.err,
      color: call.color,
      columns: call.columns,
      width: call.errColumns,
      ...(request.quiet && { quiet: request.quiet }),
      root: workspace.project.root,
      formatFindings: (diagnostics) => formatFindings(diagnostics, findings),
    },
    requests,
  );
}

/** `--declare-inputs`: writes what actions read without saying so into arc.yaml. */
async function addInputs(
  { project }: Workspace,
  call: Call,
  undeclared: readonly Undeclared[],
): Promise<void> {
  const { declareInputs } = await import("./declare-inputs.ts");
  const changed = declareInputs(project.file, undeclared);
  if (changed.length > 0) call.err(`arc.yaml: inputs added to ${changed.join(", ")}\n`);
}

const howOf = { ran: "built", cached: "cached", remote: "shared", "up-to-date": "up to date" } as const;

/** Reports variants whose kernels this build made or fetched and whose design equals another's. */
function showSameDesigns({ engine, plan }: Workspace, call: Call, how: ReadonlyMap<Address, How>): void {
  const isNew = ({ address }: { readonly address: Address }): boolean =>
    (how.get(kernelsAddress(address)) ?? "up to date") !== "up to date";
  const same = sameDesigns(engine, plan.variants).filter(isNew);
  if (call.options.json !== true) call.err(same.map(sameDesignWords).join(""));
  else if (same.length > 0) call.out(`${JSON.stringify({ type: "same-designs", variants: same })}\n`);
}

/** Shows the kernels of FPGA targets for which this build made or fetched anything. */
async function showHardware(
  { engine, plan, project }: Workspace,
  call: Call,
  how: ReadonlyMap<Address, How>,
): Promise<void> {
  const request = { runs: project.verify.runs, names: project.kernels, how };
  const all = plan.variants.map((variant) => hardwareRows(engine, variant, request));
  const rows = (await Promise.all(all))
    .flat()
    .filter((row) => row.how !== undefined && row.how !== "up to date");
  if (call.options.json === true) {
    if (rows.length > 0)
      call.out(`${JSON.stringify({ type: "hardware", kernels: rows }, withoutSchedules)}\n`);
  } else call.err(hardwareTable(rows));
}

/** Names that can be used before anything is built. */
export const knownOf = ({ plan, project }: Pick<Workspace, "plan" | "project">): Known => ({
  targets: project.targets.map((target) => target.name),
  called: new Map(
    plan.variants.flatMap(({ address, target, variant }) =>
      (variant.called ?? []).map((name) => [`${target.name}:${name}`, address] as const),
    ),
  ),
  // Collected on demand: most calls name no address.
  get addresses() {
    return [...plan.actions].flatMap((action) => [action.address, ...(action.expand?.promises ?? [])]);
  },
});
