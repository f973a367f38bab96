/** `arc init`: writes an arc.yaml based on the directives in the sources. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { vocabulary } from "../../rules/vocabulary.ts";
import { outputFolder } from "../../schema/document/places.ts";
import { parseProject, projectFile } from "../../schema/load.ts";
import { type Call, type Status, status } from "../call/call.ts";
import { UsageError } from "../call/usage-error.ts";
import { wrapLine } from "../call/wrap.ts";
import { type BuildFlags, buildFlags } from "../project/compile-commands.ts";
import { refuseMissing } from "../project/sources/missing-source.ts";
import { formatFindings } from "../show/findings.ts";

export async function run(call: Call): Promise<Status> {
  const folder = path.resolve(
    call.cwd,
    typeof call.options.directory === "string" ? call.options.directory : ".",
  );
  const file = path.join(folder, projectFile);
  if (existsSync(file) && call.options.force !== true) {
    throw new UsageError(
      `${path.relative(call.cwd, file) || projectFile} is there already`,
      "edit it, or replace it with --force",
    );
  }
  const flags = flagsFrom(call, folder);
  const files = flags?.files ?? filesOf(call, folder);
  const sources = files.filter((name) => directives(folder, name).some((space) => read.includes(space)));
  const rest = files.filter((name) => !sources.includes(name));
  if (sources.length === 0) throw nothingFound(folder, files);
  const include = [...new Set([...(flags?.include ?? []), ...headerFolders(folder, files)])];
  const text = projectText(folder, sources, rest, include, flags);
  const { diagnostics } = parseProject(text, file, vocabulary);
  call.err(
    formatFindings(diagnostics, { cwd: call.cwd, root: folder, color: call.color, columns: call.columns }),
  );
  writeFileSync(file, text);
  for (const left of flags?.left ?? []) call.err(`arc: not taken over: ${left}\n`);
  if (flags?.left.some((left) => /^-.* of [^()]+$/.test(left)) === true)
    call.err(
      "arc: all sources of arc.yaml have the same flags: add to `defines` and `cflags` what does no harm elsewhere\n",
    );
  call.out(
    `wrote ${path.relative(call.cwd, file)}: ${sources.length} of ${files.length} C files have directives\n`,
  );
  const next = "next: set the arguments under `runs`, then `arc build`, `arc verify`";
  call.out(`${wrapLine(next, call.outColumns(), 6)}\n`);
  return status.done;
}

/** Flags of another build system, if the call names its database, or one lies where CMake leaves it. */
function flagsFrom({ options, positionals, cwd, err }: Call, folder: string): BuildFlags | undefined {
  if (options.from !== undefined) {
    if (positionals.length > 0)
      throw new UsageError("--from says which files there are", "leave the files out, or --from");
    const file = path.resolve(cwd, String(options.from));
    if (!existsSync(file))
      throw new UsageError(
        `there is no ${String(options.from)}`,
        "name a compile_commands.json or a Makefile",
      );
    return buildFlags(file, folder);
  }
  if (positionals.length > 0) return undefined;
  const database = ["compile_commands.json", "build/compile_commands.json"].find((name) =>
    existsSync(path.join(folder, name)),
  );
  if (database !== undefined) {
    err(`arc: flags are those of ${database}\n`);
    return buildFlags(path.join(folder, database), folder);
  }
  const makefile = ["GNUmakefile", "makefile", "Makefile"].find((name) =>
    existsSync(path.join(folder, name)),
  );
  if (makefile !== undefined) err(`arc: \`arc init --from ${makefile}\` takes its flags over\n`);
  return undefined;
}

function filesOf({ positionals, cwd }: Call, folder: string): readonly string[] {
  if (positionals.length === 0) return findSources(folder, "");
  return positionals.map((name) => {
    refuseMissing(name, cwd);
    return path.relative(folder, path.resolve(cwd, name));
  });
}

const skipped = new Set(["node_modules", outputFolder, "build", "dist"]);

/** C files below a folder, sorted. */
function findSources(root: string, folder: string): readonly string[] {
  const entries = readdirSync(path.join(root, folder), { withFileTypes: true });
  return entries
    .filter((entry) => !entry.name.startsWith(".") && !skipped.has(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const name = path.join(folder, entry.name);
      if (entry.isDirectory()) return findSources(root, name);
      return entry.isFile() && name.endsWith(".c") ? [name] : [];
    });
}

/** Directives that arc translates. */
const read = ["acc", "omp target"];

/** The directive models that a file uses; `omp target` if it has OpenMP's device directives. */
function directives(folder: string, name: string): readonly string[] {
  const text = readFileSync(path.join(folder, name), "utf8");
  const pragmas = text.matchAll(
    /(?:^[ \t]*#[ \t]*pragma[ \t]+|_Pragma[ \t]*\([ \t]*"[ \t]*)(\w+)[ \t]*(\w*)[ \t]*(\w*)/gm,
  );
  return [
    ...new Set(
      [...pragmas].map(([, space = "", ...words]) =>
        space === "omp" && words.includes("target") ? "omp target" : space,
      ),
    ),
  ];
}

/** Folders of headers that sources in other folders include by name alone. */
function headerFolders(folder: string, files: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const folders = new Set(
    files.flatMap((file) => [path.dirname(file), "include", path.join(path.dirname(file), "include")]),
  );
  for (const file of files) {
    const text = readFileSync(path.join(folder, file), "utf8");
    for (const [, name = ""] of text.matchAll(/^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]/gm)) {
      if (existsSync(path.join(folder, path.dirname(file), name))) continue;
      const home = [...folders].find((one) => existsSync(path.join(folder, one, name)));
      if (home !== undefined) found.add(home);
    }
  }
  return [...found].sort();
}

function nothingFound(folder: string, files: readonly string[]): UsageError {
  const others = new Set(files.flatMap((name) => directives(folder, name)));
  const known = ["omp", "oss", "omp2"].filter((model) => others.has(model));
  if (known.length > 0) {
    return new UsageError(
      "the sources have directives of OpenMP for host code or of OmpSs, which arc leaves alone",
      "mark regions with `#pragma acc parallel loop` or `#pragma omp target teams distribute parallel for`",
    );
  }
  const message =
    files.length === 0
      ? "there are no C files here"
      : `none of ${files.length} C files has \`#pragma acc\` or \`#pragma omp target\``;
  return new UsageError(message, "run arc init in the folder of the sources, or name them");
}

function projectText(
  folder: string,
  sources: readonly string[],
  host: readonly string[],
  include: readonly string[],
  { defines = [], cflags = ["-O2"], ldflags = [], libs = [] }: Partial<BuildFlags> = {},
): string {
  const name =
    path
      .basename(folder)
      .replace(/[^A-Za-z0-9_.-]/g, "-")
      .replace(/^[^A-Za-z]+/, "") || "program";
  const list = (names: readonly string[]): string => `[${names.map(scalar).join(", ")}]`;
  const macros = defines.map((text) => {
    const [, macro = text, value] = /^([^=]+)=?(.*)$/.exec(text) ?? [];
    return `${scalar(macro)}: ${text.includes("=") ? JSON.stringify(value) : "true"}`;
  });
  const schema = schemaFor(folder);
  return [
    ...(schema === undefined ? [] : [`# yaml-language-server: $schema=${schema}`]),
    "arc: 1",
    `project: ${scalar(name)}`,
    `sources: ${list(sources)}`,
    ...(host.length === 0 ? [] : [`host: ${list(host)}`]),
    ...(include.length === 0 ? [] : [`include: ${list(include)}`]),
    ...(macros.length === 0 ? [] : [`defines: { ${macros.join(", ")} }`]),
    `cflags: ${list(cflags)}`,
    ...(ldflags.length === 0 ? [] : [`ldflags: ${list(ldflags)}`]),
    ...(libs.length === 0 ? [] : [`libs: ${list(libs)}`]),
    "targets:",
    "  cpu: { kind: host }",
    "  ocl: { kind: opencl }",
    "  gpu: { kind: cuda }",
    "  # fpga: { kind: rtl, part: ice40-hx8k, clock: 50 } # pipelined Verilog, simulated, and a bitstream",
    "runs:",
    "  small: { args: [] } # arguments of a run that takes a moment",
    "verify: { run: small, tolerance: { rel: 1e-5 } }",
    "",
  ].join("\n");
}

/** Where editors find the schema: in an arc that the project has installed by a path that holds wherever the project is. */
function schemaFor(folder: string): string | undefined {
  const file = schemaFile();
  if (file === undefined) return undefined;
  const inside = path.relative(folder, file);
  return inside.startsWith("..") || /\s/.test(inside) ? pathToFileURL(file).href : inside;
}

/** Undefined where arc was not built whole. */
function schemaFile(): string | undefined {
  for (let above = import.meta.dirname; ; above = path.dirname(above)) {
    for (const name of ["arc.schema.json", "dist/arc.schema.json"])
      if (existsSync(path.join(above, name))) return path.join(above, name);
    if (path.dirname(above) === above) return undefined;
  }
}

/** A YAML scalar, without quotes where possible. */
const scalar = (text: string): string =>
  /^[A-Za-z][\w./-]*$/.test(text) && !/^(true|false|null|yes|no|on|off)$/i.test(text)
    ? text
    : JSON.stringify(text);
