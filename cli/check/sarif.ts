/** Findings as SARIF 2.1.0 (OASIS, 2020), which code hosts and editors show beside the lines. */
import type { Finding, Rule } from "../../rules/plan/check.ts";
import type { Diagnostic } from "../../schema/document/diagnostic.ts";
import { inUtf16, type LineOf } from "./utf16-columns.ts";

const schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/** `line`: of the files that findings are in, for columns. */
export function sarif(findings: readonly Finding[], rules: readonly Rule[], line: LineOf): string {
  return logOf(
    findings.map((finding) => inUtf16(finding, line)),
    rules.map(ruleOf),
  );
}

/** For findings whose rules have no documentation pages, such as those of a build. */
export function sarifOf(findings: readonly Diagnostic[], line: LineOf): string {
  const codes = [...new Set(findings.map(({ code }) => code))].sort();
  return logOf(
    findings.map((finding) => inUtf16(finding, line)),
    codes.map((id) => ({ id })),
  );
}

function logOf(
  findings: readonly (Diagnostic | Finding)[],
  rules: readonly { readonly id: string }[],
): string {
  const log = {
    $schema: schema,
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "arc", rules } },
        columnKind: "utf16CodeUnits",
        results: findings.map((finding) => resultOf(finding, rules)),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

const ruleOf = ({ name, summary, severity, page }: Rule) => ({
  id: name,
  shortDescription: { text: summary },
  fullDescription: { text: page.why },
  help: { text: `${page.why}\n\nInstead of\n\n${page.bad}\n\nwrite\n\n${page.good}\n` },
  defaultConfiguration: { level: severity },
});

function resultOf(finding: Diagnostic | Finding, rules: readonly { readonly id: string }[]) {
  const { code, severity, message, why, remedy, loc, end, notes } = finding;
  const { certainty, fix } = "certainty" in finding ? finding : {};
  const text = [message, why && `Why: ${why}`, remedy && `To mend it: ${remedy}`]
    .flatMap((sentence) => (sentence ? [sentence.replace(/\.?$/, ".")] : []))
    .join(" ");
  return {
    ruleId: code,
    ruleIndex: rules.findIndex(({ id }) => id === code),
    level: severity,
    message: { text },
    locations: [{ physicalLocation: location(loc, end) }],
    ...(notes && {
      relatedLocations: notes.map((note, id) => ({
        id,
        physicalLocation: location(note.loc ?? loc),
        message: { text: note.message },
      })),
    }),
    ...(fix && {
      fixes: [
        {
          description: { text: remedy ?? message },
          artifactChanges: fix.map((edit) => ({
            artifactLocation: { uri: uriOf(edit.loc.file) },
            replacements: [
              {
                deletedRegion: region(edit.loc, edit.end),
                insertedContent: { text: edit.text },
              },
            ],
          })),
        },
      ],
    }),
    ...(certainty && { properties: { certainty } }),
  };
}

const location = (loc: Finding["loc"], end?: Finding["end"]) => ({
  artifactLocation: { uri: uriOf(loc.file) },
  region: region(loc, end),
});

const region = (loc: Finding["loc"], end?: Finding["end"]) => ({
  startLine: loc.line,
  startColumn: loc.col,
  ...(end && { endLine: end.line, endColumn: end.col }),
});

const uriOf = (file: string): string => encodeURI(file.replaceAll("\\", "/"));
