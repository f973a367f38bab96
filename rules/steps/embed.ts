/** Makes an object file of images, which registers them with libarcrt before `main`. */
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type {
  Action,
  ActionInput,
  Address,
  Step,
  StepContext,
  StepResult,
} from "../../core/build/model/action.ts";
import { codeDigest } from "../inputs/code-digest.ts";
import { optionsOf } from "../inputs/options.ts";
import type { Compiler } from "../tools/compiler.ts";
import { toolResult } from "../tools/tool-result.ts";

interface EmbedRequest {
  readonly address: Address;
  readonly compiler: Compiler;
  /** Folders of images, each for the default variant of a target. */
  readonly images: readonly { readonly target: string; readonly folder: ActionInput }[];
}

export const embeddedImages = "images.o";

export function embedAction({ address, compiler, images }: EmbedRequest): Action {
  return {
    address,
    step: embedStep.name,
    title: "embed the images",
    options: stepOptions.write({
      argv: compiler.argv,
      targets: images.map(({ target, folder }) => [target, folder.name]),
    }),
    tools: [compiler.identity],
    inputs: images.map(({ folder }) => folder),
    outputs: [{ name: embeddedImages, kind: "file" }],
  };
}

export const embedStep: Step = { name: "embed", digest: codeDigest("embed"), run, opensWhatItResolves: true };

interface Options {
  readonly argv: readonly string[];
  readonly targets: readonly (readonly [target: string, folder: string])[];
}

const stepOptions = optionsOf<Options>();

async function run(context: StepContext): Promise<StepResult> {
  const { writeFile } = await import("node:fs/promises");
  const { argv, targets } = stepOptions.read(context.action);
  const images = targets.flatMap(([target, folder]) =>
    readdirSync(context.input(folder))
      .sort()
      .map((file) => ({ target, file: `${folder}/${file}` })),
  );
  await writeFile(join(dirname(context.output(embeddedImages)), "images.c"), registration(images));
  const { code, stderr } = await context.spawn({
    argv: [...argv, "-O1", "-fPIC", "-w", "-c", "-x", "c", "images.c", "-o", embeddedImages],
  });
  const messages = stderr.toString("utf8");
  return toolResult(context, {
    code: "c-compiler",
    name: "the C compiler",
    exitCode: code,
    messages,
    fact: true,
  });
}

function registration(images: readonly { readonly target: string; readonly file: string }[]): string {
  const bytes = images.map(
    (
      { file },
      i,
    ) => `__asm__(".section .rodata\\n.balign 16\\narc_image_${i}:\\n.incbin \\"${file}\\"\\narc_image_${i}_end:\\n.previous");
extern const char arc_image_${i}[] __attribute__((visibility("hidden")));
extern const char arc_image_${i}_end[] __attribute__((visibility("hidden")));
`,
  );
  const calls = images.map(
    ({ target }, i) =>
      `  arc_register_image("${target}", "default", arc_image_${i}, (unsigned long)(arc_image_${i}_end - arc_image_${i}));\n`,
  );
  return `void arc_register_image(const char *, const char *, const void *, unsigned long);
${bytes.join("")}__attribute__((constructor)) static void register_images(void) {
${calls.join("")}}
`;
}
