/** The arrows of ARCHITECTURE.md, kept: who may import whom. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

/** A folder and the folders it may import besides itself; the longest name that fits a file decides. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  "core/build": [],
  "core/lang": [],
  "core/ir": ["core/lang"],
  "core/hw": ["core/ir", "core/lang"],
  schema: [],
  "targets/shared": ["core/ir", "core/lang"],
  // Any kind: a folder of targets/ may import the shared one, never another kind.
  "targets/*": ["targets/shared", "targets/devices", "core/ir", "core/lang", "core/hw"],
  "targets/registry.ts": ["targets"],
  rules: ["targets", "core", "schema"],
  cli: ["rules", "schema", "core/build"],
};
const rooms = ["core", "schema", "targets", "rules", "cli"];

/** File -> relative imports, resolved. Types count: a room that needs another's types needs the room. */
type Imports = ReadonlyMap<string, readonly string[]>;

function violations(imports: Imports): readonly string[] {
  return [...imports].flatMap(([file, targets]) => {
    const room = roomOf(file);
    const allowed = [room.folder, ...room.mayImport];
    return targets
      .filter((target) => !allowed.some((folder) => target === folder || target.startsWith(`${folder}/`)))
      .map((target) => `${file} imports ${target}`);
  });
}

function roomOf(file: string): { folder: string; mayImport: readonly string[] } {
  const parts = file.split("/");
  for (let length = parts.length; length > 0; length--) {
    const folder = parts.slice(0, length).join("/");
    const any = length === 2 && parts.length > 2 ? `${parts[0]}/*` : undefined;
    const mayImport = arrows[folder] ?? (any === undefined ? undefined : arrows[any]);
    if (mayImport !== undefined) return { folder, mayImport };
  }
  throw new Error(`${file} stands in no room`);
}

/** A chain of imports that leads back to its start. */
function findCycle(imports: Imports): readonly string[] | undefined {
  const done = new Set<string>();
  const walk = (file: string, trail: readonly string[]): readonly string[] | undefined => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const target of imports.get(file) ?? []) {
      const cycle = walk(target, [...trail, file]);
      if (cycle !== undefined) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of imports.keys()) {
    const cycle = walk(file, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

function readImports(types: "with types" | "without types"): Imports {
  const root = path.resolve(import.meta.dirname, "..");
  const files = rooms.flatMap((room) =>
    readdirSync(path.join(root, room), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => path.join(room, file)),
  );
  return new Map(
    files.map((file) => {
      const found = importsOf(readFileSync(path.join(root, file), "utf8"), types);
      return [file, found.map((specifier) => path.join(path.dirname(file), specifier))];
    }),
  );
}

/** Static imports and re-exports; those inside `import()` load later and close no cycle. */
function importsOf(source: string, types: "with types" | "without types"): readonly string[] {
  const statements = source.matchAll(/^(?:import|export)\b(\s+type\b)?[^;"]*?"(\.[^"]+)"/gm);
  const dynamic = source.matchAll(/\bimport\("(\.[^"]+)"\)/g);
  return [
    ...[...statements]
      .filter(([, type]) => types === "with types" || type === undefined)
      .map(([, , name = ""]) => name),
    ...(types === "with types" ? [...dynamic].map(([, name = ""]) => name) : []),
  ];
}

describe("imports", () => {
  it("follow the arrows between the rooms", () => {
    const imports = readImports("with types");
    expect(imports.size).toBeGreaterThan(50);
    expect([...imports.values()].flat().length).toBeGreaterThan(imports.size);
    expect(violations(imports)).toEqual([]);
  });

  it("form no cycle", () => {
    expect(findCycle(readImports("without types"))).toBeUndefined();
  });
});

describe("the import rule", () => {
  it.each([
    ["core/build/engine.ts", "core/lang/ast.ts"],
    ["core/lang/parser.ts", "core/ir/ir.ts"],
    ["core/ir/ir.ts", "core/build/action.ts"],
    ["schema/load.ts", "core/build/action.ts"],
    ["targets/cuda/emit.ts", "targets/opencl/emit.ts"],
    ["targets/shared/lower.ts", "targets/cuda/emit.ts"],
    ["targets/cuda/emit.ts", "core/build/action.ts"],
    ["rules/plan.ts", "cli/main.ts"],
    ["cli/main.ts", "core/lang/parser.ts"],
    ["cli/main.ts", "targets/registry.ts"],
  ])("catches that %s imports %s", (file, target) => {
    expect(violations(new Map([[file, [target]]]))).toEqual([`${file} imports ${target}`]);
  });

  it("allows what the arrows allow", () => {
    const imports: Imports = new Map([
      ["targets/cuda/emit.ts", ["targets/cuda/kind.ts", "targets/shared/lower.ts", "core/ir/ir.ts"]],
      ["targets/registry.ts", ["targets/cuda/kind.ts", "targets/shared/kind.ts"]],
      ["cli/main.ts", ["rules/plan.ts", "schema/load.ts", "core/build/engine.ts"]],
    ]);
    expect(violations(imports)).toEqual([]);
  });

  it("catches a cycle, and names it", () => {
    const imports: Imports = new Map([
      ["a.ts", ["b.ts"]],
      ["b.ts", ["c.ts"]],
      ["c.ts", ["b.ts"]],
    ]);
    expect(findCycle(imports)).toEqual(["b.ts", "c.ts", "b.ts"]);
  });

  it("reads every form of import", () => {
    const source = `import a from "./a.ts";\nimport type { B } from "./b.ts";\nimport {\n  c,\n} from "../c.ts";
export * from "./d.ts";\nimport "./e.ts";\nimport fs from "node:fs";\nconst f = await import("./f.ts");\n`;
    expect(importsOf(source, "with types")).toEqual([
      "./a.ts",
      "./b.ts",
      "../c.ts",
      "./d.ts",
      "./e.ts",
      "./f.ts",
    ]);
    expect(importsOf(source, "without types")).toEqual(["./a.ts", "../c.ts", "./d.ts", "./e.ts"]);
  });
});
