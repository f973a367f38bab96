/** `arc report`: shows what was built and compares variants: times, resources, comparisons with the serial program. */

import { writeFileSync } from "node:fs";
import path from "node:path";
import { type Call, type Status, status } from "../call/call.ts";
import { UsageError } from "../call/usage-error.ts";
import { refuseUnknownTargets } from "../project/unknown-target.ts";
import { loadIfThere, type Workspace, withWorkspace } from "../project/workspace.ts";
import {
  baselineOfCommit,
  cleanCommit,
  isCommit,
  lastBaseline,
  readBaseline,
  type Sources,
} from "../report/baseline.ts";
import { type Chooser, chooserOf, unknownWord } from "../report/chosen-variants.ts";
import { reportText } from "../report/document.ts";
import { brokenBudgets, parseBudget } from "../report/model/budgets.ts";
import { collect } from "../report/model/collect.ts";
import { compare, type VariantComparison } from "../report/model/compare.ts";
import { isWrong } from "../report/model/figures.ts";
import type { EarlierReport } from "../report/model/page-data.ts";
import type { VariantReport } from "../report/model/report.ts";
import { keepReport } from "../report/stored.ts";
import { brokenText } from "../report/text/budgets.ts";
import { type Against, compareRows } from "../report/text/compare-table.ts";
import { csv } from "../report/text/csv.ts";
import { markdownTable } from "../report/text/markdown.ts";
import { columnTexts } from "../report/text/rows.ts";
import { terminalReport } from "../report/text/terminal.ts";
import { fitted } from "../show/fit.ts";
import { plural, someOf } from "../show/words.ts";

declare const ARC_VERSION: string;

const formats = ["text", "csv", "markdown", "json"] as const;
type Format = (typeof formats)[number];

export function run(call: Call): Promise<Status> {
  const format = formatOf(call);
  const choose = chooserOf(call);
  const reports = call.repeated?.compare ?? [];
  const against = reports.at(-1);
  if (against !== undefined && format === "csv")
    throw new UsageError(
      "a comparison has no form as CSV",
      "write --format markdown, or leave --compare out",
    );
  const page = pageOf(call);
  if (page === undefined && reports.length > 1)
    throw new UsageError(
      "several reports to compare with are a history, which only a page shows",
      "add --html FILE, or leave all but one --compare out",
    );
  const isEarlier = against === "" || (against !== undefined && namesReport(call, against));
  // The variant to compare with is included even if the addresses do not name it; alone it means its whole target.
  const base = against === undefined || isEarlier || page !== undefined ? undefined : against;
  const { positionals, options } = call;
  // Of the first variant alone none would be the best.
  const isAll = options.all === true || options.best !== undefined;
  const patterns =
    base === undefined || (positionals.length === 0 && isAll)
      ? positionals
      : [base, ...(positionals.length > 0 ? positionals : [`${base.replace(/:.*/, "")}:*`])];
  const whole: Call = isAll ? { ...call, options: { ...options, all: true } } : call;
  return withWorkspace(whole, patterns, async (workspace) => {
    // The base is judged with what it may be instead of a target.
    refuseUnknownTargets(positionals, workspace.project, workspace.plan.variants);
    if (workspace.project.targets.length === 0 && format === "text" && page === undefined)
      throw new UsageError(
        "there is nothing to report: arc.yaml has no targets",
        "add `targets: { cpu: { kind: host } }`",
      );
    const all = await collect(workspace);
    const { root, budgets } = workspace.project;
    const sources = { root, baseline: budgets?.baseline };
    const earlier = isEarlier ? earlierReport(against ?? "", call, sources, all) : undefined;
    const history = page === undefined ? [] : reports.map((name) => earlierReport(name, call, sources, all));
    keepReport(root, all, { at: Date.now(), commit: cleanCommit(root) });
    const isWithinBudgets =
      options.budgets === true ? keepsBudgets(call, workspace.project, all, earlier?.variants) : true;
    const ended = isWithinBudgets ? status.done : status.failed;
    if (page !== undefined) {
      const { collectPage } = await import("../report/model/collect-page.ts");
      const { htmlReport } = await import("../report/html/html.ts");
      writeFileSync(page, htmlReport(await collectPage(workspace, choose(all), history, Date.now())));
      call.err(`arc: the report is in ${path.relative(call.cwd, page)}\n`);
      return ended;
    }
    const wrong = options.best === undefined ? [] : all.filter(isWrong);
    if (wrong.length > 0)
      call.err(`arc: left out, as results differ: ${wrong.map(({ address }) => address).join(", ")}\n`);
    // A name that the user gave needs no explanation.
    if (earlier !== undefined && earlier.name !== against) call.err(`arc: compared with ${earlier.name}\n`);
    if (earlier !== undefined && whole.options.all === true && positionals.length === 0) {
      const here = new Set(all.map(({ address }) => address));
      const gone = earlier.variants.flatMap(({ address }) => (here.has(address) ? [] : [address]));
      if (gone.length > 0) call.err(`arc: no longer there: ${someOf(gone, SOME)}\n`);
    }
    if (against === undefined) call.out(rendered(choose(all), format, call.outColumns()));
    else
      call.out(
        renderedComparison(
          comparisons(all, earlier?.variants, against, choose),
          earlier === undefined ? "another" : "earlier",
          format,
          call.outColumns(),
        ),
      );
    return ended;
  });
}

/** How many variants are named. */
const SOME = 8;

/** A file, also in a commit, comes before a target or variant of that name, and these before a commit. */
function namesReport(call: Call, name: string): boolean {
  if (readBaseline(name, call.cwd) !== undefined) return true;
  const project = loadIfThere(call);
  const isTarget = project?.targets.some((target) => target.name === name.replace(/:.*/, "")) ?? false;
  return !isTarget && project !== undefined && isCommit(name, project.root);
}

/** `name`: empty for the last one. */
function earlierReport(
  name: string,
  { cwd }: Call,
  sources: Sources,
  variants: readonly VariantReport[],
): EarlierReport {
  if (name === "") return lastBaseline(sources, variants);
  const read = readBaseline(name, cwd);
  if (read !== undefined) return { name, variants: read };
  const found = baselineOfCommit(name, sources);
  if (found !== undefined) return found;
  throw new UsageError(
    `--compare ${name} names no report`,
    "name a file that `arc report --all --json` wrote, or a commit; variants are compared on the page itself",
  );
}

/**
 * Reports broken budgets and by how much; `earlier`: the baseline that the call names. Returns whether all are kept.
 */
function keepsBudgets(
  call: Call,
  { budgets, root }: Workspace["project"],
  variants: readonly VariantReport[],
  earlier: readonly VariantReport[] | undefined,
): boolean {
  if (budgets === undefined)
    throw new UsageError("arc.yaml has no `budgets`", "write `budgets: { fail: [clock drops 5 %] }`");
  const parsed = budgets.fail.map((text) => {
    const budget = parseBudget(text);
    if ("error" in budget) throw new UsageError(`arc.yaml's budgets: ${budget.error}`, budget.remedy);
    return budget;
  });
  const { baseline } = budgets;
  const base = earlier ?? (baseline === undefined ? undefined : readBaseline(baseline, root));
  const relative = parsed.find(({ limit }) => limit.than === "baseline");
  if (base === undefined && relative !== undefined)
    throw new UsageError(
      baseline === undefined
        ? `\`${relative.text}\` has nothing to be compared with`
        : `the baseline ${baseline} is not there`,
      `\`arc report --all --json > ${baseline ?? "FILE"}\` writes one, for \`budgets: { baseline: ${baseline ?? "FILE"} }\``,
    );
  const broken = brokenBudgets(parsed, variants, base ?? []);
  for (const one of broken) call.err(`arc: ${brokenText(one)}\n`);
  const all = plural(parsed.length, "budget");
  if (broken.length === 0) call.err(`arc: ${all} kept by ${plural(variants.length, "variant")}\n`);
  return broken.length === 0;
}

/** Where the HTML page is written. */
function pageOf({ options, cwd }: Call): string | undefined {
  if (options.html === undefined) return undefined;
  if (options.format !== undefined || options.json === true)
    throw new UsageError("a page has a form of its own", "leave --format and --json out, or --html");
  return path.resolve(cwd, String(options.html));
}

function formatOf({ options }: Call): Format {
  if (options.format === undefined) return options.json === true ? "json" : "text";
  const found = formats.find((format) => format === options.format);
  if (found !== undefined) return found;
  throw unknownWord("format", String(options.format), formats);
}

/** Comparisons with another variant, or of each variant with its earlier state. */
function comparisons(
  all: readonly VariantReport[],
  earlier: readonly VariantReport[] | undefined,
  against: string,
  choose: Chooser,
): readonly VariantComparison[] {
  if (earlier !== undefined)
    return choose(all).map((variant) =>
      compare(
        variant,
        earlier.find(({ address }) => address === variant.address),
      ),
    );
  const [base, ...others] = all.filter(
    ({ address, target, called = [] }) =>
      address === against ||
      called.some((name) => `${target}:${name}` === against) ||
      (target === against && !against.includes(":")),
  );
  if (base === undefined || others.length > 0)
    throw new UsageError(
      `--compare ${against} names ${base === undefined ? "no variant, report or commit" : "several variants"}`,
      "name one variant as `target:variant`, a file that `arc report --all --json` wrote, or a commit",
    );
  return [compare(base, base), ...choose(all.filter((one) => one !== base)).map((one) => compare(one, base))];
}

function rendered(variants: readonly VariantReport[], format: Format, width: number): string {
  switch (format) {
    case "json":
      return reportText(variants, ARC_VERSION);
    case "csv":
      return csv(variants);
    case "markdown": {
      const { header, lines } = columnTexts(variants);
      return markdownTable([header, ...lines]);
    }
    case "text":
      return terminalReport(variants, width);
  }
}

function renderedComparison(
  compared: readonly VariantComparison[],
  against: Against,
  format: Format,
  width: number,
): string {
  if (format === "json") return `${JSON.stringify(compared.map(plain))}\n`;
  const rows = compareRows(compared, against);
  return format === "markdown" ? markdownTable(rows) : fitted(rows, width);
}

/** Without functions, which JSON cannot represent. */
const plain = ({ variant, changes }: VariantComparison) => ({
  address: variant.address,
  changes: changes.map(({ figure: { key, unit }, ...change }) => ({ figure: key, unit, ...change })),
});
