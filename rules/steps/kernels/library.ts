/** Objects that a tool links with everything, compiled once. */
import { join } from "node:path";
import type { Action } from "../../../core/build/model/action.ts";
import type { PlannedCall } from "../../inputs/planned.ts";
import { runtimeFiles, runtimeFolder } from "../../tools/runtime-files.ts";
import { kernelStep, libraryAddress } from "./kernel.ts";

/** The actions that make the libraries of calls. */
export function libraryActions(calls: readonly PlannedCall[]): readonly Action[] {
  return calls.flatMap(({ library, tool, missing }): readonly Action[] => {
    if (library === undefined) return [];
    const { folder, argv, outputs } = library;
    const files = ([".cpp", ".v"] as const).flatMap((extension) => runtimeFiles(folder, extension));
    return [
      {
        address: libraryAddress(folder),
        step: kernelStep.name,
        title: `compile what ${argv[0]} adds to every simulator`,
        options: { argv },
        ...(tool === undefined ? {} : { tools: [tool] }),
        inputs: files.map((name) => ({ name, from: { file: join(runtimeFolder, name) } })),
        outputs: outputs.map((name) => ({ name, kind: "file" })),
        ...(missing === undefined ? {} : { skip: missing }),
      },
    ];
  });
}
