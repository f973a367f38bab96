/** What arc finds on this machine: compilers, tools of target kinds, devices. */
import type { Action, ActionInput, ToolIdentity } from "../../core/build/model/action.ts";
import { kinds } from "../../targets/registry.ts";
import type { OptionalTool, Payload, Tool } from "../../targets/shared/kind/kind.ts";
import { runtimeActions, runtimeTool, runtimeToolActions } from "../steps/runtime.ts";
import type { Compiler } from "../tools/compiler.ts";
import type { Tools } from "../tools/tools.ts";
import { identifyPackage } from "../tools/wasm-tools.ts";

export interface ToolEntry {
  readonly program: string;
  /** What does not work without it. */
  readonly purpose: string;
  readonly found?: ToolIdentity;
  /** It is an npm package of WebAssembly, not a program of the system. */
  readonly packaged?: true;
  readonly install: string;
  /** Nothing works without it. */
  readonly required: boolean;
}

/** The tools of all kinds, each program once, without the C compiler. */
export function toolInventory(tools: Tools): readonly ToolEntry[] {
  const archiver: ToolEntry = {
    program: "ar",
    purpose: "libarcrt",
    install: "apt-get install binutils",
    required: true,
    ...found(tools.program("ar")),
  };
  const ofKinds = kinds.flatMap((kind) =>
    kind.toolchain({}).payloads.flatMap((payload) => ofPayload(payload, kind.kind, tools)),
  );
  const more = kinds.flatMap((kind) => (kind.moreTools ?? []).map((tool) => optional(tool, tools)));
  return [archiver, ...ofKinds, ...more];
}

function ofPayload({ call, otherwise }: Payload, kind: string, tools: Tools): readonly ToolEntry[] {
  const [first, second] = [call, otherwise].map((one) =>
    one === undefined || "runtime" in one.tool || one.tool.program === "cc" ? undefined : one.tool,
  );
  const purpose = `targets of kind ${kind}`;
  if (first === undefined) return [];
  if (second === undefined) return [entry(first, purpose, tools)];
  return [
    entry(first, `${purpose}, unless ${second.program} is here`, tools),
    entry(second, `${purpose}, unless ${first.program} is here`, tools),
  ];
}

function optional({ tool, purpose, package: name }: OptionalTool, tools: Tools): ToolEntry {
  const { program, install } = tool;
  const native = tools.tool(tool);
  const known = native ?? (name === undefined ? undefined : identifyPackage(name));
  const packaged = native === undefined && known !== undefined ? { packaged: true as const } : {};
  return { program, purpose, install, required: false, ...found(known), ...packaged };
}

function entry(tool: Tool, purpose: string, tools: Tools): ToolEntry {
  return {
    program: tool.program,
    purpose,
    install: tool.install,
    required: false,
    ...found(tools.tool(tool)),
  };
}

const found = (identity: ToolIdentity | undefined): { found?: ToolIdentity } =>
  identity === undefined ? {} : { found: identity };

/** How to get a device for programs of a back end, from the first kind that knows. */
export const deviceRemedy = (backend: string): string | undefined =>
  kinds.map((kind) => kind.device({})).find((need) => need.backend === backend && need.install !== undefined)
    ?.install;

/** The program that lists devices, and the actions that build it. */
export function planDeviceList(compiler: Compiler): {
  readonly actions: readonly Action[];
  readonly program: ActionInput;
} {
  return {
    actions: [...runtimeActions(compiler), ...runtimeToolActions(compiler, "devices")],
    program: runtimeTool("devices"),
  };
}
