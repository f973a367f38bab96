/** `arc clean`: removes what arc wrote into the project, and nothing else. */
import type { Digest } from "../../core/build/model/action.ts";
import { cleanProject } from "../../core/build/state/clean.ts";
import { hasBlob } from "../../core/build/store/store.ts";
import { outputFolder } from "../../schema/document/places.ts";
import { type Call, type Status, status } from "../call/call.ts";
import { InvalidProject } from "../project/invalid-project.ts";
import { storeFolder } from "../project/store-folder.ts";
import { loadIfThere, requireProject } from "../project/workspace.ts";

export async function run(call: Call): Promise<Status> {
  const { removed, retained } = cleanProject(requireProject(call), () => storeOf(call), outputFolder);
  if (call.options.json === true) {
    call.out(`${JSON.stringify({ removed, kept: retained })}\n`);
    return status.done;
  }
  for (const place of retained) call.err(`kept ${place}: somebody else changed it\n`);
  call.out(
    removed.length === 0 ? "nothing to remove\n" : removed.map((place) => `removed ${place}\n`).join(""),
  );
  return status.done;
}

function storeOf(call: Call): { has(digest: Digest): boolean } {
  const folder = storeFolder(call, loadIfValid(call));
  return { has: (digest) => hasBlob(folder, digest) };
}

/** An invalid project can be cleaned, too. */
function loadIfValid(call: Call): ReturnType<typeof loadIfThere> {
  try {
    return loadIfThere(call);
  } catch (error) {
    if (error instanceof InvalidProject) return undefined;
    throw error;
  }
}
