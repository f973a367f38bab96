/** `arc translate --to openmp|openacc`: translates directives and API calls of sources to the other language. */

import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { ActionInput } from "../../core/build/model/action.ts";
import { itemAt } from "../../core/checked/access.ts";
import { frontEnd } from "../../core/compiler/driver/front-end.ts";
import { isIr } from "../../core/compiler/driver/read-source.ts";
import { isCuda } from "../../core/source-to-source/cuda/read.ts";
import { translateIr } from "../../core/source-to-source/ir/translate-ir.ts";
import { keepsDirectives, outdated } from "../../core/source-to-source/kept.ts";
import { type MappingName, mappings } from "../../core/source-to-source/mapping/profiles.ts";
import {
  type Language,
  type OpenMpVersion,
  openMpVersions,
  type Source,
  type TranslatedSource,
} from "../../core/source-to-source/model/source.ts";
import { isForHost, translateSource, type Wishes } from "../../core/source-to-source/translate.ts";
import { headersOf } from "../../rules/plan/standalone.ts";
import { planReading } from "../../rules/plan/whole-program.ts";
import { findTools } from "../../rules/tools/tools.ts";
import type { Diagnostic } from "../../schema/document/diagnostic.ts";
import { type Call, type Status, status } from "../call/call.ts";
import { UsageError } from "../call/usage-error.ts";
import { wrapLines } from "../call/wrap.ts";
import { openScratch, type Scratch } from "../project/scratch.ts";
import {
  asC,
  type MadeSource,
  madeSources,
  placedInCuda,
  refusalsOf,
} from "../project/sources/made-sources.ts";
import { namedSources } from "../project/sources/named-sources.ts";
import { writeInto } from "../project/sources/write-into.ts";
import { formatFindings, placedFindings } from "../show/findings.ts";

interface Done extends TranslatedSource {
  readonly file: string;
}

export async function translateLanguage(call: Call, to: Language): Promise<Status> {
  const { cwd } = call;
  const openmp = versionOf(call);
  const map = mappingOf(call);
  const named = namedSources(call, "name the files to translate: arc translate FILE.c");
  if (named.folder !== undefined && typeof call.options.output !== "string")
    throw new UsageError("a project's translation is a folder", "name it with -o DIR");
  const paths = named.files.map(({ file }) => file);
  const files = madeSources(paths, cwd, (file) => path.resolve(cwd, file));
  const refused = refusalsOf(files);
  if (refused.length > 0) {
    call.err(formatFindings(refused, { cwd, root: cwd, color: call.color, columns: call.columns }));
    return status.failed;
  }
  const scratch = openScratch(call);
  try {
    const compiler = findTools(scratch.engine, call.env).compiler();
    const from: Language = to === "openmp" ? "openacc" : "openmp";
    const plan = files.flatMap((file, i) =>
      planReading(
        [{ ...named.files[i], ...file }],
        becomesC(file) ? "openacc" : from,
        compiler,
        call.rest ?? [],
      ),
    );
    const units = await preprocessed(call, scratch, plan);
    if (typeof units === "number") return units;
    const together = new Set(units.map(({ file }) => path.resolve(cwd, file)));
    const isBeside = (file: string): boolean => together.has(path.resolve(cwd, file));
    const readings = units.map((unit, i) => {
      const others = { kind: "whole", others: units.filter((other) => other !== unit) } as const;
      const { parsed, program } = frontEnd(unit, others);
      const { cuda } = itemAt(files, i);
      const isText = isIr(unit.file);
      const text = isText ? "" : (cuda?.text ?? readFileSync(path.resolve(cwd, unit.file), "utf8"));
      return { file: unit.file, text, parsed, program, isBeside };
    });
    const wishes = { to, openmp, map };
    const withDevice = readings.some((source) => isIr(source.file) || !isForHost(source, wishes));
    const translated = readings.map((source, i): Done => {
      const { file, program, text } = source;
      const request = { ...wishes, withDevice };
      if (isIr(file)) return { file: asC(file), ...translateIr(program, request) };
      const { cuda } = itemAt(files, i);
      if (cuda === undefined) return { file, ...translateSource(source, request) };
      const made =
        to === "openacc"
          ? { text, decisions: [], diagnostics: program.diagnostics.filter(isError) }
          : translateSource(source, request);
      const diagnostics = placedInCuda(made.diagnostics, files);
      const decisions = [...cuda.decisions, ...made.decisions];
      return { ...made, file: asC(file), decisions, diagnostics };
    });
    const done = await verified(readings, translated, wishes, async (texts) => {
      const again = plan.map(({ file }, i) => ({ ...file, ...(texts[i] && { text: texts[i] }) }));
      return preprocessed(call, scratch, planReading(again, "openacc", compiler, call.rest ?? []));
    });
    if (typeof done === "number") return done;
    show(call, to, done, named.folder);
    if (named.folder !== undefined && !done.some(({ diagnostics }) => diagnostics.some(isError)))
      writeHeaders(call, named.folder, units);
    return done.some(({ diagnostics }) => diagnostics.some(isError)) ? status.failed : status.done;
  } finally {
    await scratch.close();
  }
}

type Plan = ReturnType<typeof planReading>;
type Unit = { readonly file: string; readonly text: string };

/** The preprocessed texts; a status if there are errors, which have been shown. */
async function preprocessed(call: Call, { engine }: Scratch, plan: Plan): Promise<readonly Unit[] | Status> {
  const { cwd } = call;
  const diagnosed: Diagnostic[] = [];
  const result = await engine.build(
    plan.map(({ action }) => action),
    {
      keepGoing: true,
      signal: call.signal,
      onEvent(event) {
        if (event.type === "failed" && !event.diagnostics?.length)
          call.err(`arc: ${event.title}: ${event.message}\n${event.log}`);
        else if (event.type === "failed" || event.type === "done")
          diagnosed.push(...(event.diagnostics ?? []));
      },
    },
  );
  const shown = diagnosed.filter(({ severity }) => severity === "error" || call.options.explain === true);
  call.err(formatFindings(shown, { cwd, root: cwd, color: call.color, columns: call.columns }));
  if (!result.ok) return result.interrupted ? status.interrupted : status.failed;
  const read = (input: ActionInput): string => {
    if (!("action" in input.from)) throw new Error("a preprocessed text is an action's output");
    return readFileSync(engine.path(input.from.action, input.from.output).path, "utf8");
  };
  return plan.map(({ file, text }) => ({ file: file.file, text: read(text) }));
}

/**
 * Without comments that keep OpenACC's directives where these no longer are what the OpenMP beside them says. `read`
 * preprocesses texts that take the place of the sources'.
 */
async function verified(
  sources: readonly Source[],
  done: readonly Done[],
  wishes: Wishes,
  read: (texts: readonly (string | undefined)[]) => Promise<readonly Unit[] | Status>,
): Promise<readonly Done[] | Status> {
  const isKept = ({ text }: Source, i: number): boolean =>
    keepsDirectives(text) && !itemAt(done, i).diagnostics.some(isError);
  if (wishes.to !== "openacc" || !sources.some(isKept)) return done;
  const units = await read(
    sources.map((source, i) => (isKept(source, i) ? itemAt(done, i).text : undefined)),
  );
  if (typeof units === "number") return units;
  return done.map((one, i) => {
    const source = itemAt(sources, i);
    if (!isKept(source, i)) return one;
    const unit = itemAt<Unit>(units, i);
    const others = { kind: "whole", others: units.filter((other) => other !== unit) } as const;
    const { parsed, program } = frontEnd(unit, others);
    const warning = outdated(source, { file: unit.file, text: one.text, parsed, program });
    if (!warning) return one;
    const anew = translateSource(source, { ...wishes, anew: true });
    return { ...one, ...anew, diagnostics: [warning, ...anew.diagnostics] };
  });
}

/** Whether arc first makes C with OpenACC of the source, which is CUDA or the IR as text. */
const becomesC = ({ file }: MadeSource): boolean => isIr(file) || isCuda(file);

const isError = ({ severity }: { readonly severity: string }): boolean => severity === "error";

function show(call: Call, to: Language, done: readonly Done[], folder?: string): void {
  const { options, cwd, color, columns } = call;
  const findings = done.flatMap(({ diagnostics }) => diagnostics);
  if (options.json === true) {
    const files = done.map(({ file, text, decisions, diagnostics }) =>
      diagnostics.some(isError) ? { file, decisions: [] } : { file, text, decisions },
    );
    call.out(`${JSON.stringify({ to, files, diagnostics: placedFindings(findings, cwd) })}\n`);
    return;
  }
  call.err(formatFindings(findings, { cwd, root: cwd, color, columns }));
  if (options.explain === true) for (const one of done) call.err(wrapLines(storyOf(one), call.errColumns()));
  if (findings.some(isError)) return;
  if (typeof options.output !== "string") {
    call.out(done.map(({ text }) => text).join(""));
    return;
  }
  writeInto(
    path.resolve(cwd, options.output),
    done.map(({ file, text }) => {
      const name = folder === undefined ? file : path.relative(folder, path.resolve(cwd, file));
      return { name: insideOf(name), text };
    }),
  );
}

/**
 * Writes the project's own headers where the translated sources look for them; those with directives were refused
 * before.
 */
function writeHeaders(
  { cwd, options }: Call,
  folder: string,
  units: readonly { readonly file: string; readonly text: string }[],
): void {
  const sources = new Set(units.map(({ file }) => path.resolve(cwd, file)));
  for (const header of new Set(units.flatMap(({ text }) => [...headersOf(text)]))) {
    const from = path.resolve(cwd, header);
    const inside = path.relative(folder, from);
    if (sources.has(from) || inside.startsWith("..") || path.isAbsolute(inside) || !existsSync(from))
      continue;
    const at = path.resolve(cwd, String(options.output), inside);
    mkdirSync(path.dirname(at), { recursive: true });
    copyFileSync(from, at);
  }
}

/** Path of a file's translation in the output folder: the file's own path without leading `..`. */
const insideOf = (file: string): string =>
  path.isAbsolute(file) ? path.basename(file) : path.normalize(file).replace(/^(\.\.\/)+/, "");

/** Lists each decision with its position, its result and the reason. */
function storyOf({ file, decisions }: Done): string {
  return decisions
    .map(({ loc, added, was, now, because }) => {
      const replacement = now.length === 0 ? ["  goes"] : now.map((line) => `  ${line}`);
      return [
        `${added ? loc.file : file}:${loc.line}:${loc.col}: ${was}`,
        ...replacement,
        ...because.map((why) => `    ${why}`),
        "",
      ].join("\n");
    })
    .join("");
}

function mappingOf({ options }: Call): MappingName {
  const requested = options.map ?? "default";
  const found = mappings.find((name) => name === requested);
  if (found) return found;
  throw new UsageError(`--map takes ${mappings.join(", ")}`, "see `arc translate --help`");
}

function versionOf({ options }: Call): OpenMpVersion {
  const requested = options.openmp ?? "5.0";
  const found = openMpVersions.find((version) => version === requested);
  if (found) return found;
  throw new UsageError(`--openmp takes ${openMpVersions.join(" or ")}`, "see `arc translate --help`");
}
