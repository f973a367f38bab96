/** Images of authored kernels: one for each file, with its text and what compilers make of it. */

import { digestBytes } from "../../../core/build/key/digest.ts";
import type { Action, ActionInput, Address, ToolIdentity } from "../../../core/build/model/action.ts";
import type { AuthoredKernels } from "../../../core/compiler/driver/authored-kernels.ts";
import type { TargetOptions } from "../../../targets/shared/kind/kind.ts";
import type { ImageHead } from "../../../targets/shared/kind/launch.ts";
import { addressOf } from "../../inputs/addresses.ts";
import type { PlannedCall, PlannedPayload } from "../../inputs/planned.ts";
import { authoredAction, authoredCall, code, compiledText, symbolLines } from "./authored.ts";
import { packageAction } from "./image.ts";
import { kernelAction } from "./kernel.ts";

/** By kind of device; not needed for programs without such kernels. */
export type AuthoredTools = Readonly<Partial<Record<string, ToolIdentity>>>;

interface AuthoredImages {
  readonly variant: Address;
  readonly head: Pick<ImageHead, "target" | "variant">;
  /** The program's target. */
  readonly device: { readonly kind: string; readonly options: TargetOptions };
  readonly payloads: readonly PlannedPayload[];
  readonly driverOptions: string;
  readonly kernels: readonly AuthoredKernels[];
  readonly tools: AuthoredTools;
}

export function authoredActions(request: AuthoredImages): {
  readonly actions: readonly Action[];
  readonly images: readonly ActionInput[];
} {
  const planned = request.kernels.map((kernels) => imageOf(kernels, request));
  return { actions: planned.flatMap((m) => m.actions), images: planned.map((m) => m.image) };
}

function imageOf(
  kernels: AuthoredKernels,
  request: AuthoredImages,
): { readonly actions: readonly Action[]; readonly image: ActionInput } {
  const { variant, head, device, payloads } = request;
  const { image, text } = kernels;
  const isTargets = device.kind === kernels.device;
  const options = isTargets ? device.options : {};
  const { extension, payload } = authoredCall(kernels.device, options);
  const address = addressOfImage(variant, image);
  const compile = authoredAction({
    address: addressOf(address, kernels.device),
    kernels,
    options,
    tool: request.tools[kernels.device],
  });
  const output = (name: string): ActionInput => ({ name, from: { action: compile.address, output: name } });
  // If the target's own driver compiles kernels, it compiles these, too.
  const driver = isTargets ? payloads.find(({ call }) => call?.own !== undefined) : undefined;
  const binary = driver?.call && binaryOf(kernels, driver.call, request, output(symbolLines));
  const name = `${image.replaceAll(/\W/g, "_")}-${digestBytes(`${kernels.device} ${image}`).slice(0, 8)}.arci`;
  const packaged = packageAction({
    address: addressOf(address, "image"),
    head: { ...head, backend: kernels.device, options: "" },
    manifest: `kernels ${image}\n`,
    found: output(symbolLines),
    parts: [
      ...(payload === undefined ? [] : [{ kind: payload, input: output(code) }]),
      ...(binary && driver?.call?.own
        ? [
            {
              kind: driver.kind,
              input: outputOf(binary, driver.call.output),
              tag: outputOf(binary, driver.call.own.tag),
            },
          ]
        : []),
      { kind: "source", input: { name: `source.${extension}`, from: { text } } },
    ],
    image: name,
  });
  return {
    actions: [compile, ...(binary ? [binary] : []), packaged],
    image: { name, from: { action: packaged.address, output: name } },
  };
}

const addressOfImage = (variant: Address, image: string): Address =>
  `${variant}/${image.replaceAll(" ", "/")}`;

/** Compiles by the target's driver. `checked`: the result of the check, so that compile errors are reported once. */
function binaryOf(
  kernels: AuthoredKernels,
  call: PlannedCall,
  { variant, driverOptions }: AuthoredImages,
  checked: ActionInput,
): Action {
  const { extension } = authoredCall(kernels.device, {});
  const kernel = {
    region: kernels.kernels.join(", "),
    text: compiledText(kernels).text,
    mappings: [],
    entries: kernels.kernels,
    manifest: "",
    site: { ...kernels.site, what: "task" },
  };
  // The text is not arc's, so lines must not be mapped.
  const { site: _, ...action } = kernelAction({
    address: addressOf(addressOfImage(variant, kernels.image), "binary"),
    variant,
    sources: [{ name: `kernel.${extension}`, kernel }],
    // Those options are only for arc's own text.
    call: { ...call, argv: call.argv.map((word) => (word === driverOptions ? "" : word)) },
    stages: [checked],
  });
  return action;
}

const outputOf = ({ address }: Action, output: string): ActionInput => ({
  name: output,
  from: { action: address, output },
});
