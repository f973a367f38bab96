/** `arc lsp` as used by an editor: a separate process, with the protocol on standard input and output. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type CodeAction,
  type CompletionItem,
  createProtocolConnection,
  type Hover,
  type InitializeResult,
  type Location,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import { stillThere } from "../../../cli/lsp/server.ts";
import { keepReport } from "../../../cli/report/stored.ts";
import { variant } from "../report/variants.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const folder = mkdtempSync(path.join(tmpdir(), "arc-lsp-"));
let server: ChildProcess;
let connection: ProtocolConnection;
const told: PublishDiagnosticsParams[] = [];
const heard = new Set<() => void>();

beforeAll(async () => {
  mkdirSync(path.join(folder, "include"));
  mkdirSync(path.join(folder, "adds"));
  writeFileSync(path.join(folder, "include/size.h"), "#define SIZE 100\n");
  writeFileSync(
    path.join(folder, "arc.yaml"),
    "arc: 1\nproject: p\nsources: [a.c]\ninclude: [include]\ntargets: { cpu: { kind: host } }\n",
  );
  server = spawn(path.join(root, "bin/arc"), ["lsp"], {
    cwd: folder,
    env: { ...process.env, ARC_STORE: path.join(folder, "store") },
    stdio: ["pipe", "pipe", "inherit"],
  });
  if (server.stdout === null || server.stdin === null) throw new Error("no pipes");
  connection = createProtocolConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  connection.onNotification("textDocument/publishDiagnostics", (params: PublishDiagnosticsParams) => {
    told.push(params);
    for (const wake of heard) wake();
  });
  connection.listen();
  const { capabilities } = await connection.sendRequest<InitializeResult>("initialize", {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    capabilities: {},
  });
  expect(capabilities).toMatchObject({ hoverProvider: true, completionProvider: {}, codeActionProvider: {} });
  await connection.sendNotification("initialized", {});
}, 60_000);

afterAll(async () => {
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  const code = await new Promise((resolve) => server.on("exit", resolve));
  rmSync(folder, { recursive: true, force: true });
  expect(code).toBe(0);
});

const uriOf = (name: string): string => pathToFileURL(path.join(folder, name)).href;

/**
 * The server's diagnostics for a version of a document: first those of a translation, then those that the rules prove.
 */
async function diagnostics(
  name: string,
  version: number,
  isMeant: (found: PublishDiagnosticsParams["diagnostics"]) => boolean = () => true,
): Promise<PublishDiagnosticsParams["diagnostics"]> {
  const find = () =>
    told.find(
      (params) => params.uri === uriOf(name) && params.version === version && isMeant(params.diagnostics),
    );
  while (find() === undefined)
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        heard.delete(wake);
        resolve();
      };
      heard.add(wake);
    });
  return find()?.diagnostics ?? [];
}

const open = (name: string, text: string, languageId = "c") =>
  connection.sendNotification("textDocument/didOpen", {
    textDocument: { uri: uriOf(name), languageId, version: 1, text },
  });
const edit = (name: string, version: number, text: string) =>
  connection.sendNotification("textDocument/didChange", {
    textDocument: { uri: uriOf(name), version },
    contentChanges: [{ text }],
  });

const sum = (clauses: string) => `#include "size.h"
float a[SIZE];
float sum(void) {
  float s = 0;
#pragma acc parallel loop${clauses}
  for (int i = 0; i < SIZE; i++) s += a[i];
  return s;
}
`;

describe("a C source", () => {
  test("is looked at while it is typed, with its project's include folders", async () => {
    await open("a.c", sum(" colapse(1)"));
    const [first] = await diagnostics("a.c", 1);
    expect(first).toMatchObject({ severity: 1, source: "arc", range: { start: { line: 4, character: 26 } } });
    expect(first?.message).toMatch(/colapse[\s\S]*collapse/);
    await edit("a.c", 2, sum(" reduction(+:s)"));
    expect(await diagnostics("a.c", 2)).toEqual([]);
  });

  test("has its races named, and mended where an edit surely does", async () => {
    await edit("a.c", 3, sum("").replace("acc parallel loop", "omp parallel for"));
    const found = await diagnostics("a.c", 3, ({ length }) => length > 0);
    expect(found.length).toBeGreaterThan(0);
    const actions = await connection.sendRequest<CodeAction[]>("textDocument/codeAction", {
      textDocument: { uri: uriOf("a.c") },
      range: found[0]?.range,
      context: { diagnostics: found },
    });
    for (const { edit: change } of actions) {
      const [made] = change?.changes?.[uriOf("a.c")] ?? [];
      expect(made?.newText).toContain("reduction(+:s)");
      expect(made?.range.start).toMatchObject({ line: 4 });
    }
    expect(actions.length).toBe(1);
  });

  test("has the clauses that its project adds", async () => {
    const racy = sum("").replaceAll("SIZE", "100").replace(/^.*\n/, "");
    await open("adds/b.c", racy);
    const { length } = await diagnostics("adds/b.c", 1, (found) => found.length > 0);
    expect(length).toBe(1);
    writeFileSync(
      path.join(folder, "adds/arc.yaml"),
      `arc: 1
project: q
sources: [b.c]
kernels: { k: { source: b.c, function: sum, add: "reduction(+:s)" } }
targets: { cpu: { kind: host } }
`,
    );
    await edit("adds/b.c", 2, racy);
    expect(await diagnostics("adds/b.c", 2)).toEqual([]);
  });

  test("is read with its directive file, whose errors are told at its top", async () => {
    const racy = sum(" reduction(+:s)").replaceAll("SIZE", "100").replace(/^.*\n/, "");
    writeFileSync(path.join(folder, "adds/c.c.directives"), "\nsum region 1: gnag\n");
    await open("adds/c.c", racy);
    const [first] = await diagnostics("adds/c.c", 1, (found) => found.length > 0);
    expect(first?.range.start).toEqual({ line: 0, character: 0 });
    expect(first?.message).toMatch(/^c\.c\.directives:2:15: 'gnag' is not a clause/);
    writeFileSync(path.join(folder, "adds/c.c.directives"), "sum region 1: gang\n");
    await connection.sendNotification("workspace/didChangeWatchedFiles", { changes: [] });
    await edit("adds/c.c", 2, racy);
    expect(await diagnostics("adds/c.c", 2)).toEqual([]);
  });

  test("keeps what rules proved of a line until they have looked again, without edits for an older text", () => {
    const loc = { file: "/a.c", line: 2, col: 1 };
    const proved = {
      severity: "error",
      code: "data-race",
      message: "m",
      loc,
      end: { ...loc, col: 5 },
    } as const;
    const found = [{ ...proved, rule: true as const, fix: [] }, proved];
    const before = { text: "a\nrace\nb\n", found };
    expect(stillThere(before, "a2\nrace\nb\n")).toEqual([{ ...proved, rule: true }]);
    expect(stillThere(before, "a\nnew\nrace\nb\n")).toMatchObject([{ loc: { line: 3 }, end: { line: 3 } }]);
    expect(stillThere(before, "a\nno race\nb\n")).toEqual([]);
  });

  test("that the compiler cannot read says so instead of reporting nothing", async () => {
    mkdirSync(path.join(folder, "odd"));
    writeFileSync(
      path.join(folder, "odd/arc.yaml"),
      "arc: 1\nproject: p\nsources: [a.c]\ncflags: [-fno-such-option]\ntargets: { cpu: { kind: host } }\n",
    );
    await open("odd/a.c", "int x;\n");
    const found = await diagnostics("odd/a.c", 1);
    expect(found.map(({ message }) => message).join("\n")).toContain("-fno-such-option");
  });

  test("is offered edits at their places in directives with comments, blanks and letters beyond ASCII", async () => {
    const text = `void f(int n, int *a, int *b) {
  int t;
#pragma   omp  /* größer */ parallel   for schedule(static)
  for (int i = 0; i < n; i++) {
    t = a[i];
    b[i] = t;
  }
}
`;
    await open("placed.c", text);
    await diagnostics("placed.c", 1, (found) => found.some(({ code }) => code === "missing-private"));
    const [action] = await connection.sendRequest<CodeAction[]>("textDocument/codeAction", {
      textDocument: { uri: uriOf("placed.c") },
      range: { start: { line: 4, character: 5 }, end: { line: 4, character: 5 } },
      context: { diagnostics: [] },
    });
    const at = { line: 2, character: text.split("\n")[2]?.length };
    expect(action?.edit?.changes?.[uriOf("placed.c")]).toEqual([
      { range: { start: at, end: at }, newText: " private(t)" },
    ]);
  });

  test("with letters beyond ASCII has its findings at the right columns", async () => {
    await open("b.c", 'char *x = "größer"; int y = ;\n');
    const [first] = await diagnostics("b.c", 1);
    expect(first?.range.start).toEqual({ line: 0, character: 28 });
  });

  test("shows what a directive and its clauses mean, also on lines that are continued", async () => {
    await open("c.c", "#pragma acc parallel loop \\\n   copyin(a[0:3])\nint x;\n");
    const hover = (line: number, character: number) =>
      connection.sendRequest<Hover | null>("textDocument/hover", {
        textDocument: { uri: uriOf("c.c") },
        position: { line, character },
      });
    expect(JSON.stringify(await hover(1, 5))).toContain("Copied to the device at the entry");
    expect(JSON.stringify(await hover(0, 14))).toContain("parallel loop");
    expect(await hover(1, 10)).toBeNull();
    expect(await hover(2, 1)).toBeNull();
  });

  test("shows what the last report knows of a kernel and of a loop, and that the file has changed since", async () => {
    const row = (name: string, ii: number) =>
      variant(
        `fpga:${name}`,
        { seconds: 1 },
        {
          hardware: [
            {
              ...{ variant: `fpga:${name}`, kind: "rtl", region: "f", kernel: "f (h.c:2)", from: "layout" },
              ...{ resources: {}, percent: {}, clock: 100, seconds: 2e-3 },
              cycles: { value: 200_000, from: "run", launches: 1 },
              loops: [{ place: "h.c:3", ii, limit: "one port: a (line 3)", trips: 99 }],
            },
          ],
        },
      );
    const text = "void f(int *a) {\n#pragma acc parallel loop copy(a[0:9])\n  for (;;) {}\n}\n";
    writeFileSync(path.join(folder, "h.c"), text);
    const at = Date.now() - 60_000;
    const reports = { commit: undefined, at };
    keepReport(folder, [row("default", 2), row("sw2", 1)], reports);
    await open("h.c", text);
    const hover = async (line: number) =>
      JSON.stringify(
        await connection.sendRequest<Hover | null>("textDocument/hover", {
          textDocument: { uri: uriOf("h.c") },
          position: { line, character: 3 },
        }),
      );
    const loop = await hover(2);
    expect(loop).toContain(
      "`fpga:default`: an iteration every 2 cycles, limited by one port: a (line 3), 99 iterations",
    );
    expect(loop).toContain("`fpga:sw2`: an iteration in each cycle, 99 iterations");
    expect(loop).toContain("and the file has changed since");
    expect(await hover(1)).toContain("`fpga:default`: 2.00 ms a launch, 200000 cycles, 100.0 MHz");
    expect(await hover(0)).toBe("null");
    rmSync(path.join(folder, ".arc"), { recursive: true });
    expect(await hover(2)).toBe("null");
  });

  test("leads from a directive, and from a statement of its region, to the kernels of its project's kinds", async () => {
    mkdirSync(path.join(folder, "kinds"));
    writeFileSync(
      path.join(folder, "kinds/arc.yaml"),
      "arc: 1\nproject: k\nsources: [k.c]\ntargets: { a: { kind: opencl }, b: { kind: cuda, arch: sm_90 }, c: { kind: opencl } }\n",
    );
    const text = `void f(int n, float *a, float *b) {
#pragma acc parallel loop \\
    copy(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] += 3;
#pragma acc parallel loop copy(b[0:n])
  for (int i = 0; i < n; i++)
    b[i] *= 7;
  b[0] = 1;
}
`;
    await open("kinds/k.c", text);
    const goTo = async (what: "definition" | "implementation", line: number) => {
      const places = await connection.sendRequest<Location[] | null>(`textDocument/${what}`, {
        textDocument: { uri: uriOf("kinds/k.c") },
        position: { line, character: 5 },
      });
      return places?.map(({ uri, range: { start } }) => {
        const file = fileURLToPath(uri);
        return `${path.extname(file)}: ${readFileSync(file, "utf8").split("\n")[start.line]?.trim()}`;
      });
    };
    for (const line of [1, 2])
      expect(await goTo("definition", line)).toEqual([
        expect.stringMatching(/^\.cl: __kernel void f_\w+\(.*\ba_memory\b/),
        expect.stringMatching(/^\.cu: .*__global__ .*\bf_\w+\(.*\*a\) \{$/),
      ]);
    expect(await goTo("definition", 5)).toEqual([
      expect.stringMatching(/^\.cl: .*\bb_memory\b/),
      expect.stringMatching(/^\.cu: .*__global__ .*\bf_\w+\(.*\*b\) \{$/),
    ]);
    expect(await goTo("implementation", 4)).toEqual([
      expect.stringMatching(/^\.cl: .*\ba\[.*3/),
      expect.stringMatching(/^\.cu: .*\ba\[.*3/),
    ]);
    expect(await goTo("implementation", 7)).toEqual([
      expect.stringMatching(/^\.cl: .*\bb\[.*7/),
      expect.stringMatching(/^\.cu: .*\bb\[.*7/),
    ]);
    // A name's definition is a C server's to find, and no kernel is made of these lines.
    expect(await goTo("definition", 4)).toBeUndefined();
    for (const line of [0, 8]) expect(await goTo("implementation", line)).toEqual([]);
    // What the editor shows counts, not what is saved.
    await edit("kinds/k.c", 2, text.replace("+= 3", "-= 5"));
    expect(await goTo("implementation", 4)).toEqual([
      expect.stringMatching(/^\.cl: .*\ba\[.*5/),
      expect.stringMatching(/^\.cu: .*\ba\[.*5/),
    ]);
  });

  test("leads to the kernels of the variant that is built, and of those that the last report saw", async () => {
    mkdirSync(path.join(folder, "variants"));
    writeFileSync(
      path.join(folder, "variants/arc.yaml"),
      "arc: 1\nproject: v\nsources: [v.c]\ntargets: { g: { kind: opencl, variants: { vector-length: [64, 32, 128] } } }\n",
    );
    const text =
      "void f(int *a) {\n#pragma acc parallel loop copy(a[0:999])\n  for (int i = 0; i < 999; i++) a[i] = i;\n}\n";
    await open("variants/v.c", text);
    const heads = async () => {
      const places = await connection.sendRequest<Location[] | null>("textDocument/definition", {
        textDocument: { uri: uriOf("variants/v.c") },
        position: { line: 1, character: 5 },
      });
      return (places ?? []).map(({ uri }) => readFileSync(fileURLToPath(uri), "utf8").split("\n")[0]);
    };
    const one = (name: string) => expect.stringContaining(`, for g:${name} (kind opencl): `);
    expect(await heads()).toEqual([one("vl64")]);
    const reported = ["g:vl128", "g:vl64", "g:vl1024"].map((address) => variant(address, { seconds: 1 }));
    keepReport(path.join(folder, "variants"), reported, { commit: undefined, at: Date.now() });
    expect(await heads()).toEqual([one("vl64"), one("vl128")]);
  });

  test("is offered what may come next", async () => {
    await open("d.c", "#pragma omp target teams \n#pragma acc data copy(a) c\n");
    const words = async (line: number, character: number) =>
      (
        await connection.sendRequest<CompletionItem[]>("textDocument/completion", {
          textDocument: { uri: uriOf("d.c") },
          position: { line, character },
        })
      ).map(({ label }) => label);
    const omp = await words(0, 25);
    expect(omp).toEqual(
      expect.arrayContaining(["distribute", "distribute parallel for", "num_teams", "map"]),
    );
    const acc = await words(1, 26);
    expect(acc).toEqual(expect.arrayContaining(["copyin", "create"]));
    expect(acc).not.toContain("gang");
    expect(await words(1, 23)).toEqual([]);
  });

  test("is offered clauses of the source's language in a directive file", async () => {
    await open("e.c", "#pragma acc parallel loop\n");
    await open("e.c.directives", "f region 1: \n", "plaintext");
    const offered = await connection.sendRequest<CompletionItem[]>("textDocument/completion", {
      textDocument: { uri: uriOf("e.c.directives") },
      position: { line: 0, character: 12 },
    });
    const labels = offered.map(({ label }) => label);
    expect(labels).toContain("vector_length");
    expect(labels).not.toContain("num_teams");
  });
});

test("arc.yaml is held against the schema", async () => {
  await open("arc.yaml", "arc: 1\nproject: p\nsources: [a.c]\ntargetz: {}\n", "yaml");
  const found = await diagnostics("arc.yaml", 1);
  expect(found.map(({ message }) => message).join("\n")).toContain("targets");
  expect(found[0]?.range.start).toMatchObject({ line: 3, character: 0 });
});
