/** SARIF as code hosts take it: what 2.1.0 demands of the objects that arc writes, and positions that edits can be made at. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { Ajv } from "ajv";
import { expect, it } from "vitest";
import { sarif, sarifOf } from "../../../cli/check/sarif.ts";
import type { Finding } from "../../../rules/plan/check.ts";
import { Rig } from "../rig.ts";

const text = {
  type: "object",
  properties: { text: { type: "string" } },
  required: ["text"],
  additionalProperties: false,
};
const positive = { type: "integer", minimum: 1 };
const list = (items: object, more = {}) => ({ type: "array", items, ...more });
const object = (properties: Record<string, object>, ...required: string[]) => ({
  ...{ type: "object", properties, required, additionalProperties: false },
});
const artifactLocation = object({ uri: { type: "string", pattern: '^[^\\s<>"{}|\\\\^`]+$' } });
const region = object(
  { startLine: positive, startColumn: positive, endLine: positive, endColumn: positive },
  "startLine",
);
const location = object({
  id: { type: "integer", minimum: -1 },
  physicalLocation: object({ artifactLocation, region }, "artifactLocation"),
  message: text,
});
/** Sections 3.13 to 3.58 of the standard, as far as arc writes their objects; no property besides those. */
const schema = object(
  {
    $schema: { type: "string" },
    version: { const: "2.1.0" },
    runs: list(
      object(
        {
          tool: object(
            {
              driver: object(
                {
                  name: { type: "string" },
                  rules: list(
                    object(
                      {
                        ...{
                          id: { type: "string" },
                          shortDescription: text,
                          fullDescription: text,
                          help: text,
                        },
                        defaultConfiguration: object({
                          level: { enum: ["none", "note", "warning", "error"] },
                        }),
                      },
                      "id",
                    ),
                    { uniqueItems: true },
                  ),
                },
                "name",
              ),
            },
            "driver",
          ),
          columnKind: { enum: ["utf16CodeUnits", "unicodeCodePoints"] },
          results: list(
            object(
              {
                ruleId: { type: "string" },
                ruleIndex: { type: "integer", minimum: -1 },
                level: { enum: ["none", "note", "warning", "error"] },
                message: text,
                locations: list(location),
                relatedLocations: list(location, { uniqueItems: true }),
                fixes: list(
                  object(
                    {
                      description: text,
                      artifactChanges: list(
                        object(
                          {
                            artifactLocation,
                            replacements: list(
                              object({ deletedRegion: region, insertedContent: text }, "deletedRegion"),
                              { minItems: 1 },
                            ),
                          },
                          "artifactLocation",
                          "replacements",
                        ),
                        { minItems: 1, uniqueItems: true },
                      ),
                    },
                    "artifactChanges",
                  ),
                  { uniqueItems: true },
                ),
                properties: { type: "object" },
              },
              "message",
            ),
          ),
        },
        "tool",
      ),
    ),
  },
  "version",
  "runs",
);

const holds = new Ajv({ allErrors: true }).compile(schema);

/** The published JSON Schema of 2.1.0, as a package carries it: of draft 4, whose names for itself Ajv does not know. */
const published = path.resolve(
  import.meta.dirname,
  "../../../node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json",
);
const isPublished = existsSync(published);
const holdsPublished = isPublished ? publishedSchema() : undefined;

function publishedSchema() {
  const { $schema: _, id: __, ...body } = JSON.parse(readFileSync(published, "utf8"));
  return new Ajv({ allErrors: true, strict: false, validateFormats: false, unicodeRegExp: false }).compile(
    body,
  );
}

function logOf(text: string) {
  const log = JSON.parse(text);
  expect(holds(log), JSON.stringify(holds.errors)).toBe(true);
  if (holdsPublished) expect(holdsPublished(log), JSON.stringify(holdsPublished.errors)).toBe(true);
  return log;
}

it.skipIf(!isPublished)("is compared with the published schema, which refuses what is none", () => {
  expect(holdsPublished?.({ version: "2.1.0", runs: [{ tool: { driver: { nam: "arc" } } }] })).toBe(false);
});

const source = `void f(int n, int *a, int *b) {
  int t;
  /* größer */ b[0] = 1;
  /* größer */
#pragma   omp  /* größer */ parallel   for\tschedule(static)
  for (int i = 0; i < n; i++) {
    t = a[i];
    b[i] = t;
  }
}
`;

it("has what the standard demands, and edits that mend the file as arc check --fix does", async () => {
  const rig = new Rig({ "ein ordner/größe.c": source });
  const { out } = await rig.arc(["check", "ein ordner/größe.c", "--format", "sarif"]);
  const [{ results }] = logOf(out).runs;
  const [change] = results[0].fixes[0].artifactChanges;
  const lines = source.split("\n");
  for (const { deletedRegion: at, insertedContent } of change.replacements) {
    expect(at.endLine).toBe(at.startLine);
    const line = lines[at.startLine - 1] ?? "";
    lines[at.startLine - 1] =
      line.slice(0, at.startColumn - 1) + insertedContent.text + line.slice(at.endColumn - 1);
  }
  const json = JSON.parse((await rig.arc(["check", "ein ordner/größe.c", "--json"])).out);
  // arc's own format counts bytes.
  expect(json.findings[0].fix[0].loc.col).toBe(Buffer.from(source.split("\n")[4] ?? "").length + 1);
  await rig.arc(["check", "ein ordner/größe.c", "--fix"]);
  expect(lines.join("\n")).not.toBe(source);
  expect(lines.join("\n")).toBe(rig.read("ein ordner/größe.c"));
});

it("counts columns in units of UTF-16, as it says", () => {
  const line = (_: string, k: number) => ["", "/* ö */ int x;", "/* 𝛼 */ int y;"][k];
  const at = (line: number, col: number) => ({ file: "a b.c", line, col });
  const one = { severity: "error", code: "c", message: "m" } as const;
  const fix = [{ loc: at(2, 15), end: at(2, 16), text: "z" }];
  const found: Finding[] = [
    { ...one, loc: at(1, 10), end: at(1, 13), certainty: "proved" } as Finding,
    {
      ...one,
      loc: at(2, 12),
      notes: [{ message: "n", loc: at(2, 15) }],
      fix,
      certainty: "proved",
    } as Finding,
    // Beyond the file, and beyond a line.
    { ...one, loc: at(9, 4), certainty: "proved" } as Finding,
    { ...one, loc: at(1, 17), certainty: "proved" } as Finding,
  ];
  const [{ results }] = logOf(sarif(found, [], line)).runs;
  const regionOf = (k: number) => results[k].locations[0].physicalLocation.region;
  expect(regionOf(0)).toEqual({ startLine: 1, startColumn: 9, endLine: 1, endColumn: 12 });
  expect(regionOf(1)).toEqual({ startLine: 2, startColumn: 10 });
  expect(results[1].relatedLocations[0].physicalLocation.region.startColumn).toBe(13);
  expect(results[1].fixes[0].artifactChanges[0].replacements[0].deletedRegion).toEqual({
    ...{ startLine: 2, startColumn: 13, endLine: 2, endColumn: 14 },
  });
  expect([regionOf(2).startColumn, regionOf(3).startColumn]).toEqual([4, 16]);
  logOf(sarifOf(found, line));
  logOf(sarifOf([], line));
});

it("a build's findings are at their places in directives, too", { timeout: 120_000 }, async () => {
  const broken = source.replace(/omp .*$/m, "acc  /* größer */ parallel   loop cpoy(a[0:n])");
  const rig = new Rig({
    "arc.yaml": "arc: 1\nproject: p\nsources: [a.c]\ntargets: { cpu: { kind: host } }\n",
    "a.c": broken,
  });
  const { err } = await rig.arc(["build", "--sarif", "a.sarif"]);
  const [{ results }] = logOf(rig.read("a.sarif")).runs;
  const line = broken.split("\n")[4] ?? "";
  expect(err).toContain("cpoy");
  expect(results[0].locations[0].physicalLocation.region).toMatchObject({
    startLine: 5,
    startColumn: line.indexOf("cpoy") + 1,
  });
});
