import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Axis } from "../../schema/document/axis.ts";
import { type Loaded, loadProject, parseProject, type Vocabulary } from "../../schema/load.ts";

const axes: readonly Axis[] = [
  {
    key: "model",
    description: "d",
    values: ["nd", "swi"],
    default: "nd",
    token: { words: true },
    targets: ["fpga"],
  },
  { key: "window", description: "d", values: { minimum: 0, maximum: 64 }, default: 0, token: "sw" },
];

const vocabulary: Vocabulary = {
  kinds: [
    { kind: "host", description: "this machine's processor", options: {} },
    { kind: "opencl", description: "an OpenCL device", options: { device: { type: "string" } } },
    {
      kind: "fpga",
      description: "an FPGA",
      options: { board: { type: "string" } },
      required: ["board"],
      sharesImages: true,
    },
  ],
  axes,
  steps: ["command", "compile"],
};

function project(yaml: string, files: readonly string[] = []): Loaded {
  const root = mkdtempSync(path.join(tmpdir(), "arc-schema-"));
  for (const file of files) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), "");
  }
  return parseProject(yaml, path.join(root, "arc.yaml"), vocabulary);
}

/** `line:col code` of every finding. */
const places = (loaded: Loaded): readonly string[] =>
  loaded.diagnostics.map((d) => `${d.loc.line}:${d.loc.col} ${d.code}`);

const head = "arc: 1\nproject: p\n";

describe("a valid arc.yaml", () => {
  it("becomes a project with defaults filled in", () => {
    const loaded = project(`${head}sources: [a.c]\ntargets: { cpu: { kind: host } }\n`, ["a.c"]);
    expect(loaded.diagnostics).toEqual([]);
    expect(loaded.project).toMatchObject({
      name: "p",
      sources: ["a.c"],
      host: [],
      defines: [],
      verify: { runs: [], tolerance: { rel: 0, abs: 0 }, ignore: [], strict: false },
      targets: [{ name: "cpu", kind: "host", options: {} }],
    });
  });

  it("keeps the spelling of numbers among arguments", () => {
    const loaded = project(`${head}runs: { r: { args: [1e-5, 0x10, "007", 1.50] } }\n`);
    expect(loaded.project?.runs[0]?.args).toEqual(["1e-5", "0x10", "007", "1.50"]);
  });

  it("takes files that arguments name as inputs of a run, unless the run writes them", () => {
    const yaml = `${head}actions: { make: { run: [sh, gen], inputs: [gen], outputs: [data/] } }
runs: { r: { args: ["10", data/t, in.txt, out.txt], outputs: [out.txt] } }\n`;
    expect(project(yaml, ["gen", "in.txt", "out.txt"]).project?.runs[0]?.inputs).toEqual([
      "data/t",
      "in.txt",
    ]);
  });

  it("takes from aliases and merge keys what was written there", () => {
    const loaded = project(
      `${head}host: [b.c]\nruns: { a: { args: &n [&m 1e3, *m, 007] }, b: { args: *n }, c: { args: [*m] } }\n` +
        "targets:\n  x: &x { kind: fpga, board: b1 }\n  y: { <<: *x, board: b2 }\n  z: { <<: [{ board: b3 }, *x] }\n",
      ["b.c"],
    );
    expect(loaded.diagnostics).toEqual([]);
    const args = ["1e3", "1e3", "007"];
    expect(loaded.project?.runs.map((run) => run.args)).toEqual([args, args, ["1e3"]]);
    expect(loaded.project?.targets.map((t) => [t.kind, t.options.board])).toEqual([
      ["fpga", "b1"],
      ["fpga", "b2"],
      ["fpga", "b3"],
    ]);
  });

  it("writes macros as compiler options in the order of the file", () => {
    const loaded = project(`${head}defines: { N: 16, NDEBUG: true, OFF: false, T: float }\n`);
    expect(loaded.project?.defines).toEqual(["-DN=16", "-DNDEBUG", "-DT=float"]);
  });

  it("lets a target replace the values of a shared axis", () => {
    const yaml = `${head}sources: [a.c]\nvariants: { window: [1, 2] }
targets: { cpu: { kind: host }, gpu: { kind: opencl, device: x, variants: { window: 4 } } }\n`;
    const targets = project(yaml, ["a.c"]).project?.targets;
    expect(targets?.map((t) => t.space.all.values)).toEqual([{ window: [1, 2] }, { window: [4] }]);
    expect(targets?.[1]?.options).toEqual({ device: "x" });
  });

  it("reads a size limit of the store in decimal and binary units", () => {
    expect(project(`${head}store: { limit: 20 GB }\n`).project?.store.limit).toBe(20e9);
    expect(project(`${head}store: { limit: 1.5GiB }\n`).project?.store.limit).toBe(1.5 * 2 ** 30);
  });
});

describe("an error in arc.yaml", () => {
  type Case = [behaviour: string, yaml: string, place: string, says: RegExp, remedy?: RegExp];
  const cases: Case[] = [
    [
      "an unknown key is named with the nearest known one",
      `${head}sorces: [a.c]`,
      "3:1 unknown-key",
      /no key `sorces`/,
      /did you mean `sources`\?/,
    ],
    [
      "an axis with an empty list says so",
      `${head}variants: { window: [] }`,
      "3:21 bad-value",
      /`variants.window` is empty/,
      /write at least one value/,
    ],
    [
      "an axis with a value twice says which",
      `${head}variants: { window: [2, 4, 2] }`,
      "3:22 bad-value",
      /`variants.window` holds `2` twice/,
      /keep one/,
    ],
    [
      "a text where a list belongs shows how to write the list",
      `${head}cflags: -O2`,
      "3:9 wrong-type",
      /`cflags` must be a list, not the text `-O2`/,
      /write `\[-O2\]`/,
    ],
    [
      "words of a shell where a program and its arguments belong show how to start a shell",
      `${head}actions:\n  made:\n    run: cat "a b" > made\n    outputs: [made]`,
      "5:10 wrong-type",
      /must be a list/,
      /write `\[sh, -c, "cat \\"a b\\" > made"\]`/,
    ],
    [
      "a number where text belongs shows the quotes",
      `${head}cflags: [2]`,
      "3:10 wrong-type",
      /must be text/,
      /write `"2"`/,
    ],
    ["a key without a value is empty", `${head}cflags:`, "3:1 wrong-type", /not empty/],
    ["a missing project name is missing", "arc: 1\n", "1:1 missing-key", /needs `project`/],
    [
      "a format of the future is unknown",
      "arc: 2\nproject: p",
      "1:6 unknown-value",
      /cannot be `2`/,
      /write `1`/,
    ],
    [
      "a name with a space is no name",
      "arc: 1\nproject: my prog",
      "2:10 bad-value",
      /`my prog` is not a name/,
    ],
    [
      "a target name with a colon is no name",
      `${head}host: [b.c]\ntargets:\n  "a:b": { kind: host }`,
      "5:3 bad-value",
      /`a:b` is not a name/,
    ],
    [
      "an unknown target kind lists the kinds",
      `${head}host: [b.c]\ntargets:\n  g: { kind: opencll }`,
      "5:14 unknown-kind",
      /`opencll` is no kind/,
      /did you mean `opencl`\? the kinds are `host`, `opencl`, `fpga`/,
    ],
    [
      "a target without kind lists the kinds",
      `${head}host: [b.c]\ntargets:\n  g: {}`,
      "5:3 missing-key",
      /needs `kind`/,
      /`host`, `opencl`/,
    ],
    [
      "an option of another kind is unknown here",
      `${head}host: [b.c]\ntargets:\n  g: { kind: host, device: 0 }`,
      "5:20 unknown-key",
      /has no key `device`/,
    ],
    [
      "an option that the kind requires is missing",
      `${head}host: [b.c]\ntargets:\n  g: { kind: fpga }`,
      "5:6 missing-key",
      /needs `board`/,
    ],
    [
      "an unknown axis value lists the values",
      `${head}host: [b.c]\nvariants:\n  model: [nd, swo]`,
      "5:15 unknown-value",
      /cannot be `swo`/,
      /did you mean `swi`\?/,
    ],
    [
      "an axis value out of range names the limit",
      `${head}host: [b.c]\nvariants:\n  window: [100]`,
      "5:12 bad-value",
      /must be <= 64/,
    ],
    [
      "an unknown axis is told apart from a kernel",
      `${head}host: [b.c]\nvariants: { windw: [1] }`,
      "4:13 unknown-axis",
      /`windw` is neither an axis/,
      /did you mean `window`\?/,
    ],
    [
      "variants of an unknown kernel list the kernels",
      `${head}host: [b.c]\nkernels: {}\nvariants: { stp: { window: 1 } }\ntargets: { t: { kind: host } }`,
      "5:13 unknown-kernel",
      /`stp` is neither/,
    ],
    [
      "choices for one of the regions ask for its name",
      `${head}host: [b.c]\nvariants: { relax: { window: 1 } }\ntargets: { t: { kind: host } }`,
      "4:13 unknown-kernel",
      /`relax` is neither an axis nor one of `kernels`, where regions are named .*: none is/,
    ],
    [
      "images name each kernel once",
      `${head}sources: [a.c]\nkernels: { k: { source: a.c, function: f } }\ntargets: { t: { kind: fpga, board: b, images: [[k], [k]] } }`,
      "5:54 bad-value",
      /`k` is in an image already/,
    ],
    [
      "images are groups only where a load brings several kernels",
      `${head}sources: [a.c]\nkernels: { k: { source: a.c, function: f } }\ntargets: { t: { kind: host, images: [[k]] } }`,
      "5:29 unknown-key",
      /images/,
    ],
    [
      "a kernel in a file that is no source is refused",
      `${head}sources: [a.c]\nkernels:\n  k: { source: aa.c, function: f }`,
      "5:16 unknown-source",
      /not in `sources`/,
      /did you mean `a.c`/,
    ],
    [
      "two names for one region are refused",
      `${head}sources: [a.c]\nkernels:\n  k: { source: a.c, function: f }\n  l: { source: a.c, function: f }`,
      "6:3 bad-value",
      /called `k` already/,
    ],
    [
      "a missing source file is named",
      `${head}sources: [a.c, src/none.c]`,
      "3:16 missing-file",
      /no `src\/none.c`/,
    ],
    [
      "sources are named, not found by patterns",
      `${head}sources: [src/*.c]`,
      "3:11 missing-file",
      /there is no/,
      /only `inputs` take patterns/,
    ],
    ["a folder is no source", `${head}sources: [src]`, "3:11 bad-value", /`src` is no C file/],
    [
      "a source outside the project is refused",
      `${head}sources: [../x.c]`,
      "3:11 outside-project",
      /outside/,
    ],
    [
      "a file that is source and host is refused",
      `${head}sources: [a.c]\nhost: [a.c]`,
      "4:8 bad-value",
      /in `sources` too/,
    ],
    [
      "targets without sources have nothing to build",
      `${head}targets: { t: { kind: host } }`,
      "3:1 missing-key",
      /nothing to build/,
    ],
    [
      "an output with two writers is refused",
      `${head}actions:\n  a: { run: [x], outputs: [o] }\n  b: { run: [y], outputs: [o] }`,
      "5:28 bad-value",
      /written by `a` already/,
    ],
    [
      "a folder that an action writes into cannot be read as it is",
      `${head}actions:\n  a: { run: [x], outputs: [data/made/x] }\n  b: { run: [y], inputs: [data/], outputs: [o] }`,
      "5:27 bad-value",
      /`data\/` holds `data\/made\/x`, which an action writes/,
      /name what is read there: `data\/made\/x`, and the project's own files, for example `data\/\*`/,
    ],
    [
      "stdout must be an output",
      `${head}actions:\n  a: { run: [x], outputs: [log.txt], stdout: log }`,
      "4:46 bad-value",
      /not in `outputs`/,
    ],
    [
      "an action without outputs is incomplete",
      `${head}actions:\n  a: { run: [x] }`,
      "4:6 missing-key",
      /needs `outputs`/,
    ],
    [
      "verify of an unknown run lists the runs",
      `${head}runs: { small: {} }\nverify: { run: smal }`,
      "4:16 unknown-run",
      /no `smal`/,
      /did you mean `small`\?/,
    ],
    [
      "a broken pattern says where it is broken",
      `${head}verify: { ignore: ["time ("] }`,
      "3:20 bad-value",
      /not a regular expression/,
    ],
    [
      "a negative tolerance is refused",
      `${head}verify: { tolerance: { rel: -1 } }`,
      "3:29 bad-value",
      /must be >= 0/,
    ],
    [
      "an exclusion of everything leaves no variant",
      `${head}host: [b.c]\nvariants: { window: [1], exclude: [{ window: 1 }] }\ntargets: { t: { kind: host } }`,
      "4:1 no-variant",
      /leaves no variant/,
    ],
    [
      "a product beyond reason is refused before it is expanded",
      `${head}sources: [a.c]\nkernels:\n${[1, 2, 3, 4, 5, 6].map((n) => `  k${n}: { source: a.c, function: f, region: ${n} }\n`).join("")}variants: { ${[1, 2, 3, 4, 5, 6].map((n) => `k${n}: { window: [0,1,2,3,4,5,6,7,8,9,10,11] }`).join(", ")} }\ntargets: { t: { kind: host } }`,
      "11:1 too-many-variants",
      /2985984/,
    ],
    ...[
      [
        "require: [window > 1, window < 2]",
        "4:1",
        "no-variant",
        "`window > 1` and `window < 2` never hold together, which leaves no variant of `t`",
      ],
      ["require: [window > 9]", "4:1", "no-variant", "`window > 9` holds for none of the values listed"],
      [
        "require: [window > 1], exclude: [{ window: 2 }]",
        "4:1",
        "no-variant",
        "`require` together with `exclude`",
      ],
      ["require: [windw > 1]", "4:39", "bad-constraint", "there is no axis `windw`"],
      ["named: { sw2: { model: swi } }", "4:38", "bad-value", "`sw2` is the name of values already"],
      ["named: { a: { windw: 2 } }", "4:43", "unknown-axis", "`windw` is neither an axis"],
      [
        "named: { a: { edge: { window: 2 } } }",
        "4:43",
        "unknown-kernel",
        "`edge` is neither an axis nor one of `kernels`",
      ],
    ].map(
      ([text = "", where = "", code = "", message = ""]): Case => [
        `variants with ${text}`,
        `${head}host: [b.c]\nvariants: { window: [1, 2], ${text} }\ntargets: { t: { kind: host } }`,
        `${where} ${code}`,
        new RegExp(message.replace(/[{}[\]]/g, "\\$&")),
      ],
    ),
    [
      "a text where a list belongs is taken apart into a list",
      `${head}cflags: -O2 -g`,
      "3:9 wrong-type",
      /`-O2 -g`/,
      /write `\[-O2, -g\]`/,
    ],
    [
      "a macro's name is one",
      `${head}defines: { "A B": 1 }`,
      "3:12 bad-value",
      /`A B` is not the name of a macro/,
    ],
    [
      "a file has one name",
      `${head}sources: [./a.c]`,
      "3:11 bad-value",
      /`.\/a.c` is a detour/,
      /write `a.c`/,
    ],
    [
      "an alias of nothing is named",
      `${head}host: *files`,
      "3:7 yaml-syntax",
      /nothing is called `files`/,
      /`&files`.*quotes/,
    ],
    [
      "aliases that would fill the memory are refused",
      `${head}cflags: [&a [x, x], &b [${"*a, ".repeat(30)}], &c [${"*b, ".repeat(30)}], &d [${"*c, ".repeat(30)}]]`,
      "1:1 yaml-syntax",
      /aliases repeat/,
    ],
    ["a key that is a list is no key", `${head}? [a, b]\n: 3`, "3:3 yaml-syntax", /this key is no text/],
    [
      "a quote that is never closed is said once",
      `${head}cflags: ["-O2]`,
      "3:15 yaml-syntax",
      /a text that " began does not end/,
    ],
    [
      "a bracket in a bracket, never closed, is said once",
      `${head}runs: { a: [`,
      "3:13 yaml-syntax",
      /a `\[` before this is not closed/,
      /write `\]`/,
    ],
    [
      "a colon in a value asks for quotes",
      `${head}cflags: a: b`,
      "3:9 yaml-syntax",
      /second `key:`/,
      /quotes/,
    ],
    ["a tab in the indentation is named", `${head}runs:\n\ta: {}`, "4:1 yaml-syntax", /a tab/, /spaces/],
    [
      "lines after a tab are not compared with it",
      `${head}runs:\n\ta: {}\n  b: {}\n  c: {}`,
      "4:1 yaml-syntax",
      /a tab/,
    ],
    ["a key given twice is named", `${head}cflags: []\ncflags: []`, "4:1 yaml-syntax", /already there/],
    ["a bracket that is never closed is a syntax error", `${head}cflags: [a`, "3:11 yaml-syntax", /./],
    ["a second document is an error", `${head}---\na: 1`, "3:1 yaml-syntax", /one document/],
    ["a file that is a list is no project", "- a", "1:1 wrong-type", /arc.yaml must be a mapping/],
    ["an empty file is no project", "", "1:1 wrong-type", /must be a mapping/],
    [
      "an option by which another compiler chooses devices is named, with arc's way",
      `${head}cflags: [-O2, -foffload=disable, -foffload=nvptx-none]`,
      "3:34 foreign-option",
      /an option of gcc/,
      /`targets`/,
    ],
    [
      "and one for threads of the host",
      `${head}ldflags: [-mp]`,
      "3:11 foreign-option",
      /an option of nvc/,
      /-fopenmp/,
    ],
    [
      "an option whose results would be lost is refused",
      `${head}cflags: [-O2, --coverage]`,
      "3:15 lost-option",
      /a folder that is gone/,
      /leave it out/,
    ],
    [
      "and a link without shared objects, as which programs load their kernels",
      `${head}ldflags: [-static]`,
      "3:11 lost-option",
      /loads its kernels/,
      /archives/,
    ],
    ["columns count bytes", `${head}cflags: ["ü", 2]`, "3:16 wrong-type", /must be text/],
  ];

  for (const [behaviour, yaml, place, says, remedy = /^/] of cases) {
    it(behaviour, () => {
      const loaded = project(yaml, ["a.c", "b.c"]);
      expect(loaded.project).toBeUndefined();
      expect(places(loaded)).toEqual([place]);
      const [diagnostic] = loaded.diagnostics;
      expect(diagnostic?.message).toMatch(says);
      expect(diagnostic?.remedy ?? "").toMatch(remedy);
    });
  }

  it("does not hide the others", () => {
    const loaded = project(`${head}cflag: []\nhost: 1\ntargets: { t: { kind: cpu } }`);
    expect(places(loaded)).toEqual(["3:1 unknown-key", "4:7 wrong-type", "5:23 unknown-kind"]);
  });

  it("is said with file, and with a remedy, when there is no arc.yaml at all", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "arc-schema-"));
    const { project: none, diagnostics } = loadProject(folder, vocabulary);
    expect(none).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: "no-project", remedy: expect.stringContaining("arc init") }]);
  });

  it("is said with its line where the file is not UTF-8", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "arc-schema-"));
    writeFileSync(path.join(folder, "arc.yaml"), Buffer.from(`${head}# größe\n`, "latin1"));
    const { diagnostics } = loadProject(folder, vocabulary);
    expect(diagnostics).toMatchObject([
      { loc: { line: 3 }, message: expect.stringMatching(/UTF-8/), remedy: expect.stringMatching(/UTF-8/) },
    ]);
  });

  it("is said of a file that is a circle of links, with all of them", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "arc-schema-"));
    mkdirSync(path.join(folder, "src"));
    symlinkSync("b.c", path.join(folder, "src/a.c"));
    symlinkSync("../src/a.c", path.join(folder, "src/b.c"));
    symlinkSync("loop", path.join(folder, "loop"));
    symlinkSync("src/a.c", path.join(folder, "outer.c"));
    writeFileSync(
      path.join(folder, "arc.yaml"),
      `${head}sources: [src/a.c]\nhost: [outer.c, loop/x.c, none.c]\n`,
    );
    const { diagnostics } = loadProject(path.join(folder, "arc.yaml"), vocabulary);
    const remedy = "make one of the links point to a file, or put a file in its place";
    const circle = "src/a.c -> src/b.c -> src/a.c";
    expect(diagnostics).toMatchObject([
      { loc: { line: 3, col: 11 }, message: `\`src/a.c\` is a circle of links: ${circle}`, remedy },
      { loc: { line: 4, col: 8 }, message: `\`outer.c\` is a circle of links: ${circle}`, remedy },
      { loc: { line: 4, col: 17 }, message: "`loop/x.c` is a circle of links: loop -> loop", remedy },
      { loc: { line: 4, col: 27 }, message: "there is no `none.c`" },
    ]);
  });

  it("is said where arc.yaml is a named pipe, which is not waited for", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "arc-schema-"));
    execFileSync("mkfifo", [path.join(folder, "arc.yaml")]);
    const { diagnostics } = loadProject(folder, vocabulary);
    expect(diagnostics).toMatchObject([{ message: "is a named pipe", remedy: "write it to a file" }]);
    rmSync(path.join(folder, "arc.yaml"));
    symlinkSync("/dev/zero", path.join(folder, "arc.yaml"));
    expect(loadProject(folder, vocabulary).diagnostics).toMatchObject([{ message: "is a device" }]);
    rmSync(folder, { recursive: true });
  });

  it("that is only doubtful leaves the project usable", () => {
    const loaded = project(`${head}include: [inc]\n`);
    expect(loaded.project?.include).toEqual(["inc"]);
    expect(loaded.diagnostics).toMatchObject([{ severity: "warning", code: "missing-file" }]);
  });
});
