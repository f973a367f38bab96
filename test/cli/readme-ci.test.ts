/** The CI jobs of the README, run as a runner would: its environment, a fresh checkout each, no memory but the cache. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { Background } from "./background.ts";
import { arcProgram, type Outcome, Rig } from "./rig.ts";

const readme = readFileSync(path.resolve(import.meta.dirname, "../../README.md"), "utf8");

/** The job that begins with the name of its file. */
function job<T>(file: string): T {
  const text = readme.split("```").find((block) => block.startsWith(`yaml\n# ${file}\n`));
  return parse(text?.replace(/^yaml\n/, "") ?? "") as T;
}

interface GitHub {
  readonly env: Readonly<Record<string, string>>;
  readonly jobs: {
    readonly build: {
      readonly steps: readonly {
        readonly run?: string;
        readonly uses?: string;
        readonly with?: { path?: string };
      }[];
    };
  };
}

interface GitLab {
  readonly build: {
    readonly variables: Readonly<Record<string, string>>;
    readonly script: readonly string[];
    readonly artifacts: { readonly paths: readonly string[] };
  };
}

type Context = Readonly<Record<"github" | "secrets", Readonly<Record<string, string>>>>;

/** What the runner puts in the place of `${{ … }}`. */
const evaluated = (text: string, { github, secrets }: Context): string =>
  text.replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) =>
    String(new Function("github", "secrets", `return ${expression}`)(github, secrets) ?? ""),
  );

const project = {
  "arc.yaml": `arc: 1
project: p
sources: [p.c]
targets: { fpga: { kind: intel-fpga, board: board_a } }
`,
  "p.c": `int main(void) {
  float x[8] = {0};
#pragma acc parallel loop copy(x)
  for (int i = 0; i < 8; i++) x[i] += 1;
  return x[0] != 1;
}
`,
};

/** Records its calls, and writes the requested output. */
const aoc = `case $1 in
  -version|--version) echo "aoc 21.2 (stand-in)"; exit 0 ;;
esac
echo "$*" >> "$HOME/calls"
for argument; do [ "$last" = -o ] && out=$argument; last=$argument; done
[ -z "$out" ] || sha256sum kernel.cl > "$out"
`;

const closing: Background[] = [];
afterEach(async () => {
  for (const server of closing.splice(0)) await server.end("SIGTERM");
});

const token = "t0ken-of-the-cache";

/** A company's cache, with the address from the README. */
async function cache(): Promise<string> {
  const server = new Background(new Rig(), ["cache", "serve", "--port", "0", "--json", "--public-read"], {
    ARC_REMOTE_CACHE_TOKEN: token,
  });
  closing.push(server);
  await server.until((said) => said.includes("\n"));
  return (JSON.parse(server.out) as { url: string }).url;
}

/** A machine that checks the project out, and runs commands in one shell as runners do. */
async function machine(
  commands: string,
  env: Readonly<Record<string, string>>,
): Promise<Outcome & { readonly compiled: readonly string[]; readonly rig: Rig }> {
  const rig = new Rig(project);
  rig.tool("aoc", aoc);
  const home = mkdtempSync(path.join(rig.root, "home-"));
  writeFileSync(path.join(home, "calls"), "");
  // Of the same compiler on all machines, as a container has it.
  const outcome = await rig.run("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", commands], {
    env: {
      PATH: `${rig.bin}:${path.dirname(arcProgram)}:${process.env.PATH}`,
      HOME: home,
      ARC_STORE: "",
      CI: "true",
      ...env,
    },
  });
  const compiled = readFileSync(path.join(home, "calls"), "utf8").split("\n").filter(Boolean);
  return { ...outcome, compiled, rig };
}

describe("the job for GitHub Actions", () => {
  it("makes a bitstream once: the next push and a pull request of a stranger find it", async () => {
    const { env, jobs } = job<GitHub>(".github/workflows/build.yml");
    const url = await cache();
    const run = (context: Context): ReturnType<typeof machine> => {
      const variables = Object.entries({ ...env, ARC_REMOTE_CACHE: url });
      const commands = jobs.build.steps.flatMap((step) => step.run ?? []).join("\n");
      return machine(commands, {
        GITHUB_ACTIONS: "true",
        ...Object.fromEntries(variables.map(([name, value]) => [name, evaluated(value, context)])),
      });
    };
    const push = { github: { event_name: "push" }, secrets: { ARC_CACHE_TOKEN: token } };
    const first = await run(push);
    expect(first.status, first.err).toBe(0);
    expect(first.compiled).toHaveLength(2);
    const second = await run(push);
    expect({ compiled: second.compiled, err: second.err }).toEqual({
      compiled: [],
      err: expect.not.stringMatching(/warning/),
    });
    // To a fork's pull request GitHub gives no secrets.
    const stranger = await run({ github: { event_name: "pull_request" }, secrets: {} });
    expect({ compiled: stranger.compiled, err: stranger.err }).toEqual({
      compiled: [],
      err: expect.not.stringMatching(/warning/),
    });
    const kept = jobs.build.steps.find(({ uses = "" }) => uses.includes("upload-artifact"))?.with?.path;
    expect(stranger.rig.list().some((file) => file.startsWith(kept ?? "none"))).toBe(true);
    expect([first.out, first.err, stranger.err].join("")).not.toContain(token);
  });
});

describe("the job for GitLab", () => {
  it("makes a bitstream once: the next pipeline, also of a branch that is not protected, finds it", async () => {
    const { build } = job<GitLab>(".gitlab-ci.yml");
    const url = await cache();
    const run = (env: Readonly<Record<string, string>>): ReturnType<typeof machine> =>
      machine(build.script.join("\n"), {
        GITLAB_CI: "true",
        ...build.variables,
        ARC_REMOTE_CACHE: url,
        ...env,
      });
    const isProtected = { CI_COMMIT_REF_PROTECTED: "true", ARC_REMOTE_CACHE_TOKEN: token };
    const first = await run(isProtected);
    expect(first.status, first.err).toBe(0);
    expect(first.compiled).toHaveLength(2);
    expect((await run(isProtected)).compiled).toEqual([]);
    const branch = await run({ CI_COMMIT_REF_PROTECTED: "false" });
    expect({ compiled: branch.compiled, status: branch.status }).toEqual({ compiled: [], status: 0 });
    for (const kept of build.artifacts.paths)
      expect(branch.rig.list().some((file) => file.startsWith(kept))).toBe(true);
  });
});
