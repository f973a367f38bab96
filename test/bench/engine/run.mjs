/**
 * The engine against ninja, make, tup, scons, and turbo, nx and wireit from npm, on synthetic graphs, through the
 * installed programs:
 *
 *   node test/bench/engine/run.mjs [--sizes 100,1000,10000,50000] [--scenarios noop,leaf,full] [--rounds 7]
 *       [--tools ninja,arc,...] [--without snapshot,code-cache,...]
 *
 * Those from npm are installed in a folder of the bench's own; a tool that is not there has a row that says so, and
 * so has one that takes minutes at a size, unless it is asked for by name.
 *
 * Five layers; each action reads two files of the layer below and writes one. A changed leaf reaches 20
 * actions. Tools take turns, so that a busy machine is busy for all; medians of wall and CPU time (of user and
 * system, children included), in ms, and the ratio of wall times to ninja's. Two jobs at once everywhere.
 */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { installNpmTools, npmTools } from "./npm-tools.mjs";

const LAYERS = 5;
const PER_FOLDER = 500;
const JOBS = 2;

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "100,1000,10000" },
    scenarios: { type: "string", default: "noop,leaf,full" },
    rounds: { type: "string", default: "7" },
    tools: { type: "string" },
    without: { type: "string", default: "" },
    keep: { type: "boolean", default: false },
  },
});

const wanted = values.tools?.split(",");
const isWanted = (name) => wanted === undefined || wanted.includes(name) || name.startsWith("arc, no ");
const home = mkdtempSync(path.join(tmpdir(), "arc-bench-"));
const cat2 = path.join(home, "cat2");
const root = path.resolve(import.meta.dirname, "../../..");
const arc = path.join(root, "bin/arc");

must("cc", ["-O2", "-static", "-o", cat2, path.join(import.meta.dirname, "cat2.c")]);

/** Paths of an action: two inputs, one output. */
function actionsOf(count) {
  const width = count / LAYERS;
  const folder = (at) => `d${Math.floor(at / PER_FOLDER)}`;
  const file = (layer, at) => (layer < 0 ? `src/${folder(at)}/s${at}` : `out/l${layer}/${folder(at)}/o${at}`);
  const actions = [];
  for (let layer = 0; layer < LAYERS; layer += 1) {
    for (let at = 0; at < width; at += 1) {
      const inputs = [file(layer - 1, at), file(layer - 1, (at + 1) % width)];
      actions.push({ name: `l${layer}_${at}`, inputs, output: file(layer, at) });
    }
  }
  const sources = Array.from({ length: width }, (_, at) => file(-1, at));
  const at = Math.min(7, width - 1);
  return { actions, sources, leaf: file(-1, at), top: file(LAYERS - 1, at) };
}

let edits = 0;
/** 64 bytes that no other call gives, different in all places. */
function content() {
  edits += 1;
  return `${((edits * 2654435761) >>> 0).toString(16).padStart(8, "0").repeat(8).slice(0, 63)}\n`;
}

/** Each tool: what it is called, whether it is here, the project's files, its command, what a full build starts without. */
const tools = {
  ninja: {
    probe: ["ninja", "--version"],
    files: ({ actions }) => ({
      "build.ninja": `rule c\n  command = ${cat2} $in $out\n${actions.map((a) => `build ${a.output}: c ${a.inputs.join(" ")}\n`).join("")}`,
    }),
    command: `ninja -j${JOBS}`,
    state: [".ninja_log", ".ninja_deps", "out"],
  },
  make: {
    probe: ["make", "--version"],
    files: ({ actions }) => ({
      Makefile: `all: ${actions.map((a) => a.output).join(" ")}\n${actions.map((a) => `${a.output}: ${a.inputs.join(" ")}\n\t${cat2} ${a.inputs.join(" ")} $@\n`).join("")}`,
    }),
    command: `make -j${JOBS} all`,
    state: ["out"],
  },
  tup: {
    // It unmounts by fuse3's program.
    probe: ["sh", "-c", "tup --version && fusermount3 --version"],
    files: ({ actions }) => ({
      Tupfile: actions.map((a) => `: ${a.inputs.join(" ")} |> ${cat2} %f %o |> ${a.output}\n`).join(""),
    }),
    prepare: ["tup", "init"],
    command: `tup -j${JOBS}`,
    state: ["out"],
    largest: 10_000,
  },
  scons: {
    probe: ["scons", "--version"],
    files: ({ actions }) => ({
      SConstruct: `env = Environment()\nfor o, a, b in [\n${actions.map((a) => `  (${[a.output, ...a.inputs].map((p) => JSON.stringify(p)).join(", ")}),\n`).join("")}]:\n    env.Command(o, [a, b], '${cat2} $SOURCES $TARGET')\n`,
    }),
    command: `scons -Q -j${JOBS} .`,
    state: [".sconsign.dblite", "out"],
    largest: 1000,
  },
  ...(["turbo", "nx", "wireit"].some(isWanted) ? npmTools(installNpmTools(home), cat2, JOBS) : {}),
  "arc (yaml)": arcTool({}, yamlOf),
  arc: arcTool({}, jsonOf),
  "arc without native part": arcTool({ ARC_NATIVE: "0" }, jsonOf),
  ...Object.fromEntries(
    values.without
      .split(",")
      .filter((part) => part !== "")
      .map((part) => [`arc, no ${part}`, arcTool({}, jsonOf, arcWithout(part))]),
  ),
};

/** An arc of its own without one of the parts that only make it faster; its program. */
function arcWithout(part) {
  const folder = path.join(home, "without", part);
  mkdirSync(path.join(folder, "bin"), { recursive: true });
  must("cp", [arc, path.join(folder, "bin/arc")]);
  must("node", [path.join(root, "build.mjs"), "--without", part, path.join(folder, "dist")], { cwd: root });
  return path.join(folder, "bin/arc");
}

/** `state`: a full build starts with an empty store, too. */
function arcTool(env, fileOf, program = arc) {
  return {
    probe: [program, "--version"],
    env,
    files: ({ actions }) => ({ "arc.yaml": fileOf(actions) }),
    command: `${program} build -j${JOBS}`,
    state: [".arc", "out", "../store"],
  };
}

/** One line an action, as people write them. */
function yamlOf(actions) {
  const lines = actions.map(
    ({ name, inputs, output }) =>
      `  ${name}: { run: [${[cat2, ...inputs, output].join(", ")}], inputs: [${inputs.join(", ")}], outputs: [${output}] }\n`,
  );
  return `arc: 1\nproject: bench\nactions:\n${lines.join("")}`;
}

/** As programs write it: JSON is YAML. */
function jsonOf(actions) {
  const entries = actions.map(({ name, inputs, output }) => [
    name,
    { run: [cat2, ...inputs, output], inputs, outputs: [output] },
  ]);
  return JSON.stringify({ arc: 1, project: "bench", actions: Object.fromEntries(entries) });
}

function must(program, args, options = {}) {
  const run = spawnSync(program, args, { encoding: "utf8", ...options });
  if (run.status !== 0)
    throw new Error(`${program} ${args.join(" ")}: ${run.error ?? run.stderr + run.stdout}`);
  return run.stdout;
}

class Project {
  #aside = 0;

  constructor(name, tool, graph, size) {
    this.name = name;
    this.tool = tool;
    this.graph = graph;
    this.root = path.join(home, `${name.replace(/\W+/g, "-")}-${size}`, "project");
    mkdirSync(this.root, { recursive: true });
    const folders = new Set(
      [...graph.sources, ...graph.actions.map((a) => a.output)].map((file) => path.dirname(file)),
    );
    // The simple tools do not make folders for outputs.
    this.folders = [...folders].map((folder) => path.join(this.root, folder));
    for (const folder of this.folders) mkdirSync(folder, { recursive: true });
    for (const source of graph.sources) writeFileSync(path.join(this.root, source), content());
    for (const [file, text] of Object.entries(tool.files(graph))) {
      mkdirSync(path.dirname(path.join(this.root, file)), { recursive: true });
      writeFileSync(path.join(this.root, file), text);
    }
    for (const [file, target] of Object.entries(tool.links ?? {}))
      symlinkSync(target, path.join(this.root, file));
    if (tool.prepare !== undefined) must(tool.prepare[0], tool.prepare.slice(1), { cwd: this.root });
    this.env = { ...process.env, ...tool.env, ARC_STORE: path.join(this.root, "../store") };
  }

  /** Of the action at the top that the leaf reaches. */
  top() {
    return readFileSync(path.join(this.root, this.graph.top), "latin1");
  }

  before(scenario) {
    if (scenario === "leaf") writeFileSync(path.join(this.root, this.graph.leaf), content());
    if (scenario !== "full") return;
    // Put aside, not removed: ext4 is slow to make files for minutes after many were removed, for the tools that make most.
    this.#aside += 1;
    const aside = path.join(this.root, "..", `aside-${this.#aside}`);
    mkdirSync(aside);
    for (const state of this.tool.state) {
      const there = path.join(this.root, state);
      if (existsSync(there)) renameSync(there, path.join(aside, path.basename(state)));
    }
    if (!this.tool.state.includes(".arc"))
      for (const folder of this.folders) mkdirSync(folder, { recursive: true });
  }

  /** Milliseconds; throws when the build fails. */
  time() {
    const script = `TIMEFORMAT='%3R %3U %3S'; time ${this.tool.command} > out.log 2>&1`;
    // Its start-up files would change PATH, and arc would take it for another kind of call than `memory`'s.
    const run = spawnSync("bash", ["--norc", "-c", `${script} || { cat out.log; exit 1; }`], {
      cwd: this.root,
      env: { ...this.env, BASH_ENV: "" },
      encoding: "utf8",
    });
    const [wall, user, system] = run.stderr.trim().split("\n").at(-1).split(" ").map(Number);
    if (run.status !== 0 || !(wall >= 0))
      throw new Error(`${this.name}: ${run.stdout.slice(-2000)}${run.stderr}`);
    return { wall: wall * 1000, cpu: (user + system) * 1000 };
  }

  /** Megabytes. */
  memory() {
    const figure = path.join(this.root, "memory.txt");
    // A line for each action is written, too many for a buffer.
    spawnSync("/usr/bin/time", ["-o", figure, "-f", "%M", ...this.tool.command.split(" ")], {
      cwd: this.root,
      env: this.env,
      stdio: "ignore",
    });
    return Number(readFileSync(figure, "utf8").trim().split("\n").at(-1)) / 1000;
  }
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  for (const row of rows) {
    console.log(
      row
        .map((cell, column) =>
          column === 0 ? String(cell).padEnd(widths[0]) : String(cell).padStart(widths[column]),
        )
        .join("  "),
    );
  }
}

const isHere = ({ probe }) =>
  typeof probe === "function" ? probe() : spawnSync(probe[0], probe.slice(1)).status === 0;
/** Name, tool, and why it is not measured, if it is not. */
const chosen = Object.entries(tools)
  .filter(([name]) => isWanted(name))
  .map(([name, tool]) => [name, tool, isHere(tool) ? undefined : "not installed"]);

console.log(`load ${loadavg()[0].toFixed(1)}`);
try {
  for (const size of values.sizes.split(",").map(Number)) {
    const graph = actionsOf(size);
    const projects = [];
    const absent = [];
    for (const [name, tool, missing] of chosen) {
      const isSlow = size > (tool.largest ?? Number.POSITIVE_INFINITY) && wanted === undefined;
      const why = missing ?? (isSlow ? "not run at this size" : undefined);
      if (why !== undefined) {
        absent.push([name, why]);
        continue;
      }
      try {
        const project = new Project(name, tool, graph, size);
        project.time();
        // What the first build wrote is old enough by now for everybody's time stamps.
        spawnSync("sleep", ["1.2"]);
        project.time();
        projects.push(project);
      } catch (error) {
        console.log(`${name}: ${String(error).slice(-300)}`);
        absent.push([name, "does not run here"]);
      }
    }
    for (const scenario of values.scenarios.split(",")) {
      const rounds = scenario === "full" ? Math.ceil(Number(values.rounds) / 3) : Number(values.rounds);
      const times = new Map(projects.map((project) => [project, []]));
      for (let round = 0; round < rounds; round += 1) {
        for (const project of projects) {
          const top = project.top();
          project.before(scenario);
          // tup does not see a change in the second of its last run.
          if (project.name === "tup" && scenario === "leaf") spawnSync("sleep", ["1.2"]);
          times.get(project).push(project.time());
          if (scenario === "leaf" && project.top() === top)
            throw new Error(`${project.name} missed a changed leaf`);
        }
      }
      const rows = [["", "wall ms", "best", "cpu ms", "MB", "wall/ninja", "cpu/ninja"]];
      const of = (project, what) => median(times.get(project).map((time) => time[what]));
      const ninja = projects.find(({ name }) => name === "ninja");
      for (const project of projects) {
        project.before(scenario);
        const memory = project.memory();
        const ratio = (what) => (ninja === undefined ? "" : (of(project, what) / of(ninja, what)).toFixed(2));
        const best = Math.min(...times.get(project).map((time) => time.wall));
        rows.push([
          project.name,
          of(project, "wall").toFixed(0),
          best.toFixed(0),
          of(project, "cpu").toFixed(0),
          memory.toFixed(0),
          ratio("wall"),
          ratio("cpu"),
        ]);
      }
      for (const [name, why] of absent) rows.push([name, why, "", "", "", "", ""]);
      console.log(`\n${size} actions, ${scenario}, median of ${rounds}`);
      table(rows);
    }
    if (!values.keep)
      for (const project of projects) rmSync(path.dirname(project.root), { recursive: true, force: true });
  }
} finally {
  if (values.keep) console.log(`kept: ${home}`);
  else {
    try {
      rmSync(home, { recursive: true, force: true });
    } catch {
      // A file system of tup's is still mounted there.
      console.log(`left: ${home}`);
    }
  }
}
