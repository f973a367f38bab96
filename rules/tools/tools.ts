/** Finds programs of the system and identifies them for keys. */

import { existsSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Engine } from "../../core/build/engine-interface.ts";
import type { ToolIdentity } from "../../core/build/model/action.ts";
import { EngineError } from "../../core/build/model/error.ts";
import { findProgram } from "../../core/build/state/tool.ts";
import type { Tool } from "../../targets/shared/kind/kind.ts";
import { type Compiler, compilerCommand, findCompiler } from "./compiler.ts";
import { BUILD_TIME } from "./compiler-variables.ts";
import { openclDrivers } from "./opencl-drivers.ts";

export interface Tools {
  /** The system's C compiler. Throws EngineError when there is none. */
  compiler(): Compiler;
  /** A program known only by its name and, optionally, the arguments that print its version. */
  program(name: string, versionArgs?: readonly string[]): ToolIdentity | undefined;
  /** A program described by a target kind. */
  tool(tool: Tool): ToolIdentity | undefined;
  /** The drivers of a standard; undefined if there are none. */
  drivers(standard: "opencl"): ToolIdentity | undefined;
  /** A variable of the environment, on which the graph depends from now on. */
  variable(name: string): string | undefined;
}

export function findTools(
  engine: Pick<Engine, "identifyTool" | "askTool" | "depend" | "variable">,
  environment: Readonly<Record<string, string | undefined>>,
): Tools {
  return {
    compiler() {
      const compiler = findCompiler(engine, environment);
      const time = engine.variable(BUILD_TIME);
      if (compiler !== undefined)
        return time === undefined ? compiler : { ...compiler, env: { [BUILD_TIME]: time } };
      const name = compilerCommand(environment).program;
      throw new EngineError(
        "tool-not-found",
        `there is no C compiler \`${name}\``,
        "install one (Debian: apt-get install gcc libc6-dev), or set CC to one that is installed",
      );
    },
    program: (name, versionArgs = []) =>
      ifFound(() =>
        engine.identifyTool({ program: name, ...(versionArgs.length === 0 ? {} : { versionArgs }) }),
      ),
    tool({ program: usual, aliases = [], versionArgs, backEnds = [], pythonPackage }) {
      const path = (name: string) => findProgram(name, environment.PATH);
      const program = [usual, ...aliases].find((name) => path(name) !== undefined) ?? usual;
      const driver = path(program);
      const beside =
        driver === undefined ? [] : backEnds.map((name) => join(dirname(realpathSync(driver)), name));
      const found = [
        ...beside.flatMap((file) => findProgram(file, undefined) ?? []),
        ...(driver !== undefined && pythonPackage !== undefined ? packageRecords(driver, pythonPackage) : []),
      ];
      return ifFound(() =>
        engine.identifyTool({ program, ...(versionArgs && { versionArgs }), backEnds: found }),
      );
    },
    drivers: () =>
      openclDrivers(
        (name) => engine.variable(name),
        (path) => engine.depend(path),
      ),
    variable: (name) => engine.variable(name),
  };
}

/**
 * pip's record of the package behind a launcher program: its version and the digest of each file. Empty if the package
 * lies elsewhere; then only the program's own bytes identify it.
 */
function packageRecords(program: string, name: string): readonly string[] {
  const prefixes = new Set([program, realpathSync(program)].map((file) => dirname(dirname(file))));
  const record = new RegExp(`^${name}-.*\\.dist-info$`, "i");
  const inside = (folder: string, pattern: RegExp): readonly string[] =>
    existsSync(folder) ? readdirSync(folder).filter((entry) => pattern.test(entry)) : [];
  return [...prefixes].flatMap((prefix) =>
    inside(join(prefix, "lib"), /^python3/).flatMap((python) =>
      ["site-packages", "dist-packages"].flatMap((packages) => {
        const folder = join(prefix, "lib", python, packages);
        return inside(folder, record)
          .map((entry) => join(folder, entry, "RECORD"))
          .filter((file) => existsSync(file));
      }),
    ),
  );
}

function ifFound<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof EngineError && error.code === "tool-not-found") return undefined;
    throw error;
  }
}
