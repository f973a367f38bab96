/** Enforces the table of rooms in ARCHITECTURE.md and the tables of parts in docs/rooms.md: who may import whom. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "..");

/** A folder and the folders it may import besides itself; the longest name that fits a file decides. */
const arrows = readArrows(readFileSync(path.join(root, "ARCHITECTURE.md"), "utf8"));
const rooms = ["core", "schema", "targets", "rules", "cli"];

/** Rows of the table of rooms: its name, what it holds, and the rooms that it may import. */
function readArrows(text: string): Readonly<Record<string, readonly string[]>> {
  const named = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
  const rows = [...text.matchAll(/^\| (`.*) \|$/gm)].map(([, row = ""]): [string, readonly string[]] => {
    const cells = row.split(" | ");
    const [room] = named(cells[0] ?? "");
    const mayImport = named(cells[2] ?? "");
    if (room === undefined || cells.length !== 3 || (mayImport.length === 0 && cells[2] !== "nothing"))
      throw new Error(`ARCHITECTURE.md: what is this row of the rooms? ${row}`);
    return [room, mayImport];
  });
  return Object.fromEntries(rows);
}

/** File -> relative imports, resolved. Types count: a room that needs another's types needs the room. */
type Imports = ReadonlyMap<string, readonly string[]>;

function violations(imports: Imports): readonly string[] {
  return [...imports].flatMap(([file, targets]) => {
    const room = roomOf(file);
    return targets
      .filter((target) => !isInside(target, room.folder) && !room.mayImport.some((one) => opens(one, target)))
      .map((target) => `${file} imports ${target}`);
  });
}

const isInside = (file: string, folder: string) => file === folder || file.startsWith(`${folder}/`);

/** Whether an arrow to a room covers a file: not if the file belongs to a room inside it. */
const opens = (room: string, file: string) =>
  isInside(file, room) && (arrows[room] === undefined || roomOf(file).folder === room);

/** `row`: the name of the table's row that speaks of the folder. */
function roomOf(file: string): { folder: string; row: string; mayImport: readonly string[] } {
  const parts = file.split("/");
  for (let length = parts.length; length > 0; length--) {
    const folder = parts.slice(0, length).join("/");
    const any = length === 2 && parts.length > 2 ? `${parts[0]}/<kind>` : folder;
    const row = arrows[folder] === undefined ? any : folder;
    const mayImport = arrows[row];
    if (mayImport !== undefined) return { folder, row, mayImport };
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

function readImports(): Imports {
  const files = rooms.flatMap((room) =>
    readdirSync(path.join(root, room), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => path.join(room, file)),
  );
  return new Map(
    files.map((file) => {
      const found = importsOf(readFileSync(path.join(root, file), "utf8"));
      return [file, found.map((specifier) => path.join(path.dirname(file), specifier))];
    }),
  );
}

/** Imports and re-exports, of types too, and `import()`. */
function importsOf(source: string): readonly string[] {
  const statements = source.matchAll(/^(?:import|export)\b[^;"]*?"(\.[^"]+)"/gm);
  const dynamic = source.matchAll(/\bimport\("(\.[^"]+)"\)/g);
  return [...statements, ...dynamic].map(([, name = ""]) => name);
}

describe("imports", () => {
  it("follow the arrows between the rooms", () => {
    const imports = readImports();
    expect(imports.size).toBeGreaterThan(50);
    expect([...imports.values()].flat().length).toBeGreaterThan(imports.size);
    expect(violations(imports)).toEqual([]);
  });

  it("use every arrow", () => {
    const imports = [...readImports()];
    const unused = Object.entries(arrows).flatMap(([folder, mayImport]) =>
      mayImport
        .filter(
          (room) =>
            !imports.some(
              ([file, all]) => roomOf(file).row === folder && all.some((to) => to.startsWith(room)),
            ),
        )
        .map((room) => `${folder} -> ${room}`),
    );
    expect(unused).toEqual([]);
  });

  it("form no cycle", () => {
    expect(findCycle(readImports())).toBeUndefined();
  });
});

/** A room's parts and the parts that each uses, from the tables of docs/rooms.md. */
function readParts(text: string): ReadonlyMap<string, Readonly<Record<string, readonly string[]>>> {
  const sections = text.split(/^## /m).slice(1);
  return new Map(sections.map((section) => [section.slice(0, section.indexOf("\n")), readArrows(section)]));
}

/** What the imports say instead. */
function usedParts(room: string, imports: Imports): Readonly<Record<string, readonly string[]>> {
  const partOf = (file: string) => path.relative(room, path.dirname(file)) || ".";
  const own = [...imports].filter(([file]) => isInside(file, room));
  const parts = [...new Set(own.map(([file]) => partOf(file)))];
  return Object.fromEntries(
    parts.map((part) => {
      const used = own.filter(([file]) => partOf(file) === part).flatMap(([, targets]) => targets);
      const others = used.filter((file) => isInside(file, room) && isSource(file)).map(partOf);
      return [part, [...new Set(others)].filter((other) => other !== part).sort()];
    }),
  );
}

const isSource = (file: string) => /\.tsx?$/.test(file);

describe("the parts of a room", () => {
  const parts = readParts(readFileSync(path.join(root, "docs/rooms.md"), "utf8"));

  it.each([...parts])("of %s use each other as docs/rooms.md says", (room, said) => {
    expect(usedParts(room, readImports())).toEqual(said);
  });

  it("are told of every room that has some", () => {
    const files = [...readImports().keys()];
    const divided = files.filter((file) => path.dirname(file).startsWith(`${roomOf(file).folder}/`));
    expect([...new Set(divided.map((file) => roomOf(file).folder))].sort()).toEqual([...parts.keys()].sort());
  });

  it("form no circle", () => {
    const folders = new Map<string, Set<string>>();
    for (const [file, targets] of readImports()) {
      const folder = path.dirname(file);
      const used = folders.get(folder) ?? new Set<string>();
      for (const target of targets)
        if (isSource(target) && path.dirname(target) !== folder) used.add(path.dirname(target));
      folders.set(folder, used);
    }
    expect(findCycle(new Map([...folders].map(([folder, used]) => [folder, [...used]])))).toBeUndefined();
  });

  it("are small enough to be read", () => {
    const sizes = new Map<string, number>();
    for (const file of readImports().keys())
      sizes.set(path.dirname(file), (sizes.get(path.dirname(file)) ?? 0) + 1);
    const runtime = path.join(root, "targets/runtime");
    for (const entry of readdirSync(runtime, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) sizes.set(entry.parentPath, (sizes.get(entry.parentPath) ?? 0) + 1);
    expect([...sizes].filter(([, size]) => size > 23)).toEqual([]);
  });
});

describe("comments and pages", () => {
  it("name files that there are", () => {
    const all = ["docs", "scripts", "test", ...rooms].flatMap((room) =>
      readdirSync(path.join(root, room), { recursive: true, encoding: "utf8" })
        .filter((file) => !file.includes("node_modules"))
        .map((file) => path.join(room, file)),
    );
    const names = new Set([...readdirSync(root), ...all.map((file) => path.basename(file))]);
    const isRead = (file: string) => !file.startsWith("test") && /\.(tsx?|[ch]|md)$/.test(file);
    const named = ["ARCHITECTURE.md", ...all.filter(isRead)].flatMap((file) =>
      [...readFileSync(path.join(root, file), "utf8").matchAll(/[\w.-]*\w\.(?:tsx?|mjs)\b/g)].map(
        ([name]) => `${file}: ${name}`,
      ),
    );
    // What a page writes for the reader's own file.
    const missing = named.filter((one) => !names.has(one.split(": ")[1] as string));
    expect(missing.filter((one) => !one.includes(": NAME."))).toEqual([]);
  });
});

describe("the import rule", () => {
  it("is read from the table, of which no row is passed over", () => {
    const table =
      "| room | holds | may import |\n|---|---|---|\n| `a` | `x`, y | nothing |\n| `b/<kind>` | z | `a`, `c` |\n";
    expect(readArrows(table)).toEqual({ a: [], "b/<kind>": ["a", "c"] });
    expect(() => readArrows("| `a` | x | |\n")).toThrow("what is this row");
    expect(Object.keys(arrows)).toContain("core/hw");
  });

  it.each([
    ["core/build/engine.ts", "core/lang/tree/ast.ts"],
    ["core/lang/parse/parse.ts", "core/ir/model/ir.ts"],
    ["core/ir/model/ir.ts", "core/build/model/action.ts"],
    ["schema/load.ts", "core/build/model/action.ts"],
    ["targets/cuda/emit.ts", "targets/opencl/emit.ts"],
    ["targets/shared/lower/lower.ts", "targets/cuda/emit.ts"],
    ["targets/cuda/emit.ts", "core/build/model/action.ts"],
    ["rules/plan/plan.ts", "cli/main.ts"],
    ["cli/main.ts", "core/lang/parse/parse.ts"],
    ["cli/main.ts", "targets/registry.ts"],
    ["core/compiler/passes/unroll.ts", "core/hw/dfg/graph.ts"],
    ["core/compiler/driver/translate.ts", "core/build/engine.ts"],
    ["core/ir/model/ir.ts", "core/compiler/driver/translate.ts"],
  ])("catches that %s imports %s", (file, target) => {
    expect(violations(new Map([[file, [target]]]))).toEqual([`${file} imports ${target}`]);
  });

  it("allows what the arrows allow", () => {
    const imports: Imports = new Map([
      [
        "targets/cuda/emit.ts",
        ["targets/cuda/kind.ts", "targets/shared/lower/lower.ts", "core/ir/model/ir.ts"],
      ],
      ["targets/registry.ts", ["targets/cuda/kind.ts", "targets/shared/kind/kind.ts"]],
      ["core/ir/read/read.ts", ["core/ir/acc/front.ts"]],
      ["core/ir/omp/data.ts", ["core/ir/model/ir.ts", "core/ir/directives/items.ts"]],
      ["cli/main.ts", ["rules/plan/plan.ts", "schema/load.ts", "core/build/engine.ts"]],
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
    expect(importsOf(source)).toEqual(["./a.ts", "./b.ts", "../c.ts", "./d.ts", "./e.ts", "./f.ts"]);
  });
});
