/**
 * The scripts that arc consists of, each a file with V8's code cache beside it, so that a start does not compile what
 * an earlier one compiled. The main script has everything for a build after a small change. The second script has what
 * builds of the project's own actions need in addition, and is run when something in it is requested.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { Script } from "node:vm";
import type { Check } from "../../core/build/files/up-to-date.ts";

/** Digest of arc itself, inserted by the build. */
declare const ARC_BUILD: string;

export interface MainScript {
  readonly main: (args: readonly string[], check?: Check) => Promise<void>;
  readonly mainOnChange: (args: readonly string[], handed?: string) => Promise<void>;
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
/** The function that provides all modules of both scripts. */
const LOAD = Symbol.for("arc.load");

export function loadMainScript(folder: string): MainScript {
  return runMainScript(folder, compileScript(mainScriptOf(folder)));
}

export function mainScriptOf(folder: string): string {
  return `${folder}/main.js`;
}

/** In the folder of this exact build: another build's would not fit. */
export function secondScriptOf(folder: string): string {
  return `${folder}/modules-${ARC_BUILD}/second.js`;
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
 * `importModule` imports a module by its URL or built-in name; `compileSecond` compiles the second script when it is
 * needed.
 */
export function runMainScript(
  folder: string,
  script: Script,
  importModule = (name: string): Promise<unknown> => import(name),
  compileSecond = (file: string): Script => compileScript(file),
): MainScript {
  const filename = mainScriptOf(folder);
  const base = pathToFileURL(filename);
  const shared = globalThis as { [MODULES]?: Modules; [LOAD]?: () => Modules };
  const load = async (name: string): Promise<unknown> => {
    const [file = "", module] = name.split("#");
    if (module !== undefined) return loadSecond()[module];
    return importModule(file.startsWith(".") ? new URL(file, base).href : file);
  };
  let isLoaded = false;
  const loadSecond = (): Modules => {
    const file = secondScriptOf(folder);
    if (!isLoaded) run(compileSecond(file), file, load);
    isLoaded = true;
    return shared[MODULES] as Modules;
  };
  shared[LOAD] = loadSecond;
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
