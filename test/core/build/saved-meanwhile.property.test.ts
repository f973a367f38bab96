/** Whatever is saved during builds, an undisturbed build leaves what a clean one would. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digestBytes } from "../../../core/build/key/digest.ts";
import type { Action } from "../../../core/build/model/action.ts";
import type { Event } from "../../../core/build/model/event.ts";
import { cases } from "../../cases.ts";
import { loadedWith, WAYS } from "./ways.ts";
import type { Workshop } from "./workshop.ts";

const FILES = 3;

/** Takes sources and earlier actions as inputs, by a process or a function, or finds headers on its way. */
interface Shape {
  readonly how: "process" | "function" | "finds" | "folder";
  readonly files: readonly number[];
  readonly needs: readonly number[];
}

const shape: fc.Arbitrary<Shape> = fc.record({
  how: fc.constantFrom("process", "function", "finds", "finds", "folder"),
  files: fc.uniqueArray(fc.nat(FILES - 1), { minLength: 1, maxLength: 2 }),
  needs: fc.uniqueArray(fc.nat(30), { maxLength: 2 }),
});

/** Saved when this many actions were started or done since the build began. */
interface Edit {
  readonly after: number;
  readonly file: number;
  /** Of a header: none is that it is removed. */
  readonly text: string | undefined;
  readonly of: "source" | "header";
}

const edit: fc.Arbitrary<Edit> = fc.record({
  after: fc.nat(14),
  file: fc.nat(FILES - 1),
  text: fc.option(fc.constantFrom("1\n", "2\n", "3 is longer\n"), { nil: undefined }),
  of: fc.constantFrom("source" as const, "header" as const),
});

const header = (file: number): string => `lib/${file}`;
const source = (file: number): string => `src/${file}`;
const digest = (text: string): string => `${createHash("sha256").update(text).digest("hex")}  -\n`;

function needsOf(shapes: readonly Shape[], at: number): number[] {
  return at === 0 ? [] : [...new Set(shapes[at]?.needs.map((need) => need % at))].sort((a, b) => a - b);
}

function graphOf(shapes: readonly Shape[]): Action[] {
  return shapes.map(({ how, files, needs: _ }, at): Action => {
    const needs = needsOf(shapes, at);
    const taken = [...files].sort().map((file) => ({ name: `s${file}`, from: { file: source(file) } }));
    const inputs = [
      ...(how === "process" || how === "function" ? taken : []),
      ...(how === "folder" ? [{ name: "src", from: { file: "src" } }] : []),
      ...needs.map((need) => ({ name: `a${need}`, from: { action: `a${need}`, output: "o" } })),
    ];
    const script = how === "folder" ? "cat src/* a* | sha256sum > o" : "cat s* a* | sha256sum > o";
    return {
      address: `a${at}`,
      step: how === "function" || how === "finds" ? how : "command",
      options: [...files].sort(),
      ...(how === "process" || how === "folder"
        ? { command: { argv: ["sh", "-c", `touch a; ${script}`] } }
        : {}),
      inputs,
      outputs: [{ name: "o", kind: "file", place: `out/${at}` }],
    };
  });
}

/** What must be in place, by position. */
function model(shop: Workshop, shapes: readonly Shape[]): string[] {
  const results: string[] = [];
  for (const [at, { how, files }] of shapes.entries()) {
    const named =
      how === "folder" ? [0, 1, 2].map(source) : [...files].sort().map(how === "finds" ? header : source);
    const texts = named.map((name) => (shop.exists(name) ? shop.read(name) : ""));
    results.push(digest([...texts, ...needsOf(shapes, at).map((need) => results[need])].join("")));
  }
  return results;
}

function furnished(shop: Workshop): Workshop {
  shop.step({
    name: "function",
    digest: digestBytes("function"),
    async run(context) {
      const names = context.action.inputs.map(({ name }) => name);
      const texts = await Promise.all(names.map(async (name) => (await context.readInput(name)).toString()));
      await context.writeOutput("o", digest(texts.join("")));
      return { ok: true };
    },
  });
  shop.step({
    name: "finds",
    digest: digestBytes("finds"),
    async run(context) {
      const headers = (context.action.options as readonly number[]).map(header).map((name) => {
        const isThere = existsSync(shop.path(name));
        if (isThere) context.discover(name);
        else context.discoverMissing(name);
        return isThere ? readFileSync(shop.path(name), "utf8") : "";
      });
      const names = context.action.inputs.map(({ name }) => name);
      const texts = await Promise.all(names.map(async (name) => (await context.readInput(name)).toString()));
      await context.writeOutput("o", digest([...headers, ...texts].join("")));
      return { ok: true };
    },
  });
  return shop;
}

function make(shop: Workshop, { of, file, text }: Edit): void {
  if (text !== undefined) shop.write(of === "source" ? source(file) : header(file), text);
  else if (of === "header") rmSync(shop.path(header(file)), { force: true });
}

/** Builds as a call of `arc build` would; edits are made on the way. */
async function build(shop: Workshop, graph: readonly Action[], edits: readonly Edit[]): Promise<boolean> {
  let passed = 0;
  const onEvent = (event: Event): void => {
    if (event.type !== "running" && event.type !== "done") return;
    for (const edit of edits) if (edit.after === passed) make(shop, edit);
    passed += 1;
  };
  const again = await shop.again({ onEvent });
  if (again === "up to date") return true;
  return (again === "graph may have changed" ? await shop.build(graph, { onEvent }) : again).ok;
}

describe.each(WAYS)("builds, %s", async (way) => {
  const { Workshop } = await loadedWith(way, () => import("./workshop.ts"));

  test("after saves while builds run the next one leaves what a clean one would", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(shape, { minLength: 2, maxLength: 6 }),
        fc.array(fc.array(edit, { maxLength: 4 }), { minLength: 1, maxLength: 3 }),
        async (shapes, rounds) => {
          const shop = furnished(new Workshop({ jobs: 2 }));
          try {
            for (let file = 0; file < FILES; file += 1) {
              shop.write(source(file), "0\n");
              shop.write(header(file), "0\n");
            }
            const graph = graphOf(shapes);
            for (const edits of rounds) {
              // Some of it may fail: a file that keeps changing is refused.
              await build(shop, graph, edits);
              expect(await build(shop, graph, [])).toBe(true);
              expect(shapes.map((_, at) => shop.read(`out/${at}`))).toEqual(model(shop, shapes));
            }
          } finally {
            shop.close();
          }
        },
      ),
      cases(12),
    );
  }, 600_000);
});
