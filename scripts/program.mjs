/**
 * Bundles arc as three parts. The main script has all that a build after a small change needs, the second all that reads
 * arc.yaml and makes a graph of it, each in one file, so that V8's compiled form of it can be kept beside it: loading
 * many small modules took longer than many a build. All else are ES modules, loaded when they are used; what they need
 * of the scripts they take from there, so that there is one of everything.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

/** Where scripts leave their modules for the others, and what puts the second script's there. */
const SHARED = 'globalThis[Symbol.for("arc.modules")]';
const LOAD = 'globalThis[Symbol.for("arc.load")]';

/**
 * Bundles `entry`, the module that exports `main` and `mainOnChange`, and `second`, what it imports when the first script
 * is not enough. Returns files' paths below dist, with their contents. `options` are esbuild's for ES modules, `modules`
 * is the folder for what is loaded when it is needed.
 */
export async function bundleProgram(root, entry, second, options, modules) {
  const scriptOptions = {
    ...options,
    format: "cjs",
    splitting: false,
    banner: {},
    write: false,
    outdir: "/",
    define: { ...options.define, "import.meta.url": "__filename", "import.meta.dirname": "__dirname" },
  };
  const asScript = (from, { scripted = new Set(), given = new Map(), used = new Set() }) => ({
    ...scriptOptions,
    ...from,
    plugins: [
      lazyModules(root, modules, scripted),
      sharedModules(root, given, used, SHARED),
      ...options.plugins,
    ],
  });
  const entryOf = (file) => ({ entryPoints: [path.join(root, file)] });
  const first = await closureOf(root, modules, asScript(entryOf(entry), {}));
  const ofFirst = await exportsOf(root, first.files, options);
  const more = await closureOf(root, modules, asScript(entryOf(second), { given: ofFirst }));
  const others = more.files.filter((file) => !ofFirst.has(file));
  const ofSecond = await exportsOf(root, others, options);
  const scripted = new Set(others);
  const [firstUsed, secondUsed] = [new Set(), new Set([second])];
  const lazy = [...new Set([...first.lazy, ...more.lazy])].filter((file) => !scripted.has(file));
  const bundled = await build({
    ...options,
    write: false,
    outdir: `/${modules}`,
    outbase: root,
    entryPoints: lazy.map((file) => path.join(root, file)),
    chunkNames: "[name]-[hash]",
    plugins: [
      sharedModules(root, ofFirst, firstUsed, SHARED),
      sharedModules(root, ofSecond, secondUsed, `${LOAD}()`),
      ...options.plugins,
    ],
  });
  // What is imported when it is needed, and is in the second script, is asked for by its name there.
  for (const file of [...first.lazy, ...more.lazy]) if (scripted.has(file)) secondUsed.add(file);
  const stdin = (contents, sourcefile) => ({ stdin: { contents, resolveDir: root, sourcefile } });
  const secondScript = await build(
    asScript(stdin(leaving(secondUsed), "second.js"), { scripted, given: ofFirst, used: firstUsed }),
  );
  const firstScript = await build(
    asScript(stdin(`export { main, mainOnChange } from "./${entry}";\n${leaving(firstUsed)}`, "main.js"), {
      scripted,
    }),
  );
  return new Map([
    ["main.js", asFunction(firstScript)],
    [`${modules}/second.js`, asFunction(secondScript)],
    ...bundled.outputFiles.map((file) => [file.path.slice(1), file.text]),
  ]);
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

/** Modules that are imported when they are used get files of their own, but for those of the second script. */
function lazyModules(root, modules, scripted) {
  return {
    name: "lazy-modules",
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ kind, path: file, resolveDir }) => {
        if (kind !== "dynamic-import") return undefined;
        const source = path.relative(root, path.join(resolveDir, file));
        const name = scripted.has(source)
          ? `${startOf(modules)}second.js#${source}`
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
