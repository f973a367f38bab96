/** Run by npm where arc is installed: compiles the native parts, which make arc faster; without a C compiler it works without. */
import { readFileSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import {
  compileNative,
  compileProgram,
  compileTracer,
  launcherFlags,
  launcherSources,
} from "./native/core/build/native/compile.mjs";

const here = import.meta.dirname;
const { digest } = JSON.parse(readFileSync(path.join(here, "dist/build.json"), "utf8"));

/** Seen in its place only when it is whole. */
function make(name, compile) {
  const file = path.join(here, "dist", name);
  const why = compile(`${file}.new`);
  if (why === undefined) renameSync(`${file}.new`, file);
  else rmSync(`${file}.new`, { force: true });
  return why;
}

const launcher = launcherSources(path.join(here, "native/cli/native"));
const why =
  make("native.node", compileNative) ??
  make("launcher", (file) => compileProgram(file, launcher, launcherFlags(digest)));
if (why !== undefined) console.log(`arc works without its native parts, and slower: ${why.trim()}`);
const noTracer = make("tracer", compileTracer);
if (noTracer !== undefined) console.log(`arc works without \`--trace-inputs\`: ${noTracer.trim()}`);
