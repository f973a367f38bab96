/** `arc cache`: the store's size; removes what was not used for longest. */
import { pruneStore, storeSize } from "../../core/build/prune.ts";
import { parseSize } from "../../schema/size.ts";
import { type Call, type Status, status } from "../call.ts";
import { UsageError } from "../usage-error.ts";
import { bytes } from "../words.ts";
import { loadIfThere, storeFolder } from "../workspace.ts";

export async function run(call: Call): Promise<Status> {
  const [what = "info"] = call.positionals;
  const project = loadIfThere(call);
  const folder = storeFolder(call, project);
  if (what === "info") {
    const size = storeSize(folder);
    const limit = project?.store.limit;
    if (call.options.json === true)
      call.out(`${JSON.stringify({ folder, ...size, limit: limit ?? null })}\n`);
    else
      call.out(
        `${folder}: ${bytes(size.bytes)} in ${size.blobs} files${limit === undefined ? "" : `, limit ${bytes(limit)}`}\n`,
      );
    return status.done;
  }
  if (what !== "prune")
    throw new UsageError(`arc cache cannot ${what}`, "write arc cache info or arc cache prune");
  const limit = limitOf(call) ?? project?.store.limit;
  if (limit === undefined) {
    throw new UsageError(
      "there is no limit to prune to",
      "write --limit '10 GB', or `store: { limit: 10 GB }` in arc.yaml",
    );
  }
  const removed = pruneStore(folder, limit);
  if (call.options.json === true) call.out(`${JSON.stringify({ folder, removed })}\n`);
  else call.out(`removed ${bytes(removed.bytes)} in ${removed.blobs} files from ${folder}\n`);
  return status.done;
}

function limitOf({ options }: Call): number | undefined {
  if (options.limit === undefined) return undefined;
  const limit = parseSize(String(options.limit));
  if (limit === undefined)
    throw new UsageError(
      `--limit ${String(options.limit)} is no size`,
      "write a size such as '500 MB' or '20 GiB'",
    );
  return limit;
}
