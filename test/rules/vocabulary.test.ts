import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { publishedSchema } from "../../rules/published-schema.ts";
import { vocabulary } from "../../rules/vocabulary.ts";
import { checkAxes } from "../../schema/document/axis.ts";
import { loadProject } from "../../schema/load.ts";

const root = path.resolve(import.meta.dirname, "../..");
const examples = readdirSync(path.join(root, "examples"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => path.join(root, "examples", entry.name));

describe("the axes of all passes", () => {
  it("have distinguishable names in variants", () => {
    expect(checkAxes(vocabulary.axes)).toEqual([]);
  });
});

describe("the published schema", () => {
  // Lax, as editors are: what they do not know they pass over.
  const validate = new Ajv({ strict: false }).compile(JSON.parse(publishedSchema()));

  it("is what the build leaves beside the bundle", () => {
    expect(readFileSync(path.join(root, "dist/arc.schema.json"), "utf8")).toBe(publishedSchema());
  });

  it.each(examples)("accepts %s", (folder) => {
    expect(validate(parse(readFileSync(path.join(folder, "arc.yaml"), "utf8")))).toBe(true);
    expect(loadProject(folder, vocabulary).diagnostics).toEqual([]);
  });

  it("refuses what the loader refuses", () => {
    const wrong = { arc: 1, project: "p", targets: { a: { kind: "hots" } } };
    expect(validate(wrong)).toBe(false);
    expect(validate({ ...wrong, targets: { a: { kind: "host", arch: "sm_90" } } })).toBe(false);
    expect(validate({ ...wrong, targets: { a: { kind: "host" } }, sorces: [] })).toBe(false);
  });
});
