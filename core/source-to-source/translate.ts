/**
 * Translates a source from one directive language to the other: directives, calls of the runtime API and its header
 * change, every other byte stays. Constructs that the other language cannot express are refused at their location.
 */
import { printPragma } from "../lang/index.ts";
import type { Diagnostic, External, FunctionDef, Symbol } from "../lang/tree/ast.ts";
import { apiOf } from "./api/api.ts";
import { askedInRegions } from "./api/in-regions.ts";
import { type MappingName, profiles } from "./mapping/profiles.ts";
import { remapped } from "./mapping/remap.ts";
import type { Decision, Language, OpenMpVersion, Source, TranslatedSource } from "./model/source.ts";
import { Dependences } from "./openacc/dependences.ts";
import { impliedRoutines, type OnDevice, onDevice } from "./openacc/routines.ts";
import { staticsOfBlocks } from "./openacc/statics-of-blocks.ts";
import { toOpenAcc } from "./openacc/translate-site.ts";
import { withoutCounterpart } from "./openacc/without-counterpart.ts";
import { staysOnHost } from "./openmp/on-host.ts";
import { Queues, queueArray } from "./openmp/queues.ts";
import { sharedPointers } from "./openmp/shared-pointers.ts";
import { toOpenMp } from "./openmp/translate-site.ts";
import { editsOf, insertion, lineOf } from "./place.ts";
import { additionsLeft } from "./sites/additions.ts";
import { choosesDevice, deviceNumbers } from "./sites/device-numbers.ts";
import { extensionsLeft } from "./sites/extensions.ts";
import { factsOf } from "./sites/facts.ts";
import { sitesOf } from "./sites/find.ts";
import { CannotSay, type Rewrite } from "./sites/rewrite.ts";
import { isCompute, type Site } from "./sites/site.ts";
import { unseenDirectives } from "./sites/unseen.ts";
import { adviceBack, adviceIn } from "./text/advice.ts";
import { applyEdits, type Edit } from "./text/edits.ts";
import { headEdits } from "./text/head.ts";
import { type Kept, keptAs, keptIn, nothingKept, withoutKeptComments } from "./text/kept.ts";
import { namesIn } from "./text/scan.ts";

export interface Wishes {
  readonly to: Language;
  readonly openmp: OpenMpVersion;
  readonly map: MappingName;
  /** Another source that is translated with this one needs the device: this one's regions are for it, too. */
  readonly withDevice?: boolean;
  /** To OpenACC: comments that keep a directive are no directives. */
  readonly anew?: boolean;
}

/** Whether a mapping would make regions of a source for the host's threads. */
export function isForHost(source: Source, { to, map }: Wishes): boolean {
  if (to !== "openmp" || profiles[map].openmp.onHost !== true) return false;
  return staysOnHost(source.text, sitesOf(source, "openacc").sites);
}

export function translateSource(source: Source, wishes: Wishes): TranslatedSource {
  const { to, map } = wishes;
  const { text, program } = source;
  const from: Language = to === "openmp" ? "openacc" : "openmp";
  const errors = program.diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) return { text, decisions: [], diagnostics: errors };
  const { sites, diagnostics } = sitesOf(source, from);
  const { externals } = source.parsed.unit;
  const device = to === "openacc" ? onDevice(externals, source.file, sites, factsOf(program)) : undefined;
  const found: Diagnostic[] = [
    ...diagnostics,
    ...unseenDirectives(source, from, sites),
    ...(device
      ? [
          ...withoutCounterpart(externals),
          ...staticsOfBlocks(program),
          ...askedInRegions(source.file, sites, functionsOf(device, externals)),
        ]
      : []),
  ];
  const names = new Set(namesIn(text).map((name) => name.text));
  const queues = new Queues(unused("queue_of", names));
  const isBack = to === "openacc";
  let ordered: Dependences | undefined;
  const dependences = (): Dependences => {
    ordered ??= new Dependences(sites, queueArray.exec(text)?.[1]);
    return ordered;
  };
  const translateSite = translatorTo(
    source,
    sites,
    { queues, dependences, declared: device?.declared ?? new Set() },
    wishes,
  );
  const kept = isBack && map === "default" && !wishes.anew ? keptDirectives(text, dependences) : [];
  const isKept = ({ textSpan }: Site): boolean =>
    kept.some(({ edit }) => edit.start <= textSpan.start && textSpan.start < edit.end);
  const edits: Edit[] = [];
  const decisions: Decision[] = [];
  for (const site of sites) {
    if (isKept(site)) continue;
    try {
      const made = translateSite(site);
      const rewrite = map === "default" ? made : withoutKept(made);
      const siteEdits = editsOf(source, to, site, rewrite);
      if (!siteEdits)
        throw new CannotSay(
          site.directive.loc,
          `the end of the statement of '${site.directive.name}' comes out of a macro`,
          "put the statement into braces",
        );
      edits.push(...siteEdits);
      decisions.push(decision(text, to, site, rewrite));
    } catch (problem) {
      if (!(problem instanceof CannotSay)) throw problem;
      found.push(problem.diagnostic);
    }
  }
  const left = additionsLeft(source, sites, diagnostics);
  found.push(...left.diagnostics);
  edits.push(...left.edits);
  edits.push(...kept.map(({ edit }) => edit));
  decisions.push(...kept.map((one) => keptDecision(source, one)));
  const apart = [...sites.map(({ textSpan }) => textSpan), ...kept.map(({ edit }) => edit)];
  const api = apiOf(source, apart, wishes, queues);
  found.push(...api.diagnostics);
  edits.push(...api.edits);
  decisions.push(...api.decisions);
  if (device) edits.push(...routineEdits(source, sites, device));
  else
    try {
      edits.push(...pointerEdits(source, sites, wishes));
    } catch (problem) {
      if (!(problem instanceof CannotSay)) throw problem;
      found.push(problem.diagnostic);
    }
  const inserted = edits.map((edit) => edit.text).join("\n");
  if (to === "openacc") edits.push(...withoutQueues(text), ...(map === "default" ? adviceBack(text) : []));
  const head = headEdits(source, to, {
    inserted,
    declaration: inserted.includes(queues.name) ? queues.declaration : undefined,
    used: api.used,
  });
  found.push(...head.diagnostics);
  decisions.push(...head.decisions);
  if (found.length > 0) return { text, decisions: [], diagnostics: inOrder(found) };
  const made = applyEdits(text, [...edits, ...head.edits].map(withLineEnds(text)));
  return {
    text: isBack && kept.length === 0 ? withoutKeptComments(made) : made,
    decisions: decisions.sort((a, b) => a.loc.line - b.loc.line || a.loc.col - b.loc.col),
    diagnostics: to === "openmp" ? extensionsLeft(source) : [],
  };
}

const functionsOf = ({ declared, called }: OnDevice, externals: readonly External[]): Iterable<FunctionDef> =>
  new Set([
    ...called,
    ...externals.filter((e): e is FunctionDef => e.kind === "function" && declared.has(e.sym)),
  ]);

/** The translation of a site to a language. */
function translatorTo(
  source: Source,
  sites: readonly Site[],
  {
    queues,
    dependences,
    declared,
  }: {
    readonly queues: Queues;
    readonly dependences: () => Dependences;
    readonly declared: ReadonlySet<Symbol>;
  },
  wishes: Wishes,
): (site: Site) => Rewrite {
  const { to, openmp, map } = wishes;
  const isConstruct =
    to === "openmp"
      ? isCompute
      : ({ directive: d }: Site) => /^target( (teams|parallel|simd)\b|$)/.test(d.name);
  const facts = remapped(factsOf(source.program), sites, isConstruct, profiles[map][to].strategy);
  if (to === "openmp") {
    const onHost = wishes.withDevice !== true && isForHost(source, wishes);
    const context = { facts, sites, version: openmp, queues, onHost };
    return (site) => toOpenMp(site, context);
  }
  const { externals } = source.parsed.unit;
  const context = {
    ...{ facts, sites, externals, file: source.file, declared },
    deviceRole: deviceNumbers(externals),
    choosesDevice: choosesDevice(externals),
    knowsAlways: profiles[map].openacc.knowsAlways !== false,
  };
  return (site) => toOpenAcc(site, { ...context, dependences: dependences() });
}

/** Declarations of pointers that regions share with functions. */
function pointerEdits(source: Source, sites: readonly Site[], wishes: Wishes): readonly Edit[] {
  if (wishes.withDevice !== true && isForHost(source, wishes)) return [];
  const { externals } = source.parsed.unit;
  const mark = wishes.map === "default" ? ` ${nothingKept}` : "";
  return sharedPointers(externals, sites, factsOf(source.program)).flatMap((one) =>
    one.stmt.span.start.file === source.file ? (insertion(source, "openmp", one, mark) ?? []) : [],
  );
}

/** Directives for functions that OpenMP compiles for the device without being told. */
function routineEdits(source: Source, sites: readonly Site[], device: OnDevice): readonly Edit[] {
  const routines = impliedRoutines(source.parsed.unit.externals, source.file, sites, device);
  return routines.flatMap((one) => insertion(source, "openacc", one) ?? []);
}

function decision(text: string, to: Language, site: Site, rewrite: Rewrite): Decision {
  const { before = [], after = [], directives, because = [] } = rewrite;
  const own = directives.map((one) => `#pragma ${squeezed(lineOf(to, one))}`);
  const isComment = rewrite.kept && directives.length === 0;
  const advice = rewrite.advice === undefined || rewrite.kept ? [] : [adviceIn(rewrite.advice)];
  const kept = isComment ? [keptAs(site.written.words)] : advice;
  const inner = (rewrite.inside ?? []).flatMap(({ stmt, directives: list }) =>
    list.map((one) => `line ${stmt.span.start.line}: #pragma ${squeezed(lineOf(to, one))}`),
  );
  return {
    loc: site.directive.loc,
    was: site.added
      ? printPragma(site.directive.pragma)
      : squeezed(text.slice(site.textSpan.start, site.textSpan.end)),
    ...(site.added && { added: true }),
    now: [...before, ...own, ...kept, ...inner, ...after],
    because,
  };
}

/** Queues that comments name, and those that other tasks get, would not be the same: then there are none. */
function keptDirectives(text: string, dependences: () => Dependences): readonly Kept[] {
  const kept = keptIn(text);
  if (kept.length === 0) return [];
  try {
    return dependences().isForeign ? [] : kept;
  } catch (problem) {
    // What is wrong is said where it stands.
    if (!(problem instanceof CannotSay)) throw problem;
    return [];
  }
}

const withoutKept = ({ kept: _, ...rewrite }: Rewrite): Rewrite => rewrite;

function keptDecision({ text, file }: Source, { edit, text: was, line }: Kept): Decision {
  const loc = { file, line, col: edit.start - text.lastIndexOf("\n", edit.start - 1) };
  const because = ["a comment keeps it from a translation to OpenMP"];
  return { loc, was, now: edit.text === "" ? [] : [edit.text], because };
}

/** The array that stood for OpenACC's queues is removed with the dependences. */
function withoutQueues(text: string): readonly Edit[] {
  const found = queueArray.exec(text);
  return found ? [{ start: found.index, end: found.index + found[0].length, text: "" }] : [];
}

/** What is inserted ends its lines as the file does. */
const withLineEnds = (text: string): ((edit: Edit) => Edit) =>
  /^[^\n]*\r\n/.test(text)
    ? (edit) => ({ ...edit, text: edit.text.replace(/(?<!\r)\n/g, "\r\n") })
    : (edit) => edit;

const squeezed = (text: string): string => text.replace(/(?:\\\r?\n|\s)+/g, " ").trim();

const inOrder = (list: readonly Diagnostic[]): readonly Diagnostic[] =>
  [...list].sort((a, b) => a.loc.line - b.loc.line || a.loc.col - b.loc.col);

function unused(name: string, used: ReadonlySet<string>): string {
  let found = name;
  for (let i = 2; used.has(found); i++) found = `${name}_${i}`;
  return found;
}
