/**
 * Bundles arc as two parts. The main script has all that a build of the project's own actions needs, in one file, so
 * that V8's compiled form of it can be kept beside it: loading many small modules took longer than many a build. All
 * else are ES modules, loaded when they are used; what they need of the main script they take from there, so that
 * there is one of everything.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

/** Where the main script leaves its modules for the others. */
const SHARED = 'globalThis[Symbol.for("arc.modules")]';

/**
 * Bundles `entry`, the module that exports `main` and `mainOnChange`. Returns files' paths below dist, with their
 * contents. `options` are esbuild's for ES modules, `modules` is the folder for those that are imported when needed.
 */
export async function bundleProgram(root, entry, options, modules) {
  const asScript = {
    ...options,
    format: "cjs",
    splitting: false,
    banner: {},
    write: false,
    outdir: "/",
    define: { ...options.define, "import.meta.url": "__filename", "import.meta.dirname": "__dirname" },
    plugins: [lazyModules(root, modules), ...options.plugins],
  };
  const closure = await build({ ...asScript, entryPoints: [path.join(root, entry)], metafile: true });
  const [{ inputs, imports }] = Object.values(closure.metafile.outputs);
  const own = Object.keys(inputs).filter((file) => file.endsWith(".ts"));
  const start = startOf(modules);
  const lazy = imports
    .filter(({ path: file }) => file.startsWith(start))
    .map(({ path: file }) => sourceOf(root, file.slice(start.length)));
  const exported = await exportsOf(root, own, options);
  const shared = new Set();
  const bundled = await build({
    ...options,
    write: false,
    outdir: `/${modules}`,
    outbase: root,
    entryPoints: lazy,
    chunkNames: "[name]-[hash]",
    plugins: [sharedModules(root, exported, shared), ...options.plugins],
  });
  const script = await build({
    ...asScript,
    stdin: { contents: mainScript(entry, [...shared].sort()), resolveDir: root, sourcefile: "main.js" },
  });
  const [{ text }] = script.outputFiles;
  return new Map([
    ["main.js", asFunction(text)],
    ...bundled.outputFiles.map((file) => [file.path.slice(1), file.text]),
  ]);
}

/**
 * With the parameters of what Node wraps its own modules in, and one to import with: a script that was taken from V8's
 * compiled form forgot where it came from (Node 20 to 22), and its own imports fail.
 */
function asFunction(text) {
  return `(function (exports, require, module, __filename, __dirname, arcImport) {${text.replaceAll('import("', 'arcImport("')}})`;
}

/** Modules that are imported when they are used get files of their own, beside the main script. */
function lazyModules(root, modules) {
  return {
    name: "lazy-modules",
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ kind, path: file, resolveDir }) => {
        if (kind !== "dynamic-import") return undefined;
        const source = path.relative(root, path.join(resolveDir, file));
        return { path: `${startOf(modules)}${source.replace(/\.tsx?$/, "")}.js`, external: true };
      });
    },
  };
}

const startOf = (modules) => `./${modules}/`;

function sourceOf(root, lazy) {
  const file = path.join(root, lazy.replace(/js$/, "ts"));
  return existsSync(file) ? file : `${file}x`;
}

/** Takes modules of the main script from there; `used` collects which. */
function sharedModules(root, exportsByFile, used) {
  return {
    name: "shared-modules",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
        const name = path.relative(root, file);
        const exported = exportsByFile.get(name);
        if (exported === undefined) return undefined;
        used.add(name);
        const lines = exported.map((binding) => `export const ${binding} = shared.${binding};`);
        return { contents: [`const shared = ${SHARED}[${JSON.stringify(name)}];`, ...lines].join("\n") };
      });
    },
  };
}

async function exportsOf(root, files, options) {
  const { metafile } = await build({
    ...options,
    write: false,
    metafile: true,
    outdir: "/",
    entryPoints: files.map((file) => path.join(root, file)),
  });
  const outputs = Object.values(metafile.outputs).filter(({ entryPoint }) => files.includes(entryPoint));
  return new Map(outputs.map(({ entryPoint, exports }) => [entryPoint, exports]));
}

function mainScript(entry, shared) {
  return [
    `export { main, mainOnChange } from "./${entry}";`,
    ...shared.map((file, at) => `import * as shared${at} from "./${file}";`),
    `${SHARED} = { ${shared.map((file, at) => `${JSON.stringify(file)}: shared${at}`).join(", ")} };`,
  ].join("\n");
}
