/**
 * The scripts that arc consists of, each a file with V8's code cache beside it, so that a start does not compile what
 * an earlier one compiled. The main script has everything for a build after a small change. The second script has what
 * builds of the project's own actions need in addition, the third what `arc cc` and translations do. They are run when
 * something in them is requested.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { Script } from "node:vm";
import type { Check } from "../../core/build/files/up-to-date.ts";

/** Digest of arc itself, inserted by the build. */
declare const ARC_BUILD: string;

interface MainScript {
  readonly main: (args: readonly string[], check?: Check) => Promise<void>;
  readonly mainOnChange: (args: readonly string[], inherited?: string) => Promise<void>;
}

type Wrapper = (
  exports: object,
  require: NodeJS.Require,
  module: { exports: object },
  filename: string,
  dirname: string,
  load: (module: string) => Promise<unknown>,
) => void;

/** Modules that scripts provide to others, by their names in arc's sources. */
type Modules = Readonly<Record<string, unknown>>;
const MODULES = Symbol.for("arc.modules");
/** The function that provides all modules of a script and of those before it. */
const LOAD = Symbol.for("arc.load");

export function loadMainScript(folder: string): MainScript {
  return runMainScript(folder, compileScript(mainScriptOf(folder)));
}

export function mainScriptOf(folder: string): string {
  return `${folder}/main.js`;
}

/** Those after the main script. */
export const laterScripts = ["second.js", "third.js"] as const;

/** In the folder of this exact build: another build's would not fit. */
export function laterScriptOf(folder: string, name: string): string {
  return `${folder}/modules-${ARC_BUILD}/${name}`;
}

/** Path of a script's V8 code cache, which only this version of Node accepts. */
export function codeCacheOf(file: string): string {
  return file.replace(/js$/, "code");
}

/** `code`: path of its V8 code cache. */
export function compileScript(file: string, code = codeCacheOf(file)): Script {
  const cachedData = readIfThere(code);
  // The bundler's output is ASCII, and strings of one-byte characters are made fastest.
  return new Script(readFileSync(file, "latin1"), {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
}

/**
 * `importModule` imports a module by its URL or built-in name; `compileLater` compiles a later script when it is
 * needed.
 */
export function runMainScript(
  folder: string,
  script: Script,
  importModule = (name: string): Promise<unknown> => import(name),
  compileLater = (file: string): Script => compileScript(file),
): MainScript {
  const filename = mainScriptOf(folder);
  const base = pathToFileURL(filename);
  const shared = globalThis as { [MODULES]?: Modules; [LOAD]?: (script: string) => Modules };
  const load = async (name: string): Promise<unknown> => {
    const [file = "", module] = name.split("#");
    if (module !== undefined) return loadLater(basename(file))[module];
    return importModule(file.startsWith(".") ? new URL(file, base).href : file);
  };
  const loaded = new Set<string>();
  const loadLater = (name: string): Modules => {
    const file = laterScriptOf(folder, name);
    if (!loaded.has(name)) run(compileLater(file), file, load);
    loaded.add(name);
    return shared[MODULES] as Modules;
  };
  shared[LOAD] = loadLater;
  return run(script, filename, load) as MainScript;
}

/** Runs a script and returns its exports. */
function run(script: Script, file: string, load: (name: string) => Promise<unknown>): unknown {
  const module = { exports: {} };
  const wrapper = script.runInThisContext() as Wrapper;
  wrapper(module.exports, createRequire(file), module, file, dirname(file), load);
  return module.exports;
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
