/** `arc cache`: shows what the store holds, keeps it small and sound, and serves it to others. */

import {
  defaultStoreLimit,
  type PruneLimits,
  pruneStore,
  storeStats,
  verifyStore,
} from "../../core/build/store/housekeeping.ts";
import { parseDuration } from "../../schema/document/duration.ts";
import { nearest } from "../../schema/document/nearest.ts";
import { parseSize } from "../../schema/document/size.ts";
import { type Call, type Status, status } from "../call/call.ts";
import { UsageError } from "../call/usage-error.ts";
import { wrapLine } from "../call/wrap.ts";
import { storeFolder } from "../project/store-folder.ts";
import { loadIfThere } from "../project/workspace.ts";
import { bytes, plural, seconds } from "../show/words.ts";
import { serve } from "./cache-serve.ts";
import type { StoreCall } from "./store-call.ts";

/** The subcommands, each with the options that it accepts beside the general ones. */
const works: Readonly<
  Record<string, { readonly options: readonly string[]; run(store: StoreCall): Status | Promise<Status> }>
> = {
  stats: { options: [], run: stats },
  prune: { options: ["limit", "unused"], run: prune },
  verify: { options: [], run: verify },
  serve: { options: ["host", "port", "read-only", "public-read", "token-from"], run: serve },
};

export async function run(call: Call): Promise<Status> {
  const [name = "stats"] = call.positionals;
  const work = works[name];
  if (work === undefined) {
    const near = nearest(name, Object.keys(works));
    const remedy =
      near === undefined ? `there are ${Object.keys(works).join(", ")}` : `did you mean ${near}?`;
    throw new UsageError(`arc cache cannot ${name}`, remedy);
  }
  const special = Object.values(works).flatMap(({ options }) => options);
  const wrong = special.find((option) => option in call.options && !work.options.includes(option));
  if (wrong !== undefined) {
    throw new UsageError(`arc cache ${name} has no option --${wrong}`, "`arc cache --help` tells which have");
  }
  const project = loadIfThere(call);
  const limit = project?.store.limit ?? defaultStoreLimit;
  return work.run({ ...call, folder: storeFolder(call, project), limit });
}

function stats(call: StoreCall): Status {
  const { folder, limit, options, out } = call;
  const now = storeStats(folder);
  if (options.json === true) out(`${JSON.stringify({ folder, limit, ...now })}\n`);
  else {
    const ago = (time: number): string => `${seconds(Math.max(0, Date.now() - time) / 1000)} ago`;
    out(`${folder}: ${bytes(now.bytes)} in ${plural(now.blobs, "file")}, limit ${bytes(limit)}\n`);
    out(`  ${plural(now.results, "result")}, ${now.failures} of them failures\n`);
    if (now.oldest !== undefined && now.newest !== undefined)
      out(
        `${wrapLine(`  last used ${ago(now.newest)}, what is unused for longest ${ago(now.oldest)}`, call.outColumns(), 2)}\n`,
      );
  }
  return status.done;
}

function prune(call: StoreCall): Status {
  const { folder, options, out } = call;
  const pruned = pruneStore(folder, limitsOf(call));
  if (options.json === true) {
    out(`${JSON.stringify({ folder, ...pruned })}\n`);
    return status.done;
  }
  out(
    pruned.blobs === 0
      ? `nothing to remove: ${bytes(pruned.leftBytes)} are left in ${folder}\n`
      : `removed ${bytes(pruned.bytes)} in ${plural(pruned.blobs, "file")} from ${folder}, ${bytes(pruned.leftBytes)} are left\n`,
  );
  if (pruned.pinnedBytes > 0) out(`kept ${bytes(pruned.pinnedBytes)} that a running build may use\n`);
  return status.done;
}

/** If only an age is given, the size is not limited. */
function limitsOf({ options, limit }: StoreCall): PruneLimits {
  const { limit: size, unused } = options;
  const maxBytes = size === undefined ? (unused === undefined ? limit : undefined) : parseSize(String(size));
  if (size !== undefined && maxBytes === undefined)
    throw new UsageError(`--limit ${size} is no size`, "write a size such as '500 MB' or '20 GiB'");
  // `--limit 5` would empty the store where 5 GB are meant.
  if (/^\d+$/.test(String(size)) && Number(size) > 0)
    throw new UsageError(`--limit ${size} has no unit`, `write '${size} GB', or '${size} B' for bytes`);
  const age = unused === undefined ? undefined : parseDuration(String(unused));
  if (unused !== undefined && age === undefined)
    throw new UsageError(`--unused ${unused} is no length of time`, "write one such as '30 d' or '12 h'");
  return {
    ...(maxBytes === undefined ? {} : { maxBytes }),
    ...(age === undefined ? {} : { maxAgeMs: age * 1000 }),
  };
}

/** Damage is repaired but still counts as a failure: the disk, or whoever wrote there, needs attention. */
function verify({ folder, options, out }: StoreCall): Status {
  const verified = verifyStore(folder);
  const { blobs, damaged, results } = verified;
  if (options.json === true) out(`${JSON.stringify({ folder, ...verified })}\n`);
  else {
    out(
      `${folder}: ${plural(blobs, "file")} read, ${damaged.length === 0 ? "all sound" : `${damaged.length} damaged`}\n`,
    );
    for (const digest of damaged) out(`  removed ${digest}\n`);
    if (results > 0)
      out(`  ${plural(results, "result")} forgotten: their files are missing or were damaged\n`);
  }
  return damaged.length === 0 ? status.done : status.failed;
}
