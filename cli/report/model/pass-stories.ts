/** What the passes did in the variants that a page shows, computed from the sources of the last build. */
import type { TranslatedKernel } from "../../../core/compiler/driver/kernel-texts.ts";
import { allKernels, kernelsAddress } from "../../../rules/steps/kernels/kernels.ts";
import { passStoriesOf } from "../../../rules/steps/pass-stories.ts";
import { functionOf, kernelNames } from "../../hardware/names.ts";
import { inputText, resultOf } from "../../project/results.ts";
import type { Workspace } from "../../project/workspace.ts";
import type { PassesOfKernel } from "./page-data.ts";
import type { VariantReport } from "./report.ts";

/** Maximum number of variants: the passes run again for each, which takes about a tenth of a second. */
const MOST = 32;

export async function passStories(
  { engine, plan, project }: Workspace,
  variants: readonly VariantReport[],
  numberOf: (text: string) => number,
): Promise<readonly PassesOfKernel[]> {
  const passes: PassesOfKernel[] = [];
  const designs = variants.filter(({ sameDesign }) => sameDesign === undefined).slice(0, MOST);
  for (const { address } of designs) {
    const { actions = [] } = plan.variants.find((one) => one.address === address) ?? {};
    const kernels = resultOf<TranslatedKernel[]>(engine, kernelsAddress(address), allKernels) ?? [];
    const names = kernelNames(kernels, project.kernels);
    for (const action of actions) {
      const stories = await passStoriesOf(action, inputText(engine));
      for (const { region, remarks, changes } of stories) {
        const site = kernels.find((kernel) => kernel.region === region)?.site;
        const location = site === undefined ? "" : ` (${site.file}:${site.line})`;
        passes.push({
          variant: address,
          kernel: `${names.get(region) ?? functionOf(region)}${location}`,
          remarks,
          changes: changes.map(({ pass, before, after }) => ({
            pass,
            before: numberOf(before),
            after: numberOf(after),
          })),
        });
      }
    }
  }
  return passes;
}
