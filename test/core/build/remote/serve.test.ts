/** A served store keeps its limit, whatever clients send. */
import { lstatSync, readdirSync, utimesSync } from "node:fs";
import http from "node:http";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { digestBytes } from "../../../../core/build/key/digest.ts";
import { bytesField, message } from "../../../../core/build/remote/protobuf.ts";
import { serveStore } from "../../../../core/build/remote/serve.ts";
import { decodeEntry, encodeDigest, encodeEntry } from "../../../../core/build/remote/wire.ts";
import { Workshop } from "../workshop.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const LIMIT = 100_000;

async function serving(): Promise<{ readonly url: string; readonly store: string }> {
  const { store } = new Workshop();
  const server = await serveStore({ store, port: 0, storeLimit: LIMIT });
  closing.push(() => server.close());
  return { url: server.url, store };
}

function filesIn(store: string): string[] {
  return readdirSync(store, { recursive: true, encoding: "utf8" })
    .map((name) => join(store, name))
    .filter((path) => lstatSync(path).isFile());
}

const bytesIn = (store: string): number =>
  filesIn(store).reduce((sum, path) => sum + lstatSync(path).size, 0);

const put = async (url: string, body: string): Promise<number> =>
  (await fetch(url, { method: "PUT", body })).status;

/** The response to a request's head, sent without any of the body. */
function answerToHead(url: string, headers: http.OutgoingHttpHeaders): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method: "PUT", headers });
    request.on("response", (response) => {
      resolve(response.statusCode);
      request.destroy();
    });
    request.on("continue", () => {
      resolve(100);
      request.destroy();
    });
    request.on("error", reject);
    request.flushHeaders();
  });
}

/** `cas` takes what has its digest; `ac` what any client makes of it. */
const contents = Array.from({ length: 40 }, (_, at) => String(at).padEnd(10_000, "."));
const addressOf = {
  "blobs of arc": (url: string, text: string) => `${url}/cas/${digestBytes(text)}`,
  "entries of other clients": (url: string, text: string) => `${url}/ac/${digestBytes(`key of ${text}`)}`,
};

describe("a served store", () => {
  test.each(Object.entries(addressOf))("keeps its limit, of %s too", async (_, address) => {
    const { url, store } = await serving();
    const statuses: number[] = [];
    for (const text of contents) statuses.push(await put(address(url, text), text));
    expect(bytesIn(store)).toBeLessThan(LIMIT * 1.1);
    expect(new Set(statuses)).toEqual(new Set([200, 507]));
    expect(statuses[0]).toBe(200);
  });

  test("takes bytes only under their own digest", async () => {
    const { url } = await serving();
    const blob = `${url}/cas/${digestBytes("these")}`;
    expect(await put(blob, "others")).toBe(400);
    expect((await fetch(blob)).status).toBe(404);
    expect(await put(blob, "these")).toBe(200);
    expect(await (await fetch(blob)).text()).toBe("these");
  });

  test("gives another client's entry back as it came, and not before all that it names is there", async () => {
    const { url } = await serving();
    const digest = encodeDigest(digestBytes("x"), 1);
    const path = bytesField(1, Buffer.from("a"));
    // Field numbers of the remote execution API: ActionResult, OutputFile, OutputDirectory.
    const file = bytesField(2, message([path, bytesField(2, digest)]));
    const folder = bytesField(3, message([path, bytesField(3, digest)]));
    const entry = message([file, folder, bytesField(6, digest)]);
    const address = `${url}/ac/${digestBytes("an action of another client")}`;
    const { status } = await fetch(address, { method: "PUT", body: new Uint8Array(entry) });
    expect(status).toBe(200);
    expect((await fetch(address)).status).toBe(404);
    expect(await put(`${url}/cas/${digestBytes("x")}`, "x")).toBe(200);
    expect(Buffer.from(await (await fetch(address)).arrayBuffer())).toEqual(entry);
    const blob = { digest: digestBytes("x"), size: 1 };
    expect(decodeEntry(entry)).toEqual({ blobs: [blob, blob, blob] });
  });

  test("takes no entry whose results are another action's", async () => {
    const { url } = await serving();
    const entry = encodeEntry({ blobs: [], arc: "[]" });
    const body = new Uint8Array(entry);
    const response = await fetch(`${url}/ac/${digestBytes("base")}`, { method: "PUT", body });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("the entry has no results of the action that it is for");
  });

  test.each(Object.entries(addressOf))("drops what is old for what is new, of %s", async (_, address) => {
    const { url, store } = await serving();
    for (const text of contents) {
      expect(await put(address(url, text), text)).toBe(200);
      const yesterday = Date.now() / 1000 - 86_400;
      for (const path of filesIn(store)) utimesSync(path, yesterday, yesterday);
    }
    expect(bytesIn(store)).toBeLessThan(LIMIT * 1.1);
  });

  test("refuses uploads that are too large before they are sent", async () => {
    const { url } = await serving();
    const blob = `${url}/cas/${"0".repeat(64)}`;
    const entry = `${url}/ac/${"0".repeat(64)}`;
    expect(await answerToHead(blob, { "content-length": LIMIT })).toBe(413);
    expect(await answerToHead(blob, { "content-length": 2 ** 50, expect: "100-continue" })).toBe(413);
    expect(await answerToHead(entry, { "content-length": 2 ** 30 })).toBe(413);
    expect(await answerToHead(blob, { "content-length": 10, expect: "100-continue" })).toBe(100);
  });

  test("limits uploads of unannounced size", async () => {
    const { url, store } = await serving();
    const status = await new Promise((resolve, reject) => {
      const request = http.request(`${url}/cas/${"0".repeat(64)}`, { method: "PUT" });
      request.on("response", (response) => resolve(response.resume().statusCode));
      request.on("error", reject);
      for (let piece = 0; piece < 20; piece++) request.write(".".repeat(10_000));
      request.end();
    });
    expect(status).toBe(413);
    expect(bytesIn(store)).toBeLessThan(1000);
  });
});
