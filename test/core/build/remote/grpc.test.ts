import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { RemoteCacheOptions } from "../../../../core/build/engine-interface.ts";
import type { Action } from "../../../../core/build/model/action.ts";
import { shell, Workshop } from "../workshop.ts";
import { bazelWorker, missingForBazelWorker } from "./bazel-worker.ts";
import { type ReapiOptions, type ReapiServer, reapiServer } from "./reapi-server.ts";

/** A log, a blob of several pieces, an empty one, and a folder. */
const actions: Action[] = [
  shell("large", "yes < a | head -c 200000 > o; cat a >> o; echo said", { a: "a" }, ["o"]),
  shell("tree", "mkdir -p d/deep; tail -1 o > d/deep/x; touch d/empty", { o: ["large", "o"] }, [], {
    outputs: [{ name: "d", kind: "folder", place: "out/d" }],
  }),
];

const closing: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closing.splice(0).reverse()) close();
});

async function serving(options: ReapiOptions = {}): Promise<ReapiServer> {
  const server = await reapiServer(options);
  closing.push(() => server.close());
  return server;
}

function client(remote: RemoteCacheOptions, a = "hello\n"): Workshop {
  const shop = new Workshop({ remote });
  closing.push(() => shop.close());
  shop.write("a", a);
  return shop;
}

function expectOutputs(shop: Workshop): void {
  expect([shop.read("out/o").length, shop.read("out/d/deep/x"), shop.read("out/d/empty")]).toEqual([
    200006,
    "hello\n",
    "",
  ]);
}

function selfSigned(subjectAltName: string): { readonly key: string; readonly certificate: string } {
  const folder = mkdtempSync(join(tmpdir(), "arc-tls-"));
  closing.push(() => rmSync(folder, { recursive: true }));
  const [key, certificate] = ["key.pem", "cert.pem"].map((file) => join(folder, file)) as [string, string];
  const made = spawnSync("openssl", [
    ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
    ...["-days", "2", "-subj", "/CN=arc", "-addext", `subjectAltName=${subjectAltName}`],
    ...["-keyout", key, "-out", certificate],
  ]);
  expect(made.status).toBe(0);
  return { key, certificate };
}

describe("a cache of the Remote Execution API", () => {
  test("gives one machine what another built, in the instance that the URL names", async () => {
    const { host, calls } = await serving();
    const url = `grpc://${host}/team/fpga`;
    expect((await client({ url }).build(actions)).ran).toEqual(["large", "tree"]);
    const second = client({ url });
    const built = await second.build(actions);
    expect(built.of("done").map((event) => event.how)).toEqual(["remote", "remote"]);
    expect(built.of("log")[0]?.text).toBe("said\n");
    expectOutputs(second);
    expect((await client({ url: `grpc://${host}/others` }).build(actions)).ran).toEqual(["large", "tree"]);
    // A large blob that is already there is not sent again.
    expect(calls.filter((call) => call === "find").length).toBeGreaterThan(1);
  });

  test("in read-only mode is read and never written", async () => {
    const { host, calls, blobs } = await serving();
    const url = `grpc://${host}`;
    await client({ url, readOnly: true }).build(actions);
    expect([blobs.size, calls.includes("update")]).toEqual([0, false]);
    await client({ url }).build(actions);
    expect((await client({ url, readOnly: true }).build(actions)).ran).toEqual([]);
  });

  test("requests its token, which appears in no message even if the server repeats it", async () => {
    const { host } = await serving({ authorization: "Bearer s3cret" });
    const url = `grpc://${host}`;
    const headers = { authorization: "Bearer s3cret" };
    const four = Array.from({ length: 4 }, (_, at) => shell(`n${at}`, `echo ${at} > o${at}`, {}, [`o${at}`]));
    await client({ url, headers }).build(four);
    expect((await client({ url, headers }).build(four)).ran).toEqual([]);
    const refused = await client({ url, headers: { authorization: "Bearer wr0ng" } }).build(four);
    expect(refused.ok).toBe(true);
    expect(refused.ran).toHaveLength(4);
    const told = JSON.stringify(refused.of("warning"));
    expect(told).toContain("UNAUTHENTICATED");
    expect(told).not.toContain("wr0ng");
  });

  test("that lies about bytes, or never answers, makes no wrong artifact and no long wait", async () => {
    const lie = (bytes: Buffer): Buffer =>
      Buffer.from(bytes.toString("latin1").replaceAll("h", "j"), "latin1");
    const liar = await serving({ lie });
    await client({ url: `grpc://${liar.host}` }).build(actions);
    const deceived = client({ url: `grpc://${liar.host}` });
    expect((await deceived.build(actions)).ran).toContain("large");
    expectOutputs(deceived);
    const { host } = await serving({ silent: true });
    const patient = client({ url: `grpc://${host}`, answerSeconds: 0.05, blobSeconds: 0.05 });
    const built = await patient.build(actions);
    expect(built.ok).toBe(true);
    expect(JSON.stringify(built.of("warning"))).toContain("no answer in time");
    expectOutputs(patient);
    const nobody = client({ url: "grpc://127.0.0.1:1" });
    expect((await nobody.build(actions)).ok).toBe(true);
  });

  test("is contacted through TLS if the URL says grpcs, with the given certificates", async () => {
    const { key, certificate } = selfSigned("IP:127.0.0.1");
    const { host } = await serving({
      tls: { key: readFileSync(key), certificate: readFileSync(certificate) },
    });
    const warnings: Error[] = [];
    const warned = (warning: Error): unknown => warnings.push(warning);
    process.on("warning", warned);
    closing.push(() => process.off("warning", warned));
    const url = `grpcs://${host}`;
    await client({ url, certificates: certificate }).build(actions);
    expect((await client({ url, certificates: certificate }).build(actions)).ran).toEqual([]);
    expect((await client({ url }).build(actions)).ran).toEqual(["large", "tree"]);
    expect(warnings).toEqual([]);
  });

  test("is not believed with a certificate for another name than that of the URL", async () => {
    const { key, certificate } = selfSigned("DNS:elsewhere.example");
    const { host } = await serving({
      tls: { key: readFileSync(key), certificate: readFileSync(certificate) },
    });
    for (const url of [`grpcs://${host}`, `grpcs://${host.replace("127.0.0.1", "localhost")}`]) {
      await client({ url, certificates: certificate }).build(actions);
      expect((await client({ url, certificates: certificate }).build(actions)).ran).toEqual([
        "large",
        "tree",
      ]);
    }
  });
});

const noWorker = missingForBazelWorker();

describe.skipIf(noWorker !== undefined)(`Bazel's own server (${noWorker ?? "installed"})`, () => {
  test("takes what one machine built and gives it to another", { timeout: 200_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "arc-bazel-"));
    closing.push(() => rmSync(folder, { recursive: true }));
    const worker = await bazelWorker(folder);
    closing.push(() => worker.close());
    const url = `grpc://${worker.host}`;
    const ample = { url, answerSeconds: 30 };
    const several = [
      ...actions,
      shell("huge", "head -c 9000000 /dev/zero | tr '\\0' h > h", {}, ["h"]),
      shell("nothing", ": > n", {}, ["n"]),
    ];
    const first = await client(ample).build(several);
    expect([first.ran.length, first.of("warning")]).toEqual([4, []]);
    const second = client(ample);
    const built = await second.build(several);
    expect(built.of("warning")).toEqual([]);
    expect(built.of("done").map((event) => event.how)).toEqual(several.map(() => "remote"));
    expect(built.of("log")[0]?.text).toBe("said\n");
    expectOutputs(second);
    expect([second.read("out/h").length, second.read("out/n")]).toEqual([9_000_000, ""]);
    expect((await client(ample, "other\n").build(several)).ran.toSorted()).toEqual(["large", "tree"]);
  });
});
