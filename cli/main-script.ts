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
  /** What V8 compiled so far, for the next start. */
  readonly compiled: () => Buffer;
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
export function codeCacheOf(folder: string): string {
  return `${folder}/main.code`;
}

export function loadMainScript(folder: string): MainScript {
  const filename = `${folder}/main.js`;
  const cachedData = readIfThere(codeCacheOf(folder));
  // The bundler leaves nothing but ASCII, of which strings of one byte a character are made fastest.
  const script = new Script(readFileSync(filename, "latin1"), {
    filename,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  const module: { exports: Partial<MainScript> } = { exports: {} };
  const wrapper = script.runInThisContext() as Wrapper;
  const base = pathToFileURL(filename);
  const load = (name: string) => import(name.startsWith(".") ? new URL(name, base).href : name);
  wrapper(module.exports, createRequire(filename), module, filename, folder, load);
  const { main } = module.exports as Pick<MainScript, "main">;
  return { main, compiled: () => script.createCachedData() };
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
