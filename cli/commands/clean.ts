/** `arc clean`: removes what arc wrote into the project, and nothing else. */
import { cleanProject } from "../../core/build/clean.ts";
import { type Call, type Status, status } from "../call.ts";
import { requireProject } from "../workspace.ts";

export async function run(call: Call): Promise<Status> {
  const { removed, kept } = cleanProject(requireProject(call));
  if (call.options.json === true) {
    call.out(`${JSON.stringify({ removed, kept })}\n`);
    return status.done;
  }
  for (const place of kept) call.err(`kept ${place}: somebody else changed it\n`);
  call.out(
    removed.length === 0 ? "nothing to remove\n" : removed.map((place) => `removed ${place}\n`).join(""),
  );
  return status.done;
}
