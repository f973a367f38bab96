import { expect, test } from "vitest";
import { Graph } from "../../../../core/build/graph/graph.ts";
import type { Action } from "../../../../core/build/model/action.ts";
import { EngineError } from "../../../../core/build/model/error.ts";
import { shell } from "../workshop.ts";

function refusal(...actions: Action[]): EngineError {
  try {
    new Graph().add(actions);
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error("the graph was accepted");
}

test("a cycle is refused and printed", () => {
  const error = refusal(
    shell("a", "", { x: ["c", "c"] }, ["a"]),
    shell("b", "", { x: ["a", "a"] }, ["b"]),
    shell("c", "", { x: ["b", "b"] }, ["c"]),
  );
  expect(error.code).toBe("cycle");
  expect(error.message).toBe("actions need each other: a needs c needs b needs a");
});

test("a cycle through a promise is refused", () => {
  const error = refusal(
    shell("scan", "", { x: ["made", "m"] }, ["w"], { expand: { rule: "r", promises: ["made"] } }),
  );
  expect(error.code).toBe("cycle");
});

test("two actions that write one place are refused, also where only case or a folder separates them", () => {
  const to = (address: string, place: string): Action =>
    shell(address, "", {}, [], { outputs: [{ name: "o", kind: "file", place }] });
  expect(refusal(to("a", "out/x"), to("b", "out/x")).code).toBe("duplicate-output");
  expect(refusal(to("a", "out/x"), to("b", "out/./x")).code).toBe("duplicate-output");
  expect(refusal(to("a", "out/Makefile"), to("b", "out/makefile")).code).toBe("duplicate-output");
  expect(refusal(to("a", "out"), to("b", "out/x")).code).toBe("duplicate-output");
  expect(refusal(to("a", "out/x"), to("b", "out")).code).toBe("duplicate-output");
});

test("an output outside the project is refused", () => {
  for (const place of ["../x", "/tmp/x", "a/../../x", "."]) {
    expect(refusal(shell("a", "", {}, [], { outputs: [{ name: "o", kind: "file", place }] })).code).toBe(
      "output-outside-project",
    );
  }
});

test("a source that is another action's output is refused", () => {
  const error = refusal(shell("gen", "", {}, ["h"]), shell("use", "", { h: "out/h" }, ["o"]));
  expect(error.code).toBe("output-is-input");
  expect(error.message).toContain("gen");
});

test("a folder that is both a source input and written into is refused, in whatever order the actions are added", () => {
  const gen = shell("gen", "", {}, ["lib/h"]);
  const folder = shell("gen", "", {}, [], { outputs: [{ name: "lib", kind: "folder", place: "out/lib" }] });
  const use = (file: string): Action => shell("use", "", { lib: file }, []);
  for (const [writes, reads] of [
    [gen, use("out/lib")],
    [gen, use("out/../out")],
    [folder, use("out/lib/h")],
    [folder, use("out")],
  ] as const) {
    expect(refusal(writes, reads).code).toBe("output-is-input");
    const graph = new Graph();
    graph.add([reads]);
    expect(() => graph.add([writes])).toThrow(/reads .*, but gen writes/);
  }
  const beside = new Graph();
  beside.add([use("out/li"), gen]);
  beside.add([shell("more", "", {}, ["li2", "library/h"])]);
});

test("unknown actions and outputs are refused with the names that exist", () => {
  expect(refusal(shell("a", "", { x: ["b", "y"] }, ["o"])).code).toBe("unknown-action");
  const error = refusal(shell("b", "", {}, ["z"]), shell("a", "", { x: ["b", "y"] }, ["o"]));
  expect(error.code).toBe("unknown-output");
  expect(error.message).toContain("which makes z");
});

test("names that leave the staging folder, repeat or nest are refused", () => {
  for (const name of ["../x", "/x", "", ".", "a//b", "a/", "a/../b"]) {
    expect(refusal(shell("a", "", { [name]: "s" }, ["o"])).code).toBe("bad-name");
  }
  expect(refusal(shell("a", "", { o: "s" }, ["o"])).code).toBe("bad-name");
  expect(refusal(shell("a", "", { d: "s", "d/x": "t" }, ["o"])).code).toBe("bad-name");
});

test("an address can be used once", () => {
  expect(refusal(shell("a", "", {}, ["x"]), shell("a", "", {}, ["y"])).code).toBe("duplicate-address");
});
