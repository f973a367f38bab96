/** `arc run`: builds a target and runs its program with exclusive use of the terminal. */
import { constants } from "node:os";
import path from "node:path";
import { execa } from "execa";
import { vocabulary } from "../../rules/vocabulary.ts";
import type { Project } from "../../schema/contract/project.ts";
import { buildWorkspace } from "../build/build.ts";
import { buildStatus } from "../build/outcome.ts";
import { type Call, type Status, status } from "../call/call.ts";
import { UsageError } from "../call/usage-error.ts";
import { findRun } from "../project/find-run.ts";
import { unknownTarget } from "../project/unknown-target.ts";
import { type Workspace, withWorkspace } from "../project/workspace.ts";

export async function run(call: Call): Promise<Status> {
  const [address = "", runName, ...tooMany] = call.positionals;
  if (tooMany.length > 0) {
    throw new UsageError("arc run takes one address and one run", "put arguments of the program after --");
  }
  const waves = wavesOf(call);
  const execution = await withWorkspace(
    call,
    [address],
    (workspace) => prepare(call, workspace, address, runName, waves),
    (project) => (waves === undefined ? project : withWaves(project, address, waves)),
  );
  return typeof execution === "number" ? execution : execute(call, execution);
}

/** Builds the program. Returns what to execute, or the status of a failed build. */
async function prepare(
  call: Call,
  workspace: Workspace,
  address: string,
  runName: string | undefined,
  waves: Waves | undefined,
): Promise<Execution | Status> {
  const { plan, project } = workspace;
  const [variant, ...others] = plan.variants;
  if (variant === undefined) throw unknownTarget(address, project);
  if (others.length > 0) {
    const names = plan.variants.map((one) => one.address).join(", ");
    throw new UsageError(`${address} means ${plan.variants.length} programs: ${names}`, "name one of them");
  }
  const chosen = runName === undefined ? undefined : findRun(runName, project);
  const result = await buildWorkspace(workspace, call, {
    patterns: [],
    goals: variant.products,
    quiet: "if-up-to-date",
  });
  if (!result.ok) return buildStatus(result);
  if (result.counts.skipped > 0) return status.failed;
  return {
    program: path.join(project.root, variant.place),
    args: call.rest ?? chosen?.args ?? [],
    cwd: project.root,
    env: {
      ...call.env,
      ...variant.kind.device(variant.target.options).environment,
      ARC_TARGET: variant.address,
      ...(waves === undefined ? {} : { ARC_RTL_WAVES: waves.file }),
      ...(call.options.profile === true && { ARC_PROFILE: "1" }),
      ...chosen?.env,
    },
    ...(chosen?.stdin === undefined ? {} : { stdin: path.join(project.root, chosen.stdin) }),
  };
}

/** File and format of waveforms. */
interface Waves {
  readonly file: string;
  readonly format: string;
}

function wavesOf({ options, cwd }: Call): Waves | undefined {
  if (options.waves === undefined) return undefined;
  const file = path.resolve(cwd, String(options.waves));
  const format = path.extname(file).slice(1);
  if (format === "vcd" || format === "fst") return { file, format };
  throw new UsageError(`${String(options.waves)} is no file of waveforms`, "end its name in .vcd or .fst");
}

/** The project with the target's simulation model changed to write waveforms. */
function withWaves(project: Project, address: string, { format }: Waves): Project {
  const [name] = address.split(":");
  const target = project.targets.find((one) => one.name === name);
  if (target === undefined) return project;
  if (vocabulary.kinds.find(({ kind }) => kind === target.kind)?.options.waves === undefined)
    throw new UsageError(
      `target ${name} is of kind ${target.kind}, which simulates no signals`,
      "run a target of kind rtl with --waves",
    );
  const traced = { ...target, options: { ...target.options, waves: format } };
  return { ...project, targets: project.targets.map((one) => (one === target ? traced : one)) };
}

interface Execution {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string;
}

/** The program's exit status; if a signal ended it, what a shell would report. */
async function execute(call: Call, { program, args, cwd, env, stdin }: Execution): Promise<Status> {
  const child = execa(program, args, {
    cwd,
    env,
    extendEnv: false,
    stdin: stdin === undefined ? "inherit" : { file: stdin },
    stdout: "inherit",
    stderr: "inherit",
    reject: false,
  });
  // The terminal sends Ctrl-C to the program, too; arc waits for its reaction.
  call.signal.addEventListener("abort", () => child.kill("SIGTERM"), { once: true });
  const { exitCode, signal, originalMessage } = await child;
  if (signal === undefined) {
    if (exitCode === undefined) throw new Error(originalMessage);
    return exitCode;
  }
  call.err(`arc: ${path.basename(program)} was ended by ${signal}\n`);
  return 128 + constants.signals[signal];
}
