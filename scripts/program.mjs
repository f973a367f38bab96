/**
 * Bundles arc as scripts and modules. The main script has all that a build after a small change needs, the second all
 * that reads arc.yaml and makes a graph of it, the third all that `arc cc` needs and all that translates; each is one
 * file, so that V8's compiled form of it can be kept beside it: loading many small modules took longer than many a build.
 * All else are ES modules, loaded when they are used; what they need of the scripts they take from there, so that there
 * is one of everything.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

/** Where scripts leave their modules for the others, and what puts a later script's there. */
const SHARED = 'globalThis[Symbol.for("arc.modules")]';
const loading = (script) => `globalThis[Symbol.for("arc.load")](${JSON.stringify(script)})`;

/**
 * Bundles `entry`, the module that exports `main` and `mainOnChange`, and `later`, the scripts after the first: their
 * names, and the modules that are imported from them when they are used, in the order in which they build on each other.
 * Returns files' paths below dist, with their contents. `options` are esbuild's for ES modules, `modules` is the folder
 * for what is loaded when it is needed.
 */
export async function bundleProgram(root, entry, later, options, modules) {
  const scriptOptions = {
    ...options,
    format: "cjs",
    splitting: false,
    banner: {},
    write: false,
    outdir: "/",
    define: { ...options.define, "import.meta.url": "__filename", "import.meta.dirname": "__dirname" },
  };
  const asScript = (stdin, earlier, scripted) => ({
    ...scriptOptions,
    stdin: { resolveDir: root, ...stdin },
    plugins: [
      lazyModules(root, modules, scripted),
      ...earlier.map(({ exported, used, from }) => sharedModules(root, exported, used, from)),
      ...options.plugins,
    ],
  });
  const scripts = [];
  const lazy = new Set();
  for (const { name, entries } of [{ name: "main.js", entries: [entry] }, ...later]) {
    const contents = entries.map((file, at) => `export * as e${at} from "./${file}";`).join("\n");
    const closure = await closureOf(
      root,
      modules,
      asScript({ contents, sourcefile: name }, scripts, new Map()),
    );
    const files = closure.files.filter((file) => !scripts.some(({ exported }) => exported.has(file)));
    scripts.push({
      name,
      entries,
      exported: await exportsOf(root, files, options),
      used: new Set(scripts.length === 0 ? [] : entries),
      from: scripts.length === 0 ? SHARED : loading(name),
    });
    for (const file of closure.lazy) lazy.add(file);
  }
  // In which script a module is that is imported when it is used, but for the main one, which is always there.
  const scripted = new Map(
    scripts.slice(1).flatMap(({ name, exported }) => [...exported.keys()].map((file) => [file, name])),
  );
  const bundled = await build({
    ...options,
    write: false,
    outdir: `/${modules}`,
    outbase: root,
    entryPoints: [...lazy].filter((file) => !scripted.has(file)).map((file) => path.join(root, file)),
    chunkNames: "[name]-[hash]",
    plugins: [
      ...scripts.map(({ exported, used, from }) => sharedModules(root, exported, used, from)),
      ...options.plugins,
    ],
  });
  // What is imported when it is needed, and is in a script, is asked for by its name there.
  for (const { exported, used } of scripts.slice(1))
    for (const file of lazy) if (exported.has(file)) used.add(file);
  const made = [];
  for (const [at, { name, used }] of [...scripts.entries()].reverse()) {
    const own = at === 0 ? `export { main, mainOnChange } from "./${entry}";\n` : "";
    const stdin = { contents: own + leaving(used), sourcefile: name };
    const script = await build(asScript(stdin, scripts.slice(0, at), scripted));
    made.push([at === 0 ? name : `${modules}/${name}`, asFunction(script)]);
  }
  return new Map([...made.reverse(), ...bundled.outputFiles.map((file) => [file.path.slice(1), file.text])]);
}

/** The modules that a script consists of, and those that they import when they are used; relative to `root`. */
async function closureOf(root, modules, options) {
  const { metafile } = await build({ ...options, metafile: true });
  const [{ inputs, imports }] = Object.values(metafile.outputs);
  const start = startOf(modules);
  return {
    files: Object.keys(inputs).filter((file) => file.endsWith(".ts")),
    lazy: imports
      .filter(({ path: file }) => file.startsWith(start))
      .map(({ path: file }) => path.relative(root, sourceOf(root, file.slice(start.length)))),
  };
}

/**
 * With the parameters of what Node wraps its own modules in, and one to import with: a script that was taken from V8's
 * compiled form forgot where it came from (Node 20 to 22), and its own imports fail.
 */
function asFunction({ outputFiles: [{ text }] }) {
  const body = text.replaceAll('import("', 'arcImport("');
  // In the text of a thread's own script it stays.
  const left = body.match(/(?<![\w$.])import\((?!workerData\))[^)]*/);
  if (left !== null)
    throw new Error(
      `a script cannot ${left[0]}), only what it names: put that into a module that is imported`,
    );
  return `(function (exports, require, module, __filename, __dirname, arcImport) {${body}})`;
}

/** Modules that are imported when they are used get files of their own, but for those of a later script. */
function lazyModules(root, modules, scripted) {
  return {
    name: "lazy-modules",
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ kind, path: file, resolveDir }) => {
        if (kind !== "dynamic-import") return undefined;
        const source = path.relative(root, path.join(resolveDir, file));
        const name = scripted.has(source)
          ? `${startOf(modules)}${scripted.get(source)}#${source}`
          : `${startOf(modules)}${source.replace(/\.tsx?$/, "")}.js`;
        return { path: name, external: true };
      });
    },
  };
}

const startOf = (modules) => `./${modules}/`;

function sourceOf(root, lazy) {
  const file = path.join(root, lazy.replace(/js$/, "ts"));
  return existsSync(file) ? file : `${file}x`;
}

/** Takes modules of a script from `where` it left them; `used` collects which. */
function sharedModules(root, exportsByFile, used, where) {
  return {
    name: "shared-modules",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
        const name = path.relative(root, file);
        const exported = exportsByFile.get(name);
        if (exported === undefined) return undefined;
        used.add(name);
        const lines = exported.map((binding) => `export const ${binding} = shared.${binding};`);
        return { contents: [`const shared = ${where}[${JSON.stringify(name)}];`, ...lines].join("\n") };
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

/** Leaves modules for others. */
function leaving(files) {
  const sorted = [...files].sort();
  return [
    ...sorted.map((file, at) => `import * as shared${at} from "./${file}";`),
    `Object.assign((${SHARED} ??= {}), { ${sorted.map((file, at) => `${JSON.stringify(file)}: shared${at}`).join(", ")} });`,
  ].join("\n");
}
