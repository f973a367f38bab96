/**
 * Secrets of all kinds, each a canary of its own, given to every command as a user gives them: nothing that a command
 * says or leaves behind has one in it, and no process that it starts is called with one.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Outcome, Rig } from "./rig.ts";

const canary = (of: string): string => `cAnAry-${of}-7f3a`;
const CANARY = /cAnAry-\w+-7f3a/i;
/** As headers and addresses have them, too. */
const hidden = [
  CANARY,
  new RegExp(
    Buffer.from(`me:${canary("password")}`)
      .toString("base64")
      .slice(0, 20),
  ),
  /cAnAry%2D/i,
];

const arcYaml = (remote: string): string => `arc: 1
project: p
host: [src/p.c]
targets: { cpu: { kind: host } }
runs: { small: { args: [] } }
cache: { remote: "${remote}", mode: readwrite, token-from: CI_TOKEN, headers-from: { X-Api-Key: CI_HEADER }, key-from: CI_KEY }
actions:
  seen:
    run: [sh, -c, "env > seen.txt; tr '\\\\0' '\\\\n' < /proc/self/cmdline >> seen.txt; ps ax -o args | grep -v grep >> seen.txt; true"]
    outputs: [seen.txt]
  broken: { run: [sh, -c, "env >&2; exit 3"], outputs: [none.txt] }
`;

const program = `#include <stdio.h>
int main(void) {
  int s = 0;
#pragma acc parallel loop reduction(+:s)
  for (int i = 0; i < 10; i++) s += i;
  printf("%d\\n", s);
  return 0;
}
`;

/** A cache that records requests by path, and may require authentication. */
const kept = new Map<string, Buffer>();
let refuses = false;
const server = http.createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  if (refuses) {
    // A server that echoes its requests.
    response.writeHead(403, JSON.stringify(request.headers.authorization ?? "").slice(1, 60));
    return void response.end(JSON.stringify(request.headers));
  }
  const name = request.url ?? "";
  if (request.method === "PUT") kept.set(name, body);
  const found = kept.get(name);
  response.writeHead(found === undefined ? 404 : 200).end(request.method === "HEAD" ? undefined : found);
});

let address = "";
const outcomes: (Outcome & { readonly said: string })[] = [];
const rigs: Rig[] = [];

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

async function all(
  rig: Rig,
  env: Record<string, string>,
  commands: readonly (readonly string[])[],
): Promise<void> {
  for (const command of commands) {
    const outcome = await rig.arc(command, { env });
    outcomes.push({ ...outcome, said: command.join(" ") });
  }
}

function made(remote: string): Rig {
  const rig = new Rig({ "arc.yaml": arcYaml(remote), "src/p.c": program }, "shared");
  rigs.push(rig);
  return rig;
}

const secrets = {
  CI_TOKEN: canary("token"),
  CI_HEADER: canary("header"),
  CI_KEY: canary("key"),
  AWS_SECRET_ACCESS_KEY: canary("environment"),
  https_proxy: `http://me:${canary("proxy")}@127.0.0.1:9`,
};

/** Files that hold a canary. */
function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
    .filter((file) => hidden.some((pattern) => pattern.test(contentOf(file))));
}

/** Empty if it is gone: actions of other tests come and go in the shared store. */
function contentOf(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

describe("secrets of the environment are in nothing that arc says or leaves behind", {
  timeout: 300_000,
}, () => {
  it("of commands that use a cache with a token, a header, a key and a proxy", async () => {
    await all(made(`http://${address}/arc`), secrets, [
      ["build", "--trace", "trace.json"],
      ["build", "--json", "--force"],
      ["build", "seen", "--trace-inputs"],
      ["build", "broken"],
      ["build", "broken", "--json", "--sarif", "b.sarif", "--code-quality", "b.json"],
      ["build", "broken", "--dry-run"],
      ["run", "cpu"],
      ["verify", "--json"],
      ["verify", "--sarif", "v.sarif"],
      ["check"],
      ["translate", "src/p.c"],
      ["explain", "broken"],
      ["graph", "--format", "json"],
      ["report", "--all", "--json"],
      ["report", "--all", "--html", "report.html"],
      ["bench"],
      ["doctor"],
      ["doctor", "--json"],
      ["cache", "verify"],
      ["cache", "prune", "--limit", "1 GB"],
      ["cc", "src/p.c", "-o", "p.out"],
      ["nonsense", "--nonsense"],
      ["clean"],
      ["init", "--force"],
    ]);
    expect(kept.size).toBeGreaterThan(2);
    expect(outcomes.filter(({ status }) => status === 0).length).toBeGreaterThan(12);
  });

  it("of a password in the address, taken and refused", async () => {
    const env = { ...secrets, ARC_REMOTE_CACHE: `http://me:${canary("password")}@${address}/arc` };
    await all(made("http://127.0.0.1:9"), env, [["build"], ["build", "--json", "--force"], ["doctor"]]);
    refuses = true;
    await all(made("http://127.0.0.1:9"), env, [["build"], ["build", "--json"], ["verify"]]);
    refuses = false;
    expect(outcomes.at(-3)?.err).toMatch(/shared cache|remote cache|answers 403/);
    const nobody = { ...env, ARC_REMOTE_CACHE: `http://me:${canary("password")}@127.0.0.1:9/arc` };
    await all(made("http://127.0.0.1:9"), nobody, [["build"], ["doctor"]]);
    const wrong = { ...env, ARC_REMOTE_CACHE: `ftp://me:${canary("password")}@127.0.0.1:9/arc` };
    await all(made("http://127.0.0.1:9"), wrong, [["build"], ["build", "--json"], ["doctor"]]);
    const odd = { ...env, ARC_REMOTE_CACHE: `http://me:${canary("password")}@[::1/arc` };
    await all(made("http://127.0.0.1:9"), odd, [["build"]]);
    await all(made("http://127.0.0.1:9"), { ...secrets, CI_TOKEN: `${canary("token")}ü` }, [["build"]]);
  });

  it("and nothing of them was found", () => {
    for (const { said, out, err } of outcomes)
      for (const pattern of hidden) expect([said, pattern.exec(out + err)?.[0]]).toEqual([said, undefined]);
    for (const folder of new Set(rigs.flatMap((rig) => [rig.root, rig.store])))
      expect(files(folder)).toEqual([]);
    // What looks for them finds one.
    const [rig] = rigs as [Rig];
    rig.write("found", canary("control"));
    expect(files(rig.root)).toEqual([path.join(rig.folder, "found")]);
  });
});
