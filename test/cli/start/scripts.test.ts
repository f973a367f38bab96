/** V8's code cache of arc's scripts: a rejected cache would slow every start without anyone noticing. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { codeCacheOf } from "../../../cli/start/scripts.ts";
import { arcProgram } from "../rig.ts";

const dist = path.join(arcProgram, "../../dist");
const modules = readdirSync(dist).find((name) => name.startsWith("modules-")) as string;

/** Whether this Node accepts it as at arc's start, with V8's default options. */
function accepts(file: string): string {
  const compile = `
    const { readFileSync } = require("node:fs");
    const { Script } = require("node:vm");
    const [file, code] = process.argv.slice(1);
    const script = new Script(readFileSync(file, "latin1"), { filename: file, cachedData: readFileSync(code) });
    process.stdout.write(script.cachedDataRejected ? "refused" : "accepted");`;
  return execFileSync(process.execPath, ["-e", compile, file, codeCacheOf(file)], { encoding: "utf8" });
}

it.each(["main.js", `${modules}/second.js`, `${modules}/third.js`])(
  "is accepted by the Node that made it: %s",
  (name) => {
    const file = path.join(dist, name);
    expect(existsSync(codeCacheOf(file))).toBe(true);
    expect(accepts(file)).toBe("accepted");
  },
);
