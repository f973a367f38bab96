/**
 * The main script: all of arc that a build of the project's own actions needs, in one file beside the launcher, with
 * V8's compiled form of it, so that a start does not compile what the one before compiled.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Script } from "node:vm";
import type { Check } from "../core/build/uptodate.ts";

export interface MainScript {
  readonly main: (args: readonly string[], check?: Check) => Promise<void>;
  readonly mainOnChange: (args: readonly string[], handed?: string) => Promise<void>;
}

type Wrapper = (
  exports: object,
  require: NodeJS.Require,
  module: { exports: Partial<MainScript> },
  filename: string,
  dirname: string,
  load: (module: string) => Promise<unknown>,
) => void;

/** Where V8's compiled form of the script lies: of use to this version of Node alone, and refused by others. */
function codeCacheOf(folder: string): string {
  return `${folder}/main.code`;
}

export function loadMainScript(folder: string): MainScript {
  return runMainScript(folder, compileMainScript(folder));
}

/** `code`: where V8's compiled form of it lies. */
export function compileMainScript(folder: string, code = codeCacheOf(folder)): Script {
  const filename = mainScriptOf(folder);
  const cachedData = readIfThere(code);
  // The bundler leaves nothing but ASCII, of which strings of one byte a character are made fastest.
  return new Script(readFileSync(filename, "latin1"), {
    filename,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
}

/** `importModule` imports a module by its URL, or by the name of a built-in one. */
export function runMainScript(
  folder: string,
  script: Script,
  importModule = (name: string): Promise<unknown> => import(name),
): MainScript {
  const filename = mainScriptOf(folder);
  const module: { exports: Partial<MainScript> } = { exports: {} };
  const wrapper = script.runInThisContext() as Wrapper;
  const base = pathToFileURL(filename);
  const load = (name: string) => importModule(name.startsWith(".") ? new URL(name, base).href : name);
  wrapper(module.exports, createRequire(filename), module, filename, folder, load);
  return module.exports as MainScript;
}

function mainScriptOf(folder: string): string {
  return `${folder}/main.js`;
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
