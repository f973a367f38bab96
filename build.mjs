/**
 * `node build.mjs [--portable] [--without PART]... [FOLDER]` bundles arc into dist/, or the folder: `arc.cjs`, the small file that `arc` starts, `main.js`, the script that it loads where there
 * is something to do, and ES modules that are loaded when they are used. Run by `npm run build`, in plain JavaScript
 * because Node 20 cannot run TypeScript. With --portable nothing is in it that is of this machine, or of its Node. --without leaves out
 * what only makes arc faster, by its name in the table of docs/engine.md, so that it can be measured what it is worth.
 */
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import {
  compileNative,
  compileProgram,
  compileTracer,
  launcherFlags,
  launcherSources,
} from "./core/build/native/compile.mjs";
import { writeCodeCaches } from "./scripts/code-cache.mjs";
import { noteSources, sourcesDigest } from "./scripts/made-of.mjs";
import { bundleProgram } from "./scripts/program.mjs";
import { bundleReportPage } from "./scripts/report-page.mjs";
import { snapshotFlags, writeSnapshots } from "./scripts/startup-snapshot.mjs";

const root = import.meta.dirname;
const { values: asked, positionals } = parseArgs({
  options: {
    portable: { type: "boolean", default: false },
    without: { type: "string", multiple: true, default: [] },
  },
  allowPositionals: true,
});
const isWithout = (part) => asked.without.includes(part);
const dist = path.resolve(root, positionals[0] ?? "dist");
const sources = sourcesDigest(root);
const runtime = path.join(root, "targets/runtime");
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));

/** Digest of each step's code: of its file and all that it imports, as it would be bundled. */
async function codeDigests() {
  const folder = path.join(root, "rules/steps");
  const steps = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith(".ts"));
  const { outputFiles } = await build({
    ...shared,
    entryPoints: steps.map((file) => path.join(folder, file)),
    splitting: false,
    write: false,
    // The digests are not known yet, and positions in files do not matter.
    define: { ...shared.define, ARC_CODE_DIGESTS: "{}" },
    outdir: "/",
  });
  return Object.fromEntries(
    outputFiles.map((file) => [
      path.basename(file.path, ".js"),
      createHash("sha256").update(file.contents).digest("hex"),
    ]),
  );
}

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  splitting: true,
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  loader: { ".v": "text" },
  // Found beside arc when they are called: they read their WebAssembly from their own folders.
  external: ["@yowasp/*"],
  logLevel: "warning",
  define: { ARC_VERSION: JSON.stringify(version), "process.env.NODE_ENV": '"production"' },
  // Some bundled packages are CommonJS and ask for Node's own modules with require.
  banner: {
    js: 'import { createRequire as arcRequire } from "node:module"; const require = arcRequire(import.meta.url);',
  },
  // Ink's optional connection to a debugger that arc does not have.
  plugins: [
    {
      name: "no-devtools",
      setup({ onResolve, onLoad }) {
        onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: "empty" }));
        onLoad({ filter: /./, namespace: "empty" }, () => ({ contents: "export default {};" }));
      },
    },
  ],
};

/** Digest of all of arc: its code and the runtime's sources. */
function buildDigest(files) {
  const hash = createHash("sha256");
  for (const [name, contents] of files) hash.update(name).update(contents);
  for (const file of readdirSync(runtime, { recursive: true, withFileTypes: true })) {
    if (file.isFile()) hash.update(file.name).update(readFileSync(path.join(file.parentPath, file.name)));
  }
  return hash.digest("hex");
}

/** The schema that editors read, from the very code that validates, the validator compiled from it, and the manual page. */
async function schemaOfBuild() {
  const stdin = {
    contents:
      'export * from "./rules/published-schema.ts"; export { manPage } from "./cli/call/man-page.ts";',
    resolveDir: root,
  };
  const entry = { ...shared, stdin, splitting: false };
  const folder = mkdtempSync(path.join(tmpdir(), "arc-build-"));
  try {
    const file = path.join(folder, "published-schema.mjs");
    await build({ ...entry, outfile: file });
    const { kindNames, manPage, publishedSchema, schemaValidatorCode } = await import(file);
    return {
      published: publishedSchema(),
      validator: schemaValidatorCode(),
      kindNames,
      manual: manPage(version),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const schema = await schemaOfBuild();

/** In place of schema/validator.ts, which would compile the same at every start. */
const compiledValidator = {
  name: "compiled-validator",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^compiled-validator$/ }, ({ path }) => ({ path, namespace: "validator" }));
    onLoad({ filter: /./, namespace: "validator" }, () => ({ contents: schema.validator, resolveDir: root }));
    onLoad({ filter: /\/schema\/validator\.ts$/ }, () => ({
      contents: 'import validate from "compiled-validator"; export const compileValidator = () => validate;',
      resolveDir: root,
    }));
  },
};

/** In place of cli/call/kind-names.ts where kinds themselves are not loaded: help is printed without them. */
const kindNames = {
  name: "kind-names",
  setup({ onLoad }) {
    onLoad({ filter: /\/cli\/call\/kind-names\.ts$/ }, () => ({
      contents: `export const kindNames = ${JSON.stringify(schema.kindNames)};`,
    }));
  },
};

/** Modules that only make arc faster, and what serves in their place. */
const plainModules = {
  heap: ["cli/start/heap.ts", "export const keepHeapSmall = () => {}, giveRoomToRun = () => {};"],
  optimising: ["cli/start/optimising.ts", "export const optimiseLittle = () => {};"],
  "watch-warm-up": ["rules/warm-up.ts", "export async function* warmUp() {}"],
};
const withoutModules = {
  name: "without-modules",
  setup({ onLoad }) {
    for (const [file, contents] of asked.without.flatMap((part) => [plainModules[part] ?? []]))
      if (file !== undefined) onLoad({ filter: new RegExp(`/${file}$`) }, () => ({ contents }));
  },
};

/** Stands for the digest until it is known. */
const UNKNOWN = "digest of arc";
const program = {
  ...shared,
  plugins: [...shared.plugins, compiledValidator, kindNames, withoutModules],
  define: {
    ...shared.define,
    ARC_CODE_DIGESTS: JSON.stringify(await codeDigests()),
    ARC_BUILD: JSON.stringify(UNKNOWN),
  },
};
/** What `arc build` needs beside the main script, and what `arc cc`, `arc check` and translations need beside both. */
const laterScripts = [
  { name: "second.js", entries: ["cli/commands/build.ts"] },
  {
    name: "third.js",
    entries: [
      "cli/commands/cc.ts",
      "cli/commands/check.ts",
      "core/lint/lint.ts",
      "core/compiler/driver/translate.ts",
      "core/compiler/driver/front-end.ts",
      "core/compiler/driver/kept-emissions.ts",
      ...["host", "opencl", "cuda", "hip"].map((kind) => `targets/${kind}/emit.ts`),
    ],
  },
];
// A name of this build's own: an arc that was started before finds none of its modules rather than those of another.
const files = await bundleProgram(root, "cli/main.ts", laterScripts, program, `modules-${UNKNOWN}`);
const digest = buildDigest(files);

rmSync(dist, { recursive: true, force: true });
for (const [name, contents] of files) {
  const file = path.join(dist, name.replace(UNKNOWN, digest));
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, contents.replaceAll(UNKNOWN, digest));
}
const quick = {
  ...shared,
  plugins: [...shared.plugins, kindNames],
  define: { ...shared.define, ARC_BUILD: JSON.stringify(digest) },
};
await build({
  ...quick,
  entryPoints: { arc: path.join(root, "cli/start/launcher.ts") },
  outdir: dist,
  outExtension: { ".js": ".cjs" },
  format: "cjs",
  splitting: false,
  banner: {},
  external: ["./native.node"],
});
writeFileSync(path.join(dist, "arc.schema.json"), schema.published);
writeFileSync(path.join(dist, "arc.1"), schema.manual);
const noPage = await bundleReportPage(root, dist);
if (noPage !== undefined) console.log(`without the page of arc report --html: ${noPage}`);
cpSync(runtime, path.join(dist, "targets/runtime"), { recursive: true });
if (asked.portable) writeFileSync(path.join(dist, "build.json"), JSON.stringify({ digest }));
else await addFastParts();
if (dist === path.join(root, "dist") && !asked.portable && asked.without.length === 0)
  noteSources(root, sources);

/** What makes arc faster on this machine; it works without. */
async function addFastParts() {
  const noNative =
    compileNative(path.join(dist, "native.node")) ??
    compileProgram(
      path.join(dist, "launcher"),
      launcherSources(path.join(root, "cli/native")),
      launcherFlags(digest, snapshotFlags(asked.without)),
    );
  const noTracer = compileTracer(path.join(dist, "tracer"));
  if (noTracer !== undefined) console.log(`without \`--trace-inputs\`: ${noTracer.trim()}`);
  if (noNative !== undefined)
    console.log(`without native parts, which only make arc faster: ${noNative.trim()}`);
  const noCode = isWithout("code-cache") ? undefined : await writeCodeCaches(dist, quick);
  if (noCode !== undefined)
    console.log(`without V8's compiled code, which only makes arc start faster: ${noCode.trim()}`);
  if (isWithout("snapshot")) return;
  const noSnapshot = await writeSnapshots(dist, quick, asked.without);
  if (noSnapshot !== undefined)
    console.log(`without a snapshot, which only makes arc start faster: ${noSnapshot.trim()}`);
}
