/** `arc translate`: runs only the directive compiler. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Engine } from "../../core/build/engine-interface.ts";
import type { BuildResult } from "../../core/build/graph/build-result.ts";
import type { Action, ActionInput, Address } from "../../core/build/model/action.ts";
import { eachOnce } from "../../core/compiler/driver/each-once.ts";
import { irTexts } from "../../core/compiler/driver/ir-text.ts";
import { languages } from "../../core/source-to-source/model/source.ts";
import { mlirTexts } from "../../rules/plan/mlir.ts";
import { type PlannedShaping, shapingOf } from "../../rules/plan/shaping.ts";
import { type StandaloneUnit, standalone, standaloneKinds } from "../../rules/plan/standalone.ts";
import {
  kernelExtension,
  planTranslation,
  type TranslatedKernel,
  type Translation,
  targetKinds,
} from "../../rules/plan/whole-program.ts";
import { findTools } from "../../rules/tools/tools.ts";
import type { Diagnostic } from "../../schema/document/diagnostic.ts";
import { nearest } from "../../schema/document/nearest.ts";
import { type Call, type Status, status } from "../call/call.ts";
import { UsageError } from "../call/usage-error.ts";
import { wrapLines } from "../call/wrap.ts";
import { openScratch } from "../project/scratch.ts";
import {
  asC,
  type MadeSource,
  madeSources,
  placedInCuda,
  refusalsOf,
} from "../project/sources/made-sources.ts";
import { asInProjects, namedSources } from "../project/sources/named-sources.ts";
import { writeInto } from "../project/sources/write-into.ts";
import { formatFindings, placedFindings } from "../show/findings.ts";
import { translateLanguage } from "./translate-language.ts";

/** Pseudo-kinds that print the regions themselves. */
const ir = "ir";
const mlir = "mlir";

/** Whether the regions themselves are printed, and not translated for a kind of target. */
const isText = (kind: string): boolean => kind === ir || kind === mlir;

export async function run(call: Call): Promise<Status> {
  const language = languages.find((one) => one === call.options.to);
  if (language !== undefined) return translateLanguage(call, language);
  const kind = kindOf(call);
  const isStandalone = call.options.standalone === true;
  if (call.positionals.length === 0 && !isStandalone)
    throw new UsageError(
      "no file is named",
      "a whole project is translated with --standalone, or to openmp or openacc",
    );
  if (isStandalone) checkStandalone(call, kind);
  const paths = isStandalone
    ? namedSources(call, "name the files to translate: arc translate FILE.c").files.map(({ file }) => file)
    : call.positionals;
  const named = madeSources(paths, call.cwd, (file) => relativeOrAbsolute(file, call.cwd));
  const files = asInProjects(named, call.cwd);
  const refused = refusalsOf(files);
  if (refused.length > 0) {
    report(call, refused);
    return status.failed;
  }
  const scratch = openScratch(call);
  try {
    const compiler = findTools(scratch.engine, call.env).compiler();
    const shaping = shapingFor(call, kind);
    const explains = call.options.explain === true && !isText(kind);
    const plan = planTranslation(
      files,
      isText(kind) ? undefined : kind,
      compiler,
      call.rest ?? [],
      shaping,
      explains ? { code: call.options.code === true } : undefined,
    );
    const { result, findings: raw, stories } = await built(scratch.engine, plan.actions, call);
    const findings = placedInCuda(eachOnce(raw), files);
    const read = (input: ActionInput): string | undefined => {
      if (!("action" in input.from)) return undefined;
      const { status: done } = result.outcomes.get(input.from.action) ?? {};
      return done === "done"
        ? readFileSync(scratch.engine.path(input.from.action, input.from.output).path, "utf8")
        : undefined;
    };
    if (isText(kind)) {
      const sources = plan.translations.map(({ file, host, preprocessed }) => ({
        file,
        // The reason why there is no host program was already reported.
        text: read(host) === undefined ? undefined : read(preprocessed),
      }));
      if (kind === mlir) return showMlir(call, sources, findings, files);
      showIr(call, sources, findings);
      return statusOf(result);
    }
    const translated = plan.translations.map((translation) => readTranslation(translation, read));
    if (call.options.standalone === true) {
      report(call, findings);
      if (!result.ok) return statusOf(result);
      const units = plan.translations.map(({ file, preprocessed }, i) => ({
        file: asC(file),
        host: translated[i]?.host ?? "",
        kernels: translated[i]?.kernels ?? [],
        preprocessed: read(preprocessed) ?? "",
      }));
      return writeStandalone(call, kind, units, files);
    }
    show(call, kind, await kernelExtension(kind), translated, findings);
    if (explains) {
      for (const { kernels } of plan.translations) {
        if (kernels !== undefined && "action" in kernels.from)
          call.err(wrapLines(stories.get(kernels.from.action) ?? "", call.errColumns()));
      }
    }
    return statusOf(result);
  } finally {
    await scratch.close();
  }
}

interface Built {
  readonly result: BuildResult;
  readonly findings: readonly Diagnostic[];
  /** What the passes did, by translation action. */
  readonly stories: ReadonlyMap<Address, string>;
}

async function built(engine: Engine, actions: readonly Action[], call: Call): Promise<Built> {
  const findings: Diagnostic[] = [];
  const stories = new Map<Address, string>();
  const result = await engine.build(actions, {
    keepGoing: true,
    signal: call.signal,
    onEvent(event) {
      if (event.type === "log") stories.set(event.address, (stories.get(event.address) ?? "") + event.text);
      if (event.type === "failed") stories.set(event.address, event.log);
      if (event.type !== "done" && event.type !== "failed") return;
      if (event.diagnostics) findings.push(...event.diagnostics);
      else if (event.type === "failed") call.err(`arc: ${event.title}: ${event.message}\n${event.log}`);
    },
  });
  return { result, findings, stories };
}

/** Options of optimisation, warnings and debugging are the folder's own. */
function foldersAndFlags(
  words: readonly string[],
  cwd: string,
): { readonly folders: readonly string[]; readonly flags: readonly string[] } {
  const folders: string[] = [];
  const flags: string[] = [];
  for (const [i, word] of words.entries()) {
    if (words[i - 1] === "-I") folders.push(path.resolve(cwd, word));
    else if (word.startsWith("-I") && word !== "-I") folders.push(path.resolve(cwd, word.slice(2)));
    else if (!/^-(I$|O|W|g)/.test(word)) flags.push(word);
  }
  return { folders, flags };
}

function writeStandalone(
  { options, rest = [], cwd, err }: Call,
  kind: string,
  units: readonly StandaloneUnit[],
  files: readonly MadeSource[],
): Status {
  const [first, ...others] = files.map(({ flags = [] }) => flags);
  if (others.some((one) => one.join("\n") !== first?.join("\n"))) {
    err("arc: these files are of projects with different options for the C compiler\n");
    return status.failed;
  }
  const { folders, flags } = foldersAndFlags([...(first ?? []), ...rest], cwd);
  const generated = standalone(kind, units, { folders, flags, cwd });
  if ("error" in generated) {
    err(`arc: ${generated.error}\n`);
    return status.failed;
  }
  writeInto(
    path.resolve(cwd, String(options.output)),
    [...generated.files].map(([name, text]) => ({ name, text })),
  );
  return status.done;
}

interface Translated {
  readonly file: string;
  readonly host?: string;
  readonly kernels: readonly TranslatedKernel[];
}

function readTranslation(
  { file, host, kernels }: Translation,
  read: (input: ActionInput) => string | undefined,
): Translated {
  const hostText = read(host);
  const list = kernels && read(kernels);
  return {
    file,
    ...(hostText === undefined ? {} : { host: hostText }),
    kernels: list === undefined ? [] : (JSON.parse(list) as TranslatedKernel[]),
  };
}

function show(
  call: Call,
  kind: string,
  extension: string,
  translated: readonly Translated[],
  findings: readonly Diagnostic[],
): void {
  const { options, cwd } = call;
  if (options.json === true) {
    call.out(`${JSON.stringify({ kind, files: translated, diagnostics: placedFindings(findings, cwd) })}\n`);
    return;
  }
  report(call, findings);
  for (const { file, host, kernels } of translated) {
    const texts = kernels.map((kernel) => {
      const { region, text, site } = kernel;
      const head = `/* ${region}: ${site.what} at ${site.file}:${site.line} */\n`;
      return {
        name: `${region}${extension}`,
        text: head + (options.lines === true ? withLines(kernel) : text),
      };
    });
    const references = kernels.flatMap(({ region, reference }) =>
      reference === undefined
        ? []
        : [{ name: `${region}.reference.c`, text: `${orderOf(region)}${reference}` }],
    );
    const hostCode =
      host === undefined ? [] : [{ name: `${path.basename(asC(file), ".c")}.host.c`, text: host }];
    if (typeof options.output === "string")
      writeInto(path.resolve(cwd, options.output), [...texts, ...references, ...hostCode]);
    else call.out((options["host-code"] === true ? hostCode : texts).map(({ text }) => text).join("\n"));
  }
}

function showIr(
  call: Call,
  sources: readonly { readonly file: string; readonly text: string | undefined }[],
  findings: readonly Diagnostic[],
): void {
  const { options, cwd } = call;
  const right = sources.flatMap(({ file, text }) => (text === undefined ? [] : [{ file, text }]));
  const texts = right.length < sources.length ? [] : irTexts(right);
  const files = sources.map(({ file }, i) => ({ file, ...(texts[i] !== undefined && { ir: texts[i] }) }));
  if (options.json === true) {
    call.out(`${JSON.stringify({ kind: ir, files, diagnostics: placedFindings(findings, cwd) })}\n`);
    return;
  }
  report(call, findings);
  if (typeof options.output !== "string") call.out(texts.join("\n"));
  else
    writeInto(
      path.resolve(cwd, options.output),
      files.map(({ file, ir: text = "" }) => ({ name: `${path.basename(asC(file), ".c")}.upir`, text })),
    );
}

/** If something has no MLIR form, it is reported and nothing is printed. */
function showMlir(
  call: Call,
  sources: readonly { readonly file: string; readonly text: string | undefined }[],
  findings: readonly Diagnostic[],
  files: readonly MadeSource[],
): Status {
  const { options, cwd } = call;
  const right = sources.flatMap(({ file, text }) => (text === undefined ? [] : [{ file, text }]));
  const kernelTexts = right.length < sources.length ? [] : mlirTexts(right);
  const own = placedInCuda(eachOnce(kernelTexts.flatMap(({ diagnostics }) => diagnostics)), files);
  const all = eachOnce([...findings, ...own]);
  const failed = kernelTexts.length < sources.length || all.some(({ severity }) => severity === "error");
  if (options.json === true) {
    const texts = failed ? [] : kernelTexts.map(({ file, text }) => ({ file, mlir: text }));
    call.out(`${JSON.stringify({ kind: mlir, files: texts, diagnostics: placedFindings(all, cwd) })}\n`);
    return failed ? status.failed : status.done;
  }
  report(call, all);
  if (failed) return status.failed;
  if (typeof options.output !== "string") call.out(kernelTexts.map(({ text }) => text).join("\n"));
  else
    writeInto(
      path.resolve(cwd, options.output),
      kernelTexts.map(({ file, text }) => ({ name: `${path.basename(asC(file), ".c")}.mlir`, text })),
    );
  return status.done;
}

/** Remarks of passes are printed on request, other findings always. */
function report({ options, cwd, color, columns, err }: Call, findings: readonly Diagnostic[]): void {
  const shown = findings.filter((finding) => finding.severity !== "note" || options.explain === true);
  err(formatFindings(shown, { cwd, root: cwd, color, columns }));
}

/** The text with a source position at each line that does not follow from the line above. */
function withLines({ text, mappings, site }: TranslatedKernel): string {
  const at = new Map(
    mappings.map(([k, file, line]) => [k, file === site.file ? `${line}` : `${file}:${line}`]),
  );
  let last: string | undefined;
  return text
    .split("\n")
    .map((line, k) => {
      const place = at.get(k + 1);
      if (place === undefined || place === last) return line;
      last = place;
      return `${line} /* ${place} */`;
    })
    .join("\n");
}

function statusOf(result: BuildResult): Status {
  if (result.interrupted) return status.interrupted;
  return result.ok ? status.done : status.failed;
}

function shapingFor({ options }: Call, kind: string): PlannedShaping | undefined {
  const device = typeof options.device === "string" ? options.device : undefined;
  const found = shapingOf(kind, String(options.variant ?? "default"), device);
  if ("error" in found) throw new UsageError(found.error, "see `arc translate --help`");
  return found.shaping;
}

function checkStandalone({ options, rest = [] }: Call, kind: string): void {
  if (typeof options.output !== "string")
    throw new UsageError("--standalone writes a folder", "name it with -o DIR");
  if (!standaloneKinds.includes(kind))
    throw new UsageError(
      `programs for ${kind} do not stand alone`,
      `--to takes ${standaloneKinds.join(", ")} here`,
    );
  if (rest.includes("-I")) throw new UsageError("-I stands apart from its folder", "write -IDIR");
}

function kindOf({ options }: Call): string {
  const kind = String(options.to ?? "host");
  const known = [...targetKinds, ir, mlir, ...languages];
  if (known.includes(kind)) return kind;
  const near = nearest(kind, known);
  const all = `--to takes ${known.join(", ")}`;
  throw new UsageError(
    `there is no target kind ${kind}`,
    near === undefined ? all : `did you mean ${near}? ${all}`,
  );
}

function relativeOrAbsolute(file: string, cwd: string): string {
  const inside = path.relative(cwd, path.resolve(cwd, file));
  return inside.startsWith("..") ? path.resolve(cwd, file) : inside;
}

const orderOf = (region: string): string =>
  `/* The operations of ${region} in the order of its hardware; to compile with -ffp-contract=off. */\n`;
