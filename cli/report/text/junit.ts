/** Comparisons as JUnit XML, which GitLab, Jenkins and others display: one suite per variant, one case per run. */
import type { ComparedRun } from "../model/compared-runs.ts";

export function junitXml(project: string, runs: readonly ComparedRun[]): string {
  const variants = [...new Set(runs.map(({ variant }) => variant))];
  const suites = variants.map((variant) =>
    suite(
      variant,
      runs.filter((run) => run.variant === variant),
    ),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${quoted(project)}" ${totals(runs)}>\n${suites.join("")}</testsuites>\n`;
}

const suite = (variant: string, runs: readonly ComparedRun[]): string =>
  `  <testsuite name="${quoted(variant)}" ${totals(runs)}>\n${runs.map(testCase).join("")}  </testsuite>\n`;

function totals(runs: readonly ComparedRun[]): string {
  const ended = (how: ComparedRun["end"]["how"]): number => runs.filter(({ end }) => end.how === how).length;
  const time = runs.reduce((sum, { seconds }) => sum + seconds, 0);
  return `tests="${runs.length}" failures="${ended("differs")}" errors="${ended("error")}" skipped="${ended("skipped")}" time="${time.toFixed(3)}"`;
}

function testCase({ variant, run, seconds, end }: ComparedRun): string {
  const head = `    <testcase classname="${quoted(variant)}" name="${quoted(run)}" time="${seconds.toFixed(3)}"`;
  switch (end.how) {
    case "same":
      return `${head}/>\n`;
    case "differs":
      return `${head}><failure type="differs" message="${quoted(end.message)}">${quoted(end.details)}</failure></testcase>\n`;
    case "error":
      return `${head}><error type="not-compared" message="${quoted(end.message)}"/></testcase>\n`;
    case "skipped":
      return `${head}><skipped message="${quoted(end.message)}"/></testcase>\n`;
  }
}

/** XML 1.0 cannot represent most control characters. */
const quoted = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
    .replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)
    .replace(/[\t\n\r]/g, (mark) => `&#${mark.charCodeAt(0)};`);
