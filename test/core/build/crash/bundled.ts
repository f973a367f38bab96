/** Programs of these tests, each one file that Node runs. */
import { join } from "node:path";
import { build } from "esbuild";

/** Bundles files of this folder into another folder: `victim.ts` becomes `victim.mjs`. */
export async function bundled(folder: string, ...names: readonly string[]): Promise<void> {
  await build({
    entryPoints: names.map((name) => join(import.meta.dirname, name)),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
}
