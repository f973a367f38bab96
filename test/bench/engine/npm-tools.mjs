/** Build tools from npm for the bench: each action is a package or a script of its own, as these tools want it. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const NAMES = ["turbo", "nx", "wireit"];

/** Installs them below `home`; which are there afterwards, none without a registry. */
export function installNpmTools(home) {
  const folder = path.join(home, "npm-tools");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "package.json"), '{ "private": true }\n');
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=0"];
  spawnSync("npm", ["install", ...flags, ...NAMES], { cwd: folder, timeout: 300_000 });
  const bin = path.join(folder, "node_modules/.bin");
  // npm itself takes half a second a task: what is compared is the tool, so it only runs the command.
  const npm = path.join(folder, "bare/npm");
  mkdirSync(path.dirname(npm), { recursive: true });
  writeFileSync(npm, "#!/bin/sh\nexec sh ./command\n");
  chmodSync(npm, 0o755);
  return {
    folder,
    bareNpm: path.dirname(npm),
    has: (name) => existsSync(path.join(bin, name)),
    path: (name) => path.join(bin, name),
  };
}

/** `jobs` at once; `cat2` is the program that actions run. */
export function npmTools(installed, cat2, jobs) {
  const probe = (name) => () => installed.has(name);
  const link = { node_modules: path.join(installed.folder, "node_modules") };
  return {
    turbo: {
      probe: probe("turbo"),
      links: link,
      files: turboFiles(cat2),
      env: { TURBO_TELEMETRY_DISABLED: "1", PATH: `${installed.bareNpm}:${process.env.PATH}` },
      command: `${installed.path("turbo")} run build --concurrency=${jobs} --output-logs=none --ui=stream`,
      state: [".turbo", "out"],
      largest: 1000,
    },
    nx: {
      probe: probe("nx"),
      links: link,
      files: nxFiles(cat2),
      env: { NX_DAEMON: "false", NX_TUI: "false", NX_NO_CLOUD: "true" },
      command: `${installed.path("nx")} run-many -t build --parallel=${jobs} --outputStyle=static`,
      state: [".nx", "out"],
      largest: 100,
    },
    wireit: {
      probe: probe("wireit"),
      links: link,
      files: wireitFiles(cat2),
      env: { WIREIT_PARALLEL: String(jobs), WIREIT_LOGGER: "simple" },
      command: "npm run --silent all",
      state: [".wireit", "out"],
      largest: 1000,
    },
  };
}

/** The actions that make an action's inputs. */
function needsOf(actions) {
  const makers = new Map(actions.map((action) => [action.output, action.name]));
  return (action) => action.inputs.flatMap((input) => makers.get(input) ?? []);
}

function wireitFiles(cat2) {
  return ({ actions }) => {
    const needs = needsOf(actions);
    const scripts = Object.fromEntries([["all", "wireit"], ...actions.map(({ name }) => [name, "wireit"])]);
    const wireit = Object.fromEntries(
      actions.map((action) => [
        action.name,
        {
          command: `${cat2} ${action.inputs.join(" ")} ${action.output}`,
          dependencies: needs(action),
          files: action.inputs,
          output: [action.output],
        },
      ]),
    );
    const all = { dependencies: actions.map(({ name }) => name) };
    return {
      "package.json": JSON.stringify({ name: "bench", private: true, scripts, wireit: { ...wireit, all } }),
    };
  };
}

function turboFiles(cat2) {
  return ({ actions }) => {
    const needs = needsOf(actions);
    const files = {
      "package.json": JSON.stringify({
        name: "bench",
        private: true,
        packageManager: "npm@10.0.0",
        workspaces: ["packages/*"],
      }),
      "package-lock.json": JSON.stringify({ name: "bench", lockfileVersion: 3, packages: {} }),
      "turbo.json": JSON.stringify({ tasks: { build: { dependsOn: ["^build"] } } }),
    };
    for (const action of actions) {
      const folder = `packages/${action.name}`;
      const root = (file) => `$TURBO_ROOT$/${file}`;
      const dependencies = Object.fromEntries(needs(action).map((name) => [name, "*"]));
      const scripts = { build: "sh ./command" };
      files[`${folder}/package.json`] = JSON.stringify({
        name: action.name,
        version: "1.0.0",
        scripts,
        dependencies,
      });
      files[`${folder}/command`] =
        `exec ${cat2} ${[...action.inputs, action.output].map((file) => `../../${file}`).join(" ")}\n`;
      files[`${folder}/turbo.json`] = JSON.stringify({
        extends: ["//"],
        tasks: { build: { inputs: ["command", ...action.inputs.map(root)], outputs: [root(action.output)] } },
      });
    }
    return files;
  };
}

function nxFiles(cat2) {
  return ({ actions }) => {
    const needs = needsOf(actions);
    const files = {
      "package.json": JSON.stringify({ name: "bench", private: true }),
      "nx.json": JSON.stringify({
        analytics: false,
        targetDefaults: { build: { cache: true, dependsOn: ["^build"] } },
      }),
    };
    for (const action of actions) {
      const build = {
        executor: "nx:run-commands",
        options: { command: `${cat2} ${action.inputs.join(" ")} ${action.output}` },
        inputs:
          needs(action).length === 0
            ? action.inputs.map((file) => `{workspaceRoot}/${file}`)
            : [{ dependentTasksOutputFiles: "**/*" }],
        outputs: [`{workspaceRoot}/${action.output}`],
      };
      const project = { name: action.name, implicitDependencies: needs(action), targets: { build } };
      files[`packages/${action.name}/project.json`] = JSON.stringify(project);
    }
    return files;
  };
}
