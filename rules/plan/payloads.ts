/** Looks up the tools of a toolchain's payloads, so that the expansion into images only needs data. */

import { digestOf } from "../../core/build/key/digest.ts";
import type { Action, ToolIdentity } from "../../core/build/model/action.ts";
import { itemAt } from "../../core/checked/access.ts";
import { kinds } from "../../targets/registry.ts";
import type { FabricStage, Payload, Tool, ToolCall, Toolchain } from "../../targets/shared/kind/kind.ts";
import type {
  PlannedCall,
  PlannedFabric,
  PlannedPayload,
  PlannedReport,
  PlannedStage,
} from "../inputs/planned.ts";
import { kernelWord, objectsWord, sourcesWord } from "../inputs/stage-words.ts";
import type { AuthoredTools } from "../steps/kernels/authored-images.ts";
import { libraryActions } from "../steps/kernels/library.ts";
import { runtimeTool } from "../steps/runtime.ts";
import type { Compiler } from "../tools/compiler.ts";
import type { Tools } from "../tools/tools.ts";
import { identifyPackage } from "../tools/wasm-tools.ts";

/**
 * `cflags`: the project's compiler options, which may change floating-point results. With `needsDevices`, a missing
 * device that the user named is a failure.
 */
export function planPayloads(
  toolchain: Toolchain,
  compiler: Compiler,
  cflags: readonly string[],
  tools: Tools,
  needsDevices = false,
): readonly PlannedPayload[] {
  const { payloads, lacks } = toolchain;
  return payloads.flatMap((payload) => {
    const { kind, connected } = payload;
    const own = { kind, ...(connected === undefined ? {} : { connected }) };
    if (payload.call === undefined) return [own];
    const first = plan(payload, payload.call, toolchain, compiler, cflags, tools, needsDevices);
    const call =
      first?.missing === undefined || payload.otherwise === undefined
        ? first
        : plan(payload, payload.otherwise, toolchain, compiler, cflags, tools, needsDevices);
    if (call === undefined) return [];
    return [{ ...own, call: lacks === undefined ? call : { ...call, missing: lacks } }];
  });
}

/** The report stage with its tool looked up. */
export function planReport(
  { report, lacks }: Toolchain,
  kind: string,
  tools: Tools,
): PlannedReport | undefined {
  if (report === undefined) return undefined;
  const argv = [report.tool.program, ...report.args(sourcesWord, kernelWord)];
  const object = report.object?.(kernelWord);
  return {
    kind,
    each: report.each,
    argv,
    folders: report.folders(kernelWord),
    ...(object === undefined ? {} : { object }),
    ...found(report.tool, tools),
    ...(lacks === undefined ? {} : { missing: lacks }),
  };
}

/**
 * Compilers for authored kernels, identified only by their executables' bytes, because most projects have no such
 * kernels and asking for versions would take time.
 */
export const planAuthored = (tools: Tools): AuthoredTools =>
  Object.fromEntries(
    kinds.flatMap(({ kind, authored }) => {
      const { program = "", aliases = [] } = authored?.({}).tool ?? {};
      const [tool] = [program, ...aliases].flatMap((name) => (name && tools.program(name)) || []);
      return tool ? [[kind, tool]] : [];
    }),
  );

/** The stages of a device configuration: native tools where they exist, else packages. */
export function planFabric(
  { fabric, reschedule, available, extension }: Toolchain,
  kind: string,
  tools: Tools,
): PlannedFabric | undefined {
  if (fabric === undefined) return undefined;
  const stages: PlannedStage[] = [];
  let lacks: string | undefined;
  for (const stage of fabric) {
    const planned = planStage(stage, extension, tools);
    if (planned.missing !== undefined && stage.optional) {
      lacks = planned.missing;
      break;
    }
    stages.push(planned);
  }
  // If a tool is missing, the clock that the design reaches is unknown.
  const measured = stages.findIndex(({ name }) => name === reschedule?.stage);
  const settles =
    measured >= 0 && stages.slice(0, measured + 1).every(({ missing }) => missing === undefined);
  return {
    kind,
    stages,
    ...(lacks !== undefined && { lacks }),
    ...(settles && reschedule && { reschedule }),
    ...(available === undefined ? {} : { available }),
  };
}

function planStage(
  { tool: required, args, wasm, optional: _, ...stage }: FabricStage,
  extension: string,
  tools: Tools,
): PlannedStage {
  const here = wasm?.files === undefined ? tools.tool(required) : undefined;
  const isOld = here !== undefined && isTooOld(here.version, required);
  const native = isOld ? undefined : here;
  const tool = native ?? (wasm && identifyPackage(wasm.package));
  return {
    ...stage,
    argv: [native?.name ?? required.program, ...args(`kernel.${extension}`)],
    ...(tool === undefined
      ? { missing: isOld ? tooOld(here.version, required) : missing(required) }
      : { tool, ...(native === undefined && wasm && { wasm }) }),
  };
}

const missing = ({ program, install }: Tool): string => `${program} is not here: ${install}`;

const tooOld = (version: string, { program, atLeast, install }: Tool): string =>
  `${program} is here as ${version}, and ${atLeast?.version} is needed, for ${atLeast?.why}: ${install}`;

/** A tool that prints no version is accepted. */
function isTooOld(version: string, { atLeast }: Tool): boolean {
  const numbers = (text: string) => (/\d+(?:\.\d+)+/.exec(text)?.[0] ?? "").split(".").map(Number);
  const [is, required] = [numbers(version), numbers(atLeast?.version ?? "0")];
  const at = required.findIndex((n, k) => n !== (is[k] ?? 0));
  return atLeast !== undefined && version !== "" && at >= 0 && (is[at] ?? 0) < itemAt(required, at);
}

function found(required: Tool, tools: Tools): Pick<PlannedCall, "tool" | "missing"> {
  const tool = tools.tool(required);
  return tool === undefined ? { missing: missing(required) } : { tool };
}

/** Names of libarcrt's tools that the payloads need. */
export const runtimeToolsOf = (payloads: readonly PlannedPayload[]): readonly string[] =>
  payloads.flatMap(({ call }) => call?.own?.name ?? []);

/** The actions that make the objects that payloads link. */
export const libraryActionsOf = (payloads: readonly PlannedPayload[]): readonly Action[] =>
  libraryActions(payloads.flatMap(({ call }) => call ?? []));

/** The call runs even without drivers: it reports what is missing. */
const noDrivers: ToolIdentity = { name: "drivers", version: "none", digest: digestOf("no drivers") };

/** Undefined for a call that needs drivers if there are none. */
function plan(
  { kind }: Payload,
  call: ToolCall,
  { extension }: Toolchain,
  compiler: Compiler,
  cflags: readonly string[],
  tools: Tools,
  needsDevices: boolean,
): PlannedCall | undefined {
  const headers = [
    ...(call.takesRuntimeHeaders === true ? (["include"] as const) : []),
    ...(call.takesEmulationHeaders === true ? (["emulation"] as const) : []),
  ];
  const output = `kernel.${call.extension ?? kind}`;
  const args = [
    ...headers.map((folder) => `-I${folder}`),
    ...(call.takesCflags === true ? cflags : []),
    ...call.args(sourcesWord, output, objectsWord),
  ];
  if ("runtime" in call.tool) {
    const { runtime: name, environment: env, named } = call.tool;
    const required = needsDevices && named === true;
    const drivers = tools.drivers(call.tool.drivers) ?? (required ? noDrivers : undefined);
    if (drivers === undefined) return undefined;
    const program = runtimeTool(name);
    const argv = [`./${program.name}`, ...args];
    return {
      argv,
      tool: drivers,
      headers,
      output,
      own: { name, program, env, tag: `${kind}.tag`, ...(required && { required }) },
    };
  }
  const { program } = call.tool;
  if (program === "cc") {
    const threads = call.takesOpenMp === true && compiler.openmp !== undefined ? [compiler.openmp] : [];
    const tuning = call.takesOpenMp === true ? compiler.tuning : [];
    return {
      argv: [...compiler.argv, ...threads, ...tuning, ...args],
      tool: compiler.identity,
      headers,
      output,
    };
  }
  const sources = call.takesSimulator === true ? ({ sources: "simulator" } as const) : {};
  const library = call.library && { ...call.library, argv: [program, ...call.library.args] };
  const stage = call.takesStage === undefined ? {} : { stage: call.takesStage };
  const before = call.before && { before: planStage(call.before, extension, tools) };
  const synthesises = call.synthesises === true ? ({ synthesises: true } as const) : {};
  return {
    argv: [program, ...args],
    headers,
    ...sources,
    ...(library && { library }),
    ...stage,
    ...before,
    output,
    ...synthesises,
    ...found(call.tool, tools),
  };
}
