/** `arc doctor`: lists the tools and devices found, what is missing, and how to get it. */
import { chmodSync, copyFileSync } from "node:fs";
import path from "node:path";
import { execa } from "execa";
import { EngineError } from "../../core/build/model/error.ts";
import { storeStats } from "../../core/build/store/housekeeping.ts";
import { deviceRemedy, planDeviceList, type ToolEntry, toolInventory } from "../../rules/plan/inventory.ts";
import { type ListedDevice, parseDevices } from "../../rules/steps/device.ts";
import type { Compiler } from "../../rules/tools/compiler.ts";
import { findTools, type Tools } from "../../rules/tools/tools.ts";
import { energySourceOf, noRapl } from "../bench/device-energy.ts";
import { energyMeter } from "../bench/rapl.ts";
import { type Call, type Status, status } from "../call/call.ts";
import { wrapLine } from "../call/wrap.ts";
import { bubblewrap } from "../project/sandboxed.ts";
import { openScratch, type Scratch } from "../project/scratch.ts";
import { storeFolder } from "../project/store-folder.ts";
import { paint } from "../show/paint.ts";
import { bytes } from "../show/words.ts";

interface Finding {
  readonly name: string;
  readonly state: "ok" | "missing" | "broken";
  readonly detail: string;
  readonly remedy?: string;
  readonly required: boolean;
}

export async function run(call: Call): Promise<Status> {
  const scratch = openScratch(call);
  try {
    const tools = findTools(scratch.engine, call.env);
    const compiler = compilerOrProblem(tools);
    const findings = [
      { name: "node", state: "ok", detail: process.version, required: true } as const,
      compilerFinding(compiler),
      ...openMpFinding(compiler),
      ...toolInventory(tools).map(toolFinding),
      bubblewrapFinding(call),
      ...("message" in compiler ? [] : await deviceFindings(call, scratch, compiler)),
      storeFinding(call),
    ];
    show(call, findings);
    return findings.some((finding) => finding.required && finding.state !== "ok")
      ? status.failed
      : status.done;
  } finally {
    await scratch.close();
  }
}

function compilerOrProblem(tools: Tools): Compiler | EngineError {
  try {
    return tools.compiler();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
}

function compilerFinding(compiler: Compiler | EngineError): Finding {
  if ("message" in compiler) {
    return {
      name: "C compiler",
      state: "missing",
      detail: compiler.message,
      remedy: compiler.remedy,
      required: true,
    };
  }
  const detail = `${compiler.argv.join(" ")}: ${compiler.identity.version}`;
  return { name: "C compiler", state: "ok", detail, required: true };
}

function openMpFinding(compiler: Compiler | EngineError): readonly Finding[] {
  if ("message" in compiler || compiler.openmp !== undefined) return [];
  return [
    {
      name: "OpenMP",
      state: "missing",
      detail: `${compiler.argv.join(" ")} has no library for it: kernels of kind host run with one thread`,
      remedy: "for clang: apt-get install libomp-dev; gcc brings its own",
      required: false,
    },
  ];
}

function toolFinding({ program, purpose, found, packaged, install, required }: ToolEntry): Finding {
  if (found === undefined)
    return { name: program, state: "missing", detail: `needed for ${purpose}`, remedy: install, required };
  const detail = packaged
    ? `${found.name} ${found.version} of npm (WebAssembly)`
    : found.version || `found, for ${purpose}`;
  return { name: program, state: "ok", detail, required };
}

function bubblewrapFinding({ env }: Call): Finding {
  const found = bubblewrap(env);
  if ("bwrap" in found)
    return { name: "bubblewrap", state: "ok", detail: `${found.bwrap}, for --sandbox`, required: false };
  const { isBroken, problem, remedy } = found;
  const state = isBroken ? "broken" : "missing";
  const detail = isBroken ? problem : "needed for --sandbox";
  return { name: "bubblewrap", state, detail, remedy, required: false };
}

async function deviceFindings(call: Call, scratch: Scratch, compiler: Compiler): Promise<readonly Finding[]> {
  const { actions, program } = planDeviceList(compiler);
  if (!("action" in program.from)) throw new Error("the device list is built by an action");
  const { action, output } = program.from;
  const logs: string[] = [];
  const result = await scratch.engine.build(actions, {
    targets: [action],
    signal: call.signal,
    onEvent: (event) =>
      void (event.type === "failed" && logs.push(`${event.title}: ${event.message}\n${event.log}`)),
  });
  if (!result.ok) {
    const remedy =
      "libarcrt must compile for anything to run: install the C library's headers (Debian: apt-get install libc6-dev)";
    return [{ name: "libarcrt", state: "broken", detail: logs.join("").trim(), remedy, required: true }];
  }
  const file = path.join(scratch.folder, program.name);
  copyFileSync(scratch.engine.path(action, output).path, file);
  chmodSync(file, 0o700);
  const listing = { env: call.env, extendEnv: false, timeout: 60_000, reject: false } as const;
  const { stdout = "" } = await execa(file, listing);
  return parseDevices(stdout).map((device) => deviceFinding(device, call));
}

function deviceFinding(device: ListedDevice, { env }: Call): Finding {
  const { backend, name, reason, type } = device;
  const title = `${backend} device`;
  if (name !== undefined) {
    const detail = `${name}, ${type ?? "of unknown type"}; ${energyText(device, env)}`;
    return { name: title, state: "ok", detail, required: false };
  }
  const remedy = deviceRemedy(backend);
  return {
    name: title,
    state: "missing",
    detail: reason ?? "none",
    required: false,
    ...(remedy === undefined ? {} : { remedy }),
  };
}

/** What counts the energy of programs on the device. */
function energyText(device: ListedDevice, env: Call["env"]): string {
  const source = energySourceOf([device]);
  if ("missing" in source) return `energy is not counted: ${source.missing}`;
  const isCounted = source.by === "NVML" || energyMeter(env.ARC_POWERCAP)() !== undefined;
  return isCounted ? `energy is counted (${source.by})` : `energy is not counted: ${noRapl}`;
}

function storeFinding(call: Call): Finding {
  const folder = storeFolder(call, undefined);
  return {
    name: "store",
    state: "ok",
    detail: `${folder}, ${bytes(storeStats(folder).bytes)}`,
    required: true,
  };
}

function show(call: Call, findings: readonly Finding[]): void {
  if (call.options.json === true) {
    call.out(`${JSON.stringify(findings)}\n`);
    return;
  }
  const color = paint(call.color && process.stdout.isTTY === true);
  const marks = {
    ok: color.green("ok     "),
    missing: color.yellow("missing"),
    broken: color.red("broken "),
  };
  const width = Math.max(...findings.map((finding) => finding.name.length));
  for (const { name, state, detail, remedy } of findings) {
    const line = (text: string, indent: number): void => {
      // Behind the first line stands what a tool printed.
      const [first = "", ...rest] = text.split("\n");
      call.out(`${[wrapLine(first, call.outColumns(), indent), ...rest].join("\n")}\n`);
    };
    line(`${marks[state]}  ${name.padEnd(width)}  ${detail}`, 11 + width);
    if (remedy !== undefined) line(`${" ".repeat(11 + width)}try: ${remedy}`, 16 + width);
  }
}
