/** Packs an image file: the manifest and the payloads of its kernels (targets/runtime/IMAGE.md). */
import type {
  Action,
  ActionInput,
  Address,
  Step,
  StepContext,
  StepResult,
} from "../../../core/build/model/action.ts";
import { type ImageHead, image, type Payload } from "../../../targets/shared/kind/launch.ts";
import { codeDigest } from "../../inputs/code-digest.ts";
import { readIfThere } from "../../inputs/optional-input.ts";
import { optionsOf } from "../../inputs/options.ts";

interface PackageRequest {
  readonly address: Address;
  readonly head: {
    readonly backend: string;
    readonly target: string;
    readonly variant: string;
    readonly options: string;
    readonly fpga?: true;
  };
  /** The manifest of all regions in the image. */
  readonly manifest: string;
  /** More lines of the manifest, made by an action. */
  readonly found?: ActionInput;
  /** A payload with a tag is left out if it could not be made. */
  readonly parts: readonly {
    readonly kind: string;
    readonly input: ActionInput;
    readonly tag?: ActionInput;
  }[];
  readonly image: string;
}

interface Options {
  readonly head: ImageHead;
  readonly manifest: string;
  readonly found?: string;
  readonly parts: readonly { readonly kind: string; readonly name: string; readonly tag?: string }[];
  readonly image: string;
}

const stepOptions = optionsOf<Options>();

export function packageAction({ address, head, manifest, found, parts, image }: PackageRequest): Action {
  return {
    address,
    step: imageStep.name,
    options: stepOptions.write({
      head,
      manifest,
      ...(found && { found: found.name }),
      parts: parts.map(({ kind, input, tag }) => ({
        kind,
        name: input.name,
        ...(tag === undefined ? {} : { tag: tag.name }),
      })),
      image,
    }),
    inputs: [
      ...parts.flatMap(({ input, tag }) => [input, ...(tag === undefined ? [] : [tag])]),
      ...(found ? [found] : []),
    ],
    outputs: [{ name: image, kind: "file" }],
  };
}

export const imageStep: Step = { name: "image", digest: codeDigest("image"), run };

async function run(context: StepContext): Promise<StepResult> {
  const options = stepOptions.read(context.action);
  const payloads: Payload[] = [];
  for (const { kind, name, tag } of options.parts) {
    const bytes = await readIfThere(context, name);
    if (bytes === undefined) continue;
    const words = tag === undefined ? undefined : (await context.readInput(tag)).toString("utf8").trim();
    payloads.push({ kind, bytes, ...(words === undefined ? {} : { tag: words }) });
  }
  const { manifest, found } = options;
  const more = found === undefined ? [] : [(await context.readInput(found)).toString("utf8")];
  await context.writeOutput(
    options.image,
    image(options.head, [manifest, ...more.filter((lines) => lines !== "")], payloads),
  );
  return { ok: true };
}
