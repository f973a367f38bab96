/**
 * Histories of several arcs that share stores and a served cache, which loses, damages and swaps what goes through it: after
 * every build each project has what its sources come to in an empty world. The engine, the server and the files are the real
 * ones; the clock is set forth and back.
 * 20 in every run; `sh test/nightly/histories.sh COUNT SEED` runs many.
 */
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { digestBytes } from "../../../core/build/key/digest.ts";
import type { Action, StepContext } from "../../../core/build/model/action.ts";
import { serveStore } from "../../../core/build/remote/serve.ts";
import { cases } from "../../cases.ts";
import { shell, Workshop } from "./workshop.ts";

const SOURCES = 3;
const ACTIONS = 4;
/** Few, so that machines come upon each other's results. */
const TEXTS = ["", "a\n", "b\n", "ab\n"];

/** The machines' stores, by number: two share one. */
const STORES = [0, 0, 1];
const MACHINES = STORES.length;

type Fault = "none" | "drop" | "refuse" | "truncate" | "flip" | "swap" | "forget" | "slow";
const FAULTS: readonly Fault[] = ["drop", "refuse", "truncate", "flip", "swap", "forget", "slow"];

type Event =
  | { readonly kind: "edit"; readonly machine: number; readonly source: number; readonly text: number }
  | { readonly kind: "option"; readonly machine: number; readonly action: number; readonly value: number }
  | { readonly kind: "lose-output" | "damage-output"; readonly machine: number; readonly action: number }
  | { readonly kind: "restart" | "lose-state" | "lose-journal" | "lose-stamps"; readonly machine: number }
  | { readonly kind: "damage-store" | "empty-store"; readonly store: number; readonly every: number }
  | { readonly kind: "faults"; readonly faults: readonly Fault[] }
  | { readonly kind: "clock"; readonly hours: number }
  | { readonly kind: "build"; readonly machines: readonly number[]; readonly twice: boolean };

const machine = fc.nat(MACHINES - 1);
const happening: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("edit" as const),
      machine,
      source: fc.nat(SOURCES - 1),
      text: fc.nat(TEXTS.length - 1),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("option" as const),
      machine,
      action: fc.nat(ACTIONS - 1),
      value: fc.nat(1),
    }),
  },
  fc.record({
    kind: fc.constantFrom("lose-output" as const, "damage-output" as const),
    machine,
    action: fc.nat(ACTIONS - 1),
  }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        "restart" as const,
        "lose-state" as const,
        "lose-journal" as const,
        "lose-stamps" as const,
      ),
      machine,
    }),
  },
  fc.record({
    kind: fc.constantFrom("damage-store" as const, "empty-store" as const),
    store: fc.nat(2),
    every: fc.integer({ min: 1, max: 3 }),
  }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("faults" as const),
      faults: fc.array(fc.constantFrom("none" as const, ...FAULTS), { minLength: 1, maxLength: 5 }),
    }),
  },
  fc.record({
    kind: fc.constant("clock" as const),
    hours: fc.constantFrom(-24 * 365, -25, -1, -1 / 3600, 1 / 3600, 1, 25, 24 * 365),
  }),
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("build" as const),
      machines: fc.uniqueArray(machine, { minLength: 1 }),
      twice: fc.boolean(),
    }),
  },
);

/** What each action makes of sources and options: the reference. */
function made(sources: readonly string[], options: readonly number[]): readonly string[] {
  const [a = "", b = "", c = ""] = sources;
  const first = `${options[0]}${a}${b}`;
  const second = `${options[1]}${c}`.toUpperCase();
  const third = `${options[2]}${first}${second}`;
  return [first, second, third, `${options[3]}${third}${a}\n`];
}

function graph(options: readonly number[]): Action[] {
  const join_ = (
    at: number,
    inputs: Record<string, string | readonly [string, string]>,
    step: string,
  ): Action => ({
    ...shell(`x${at}`, "", inputs, [`o${at}`], { step, options: options[at] as number }),
    command: undefined as never,
  });
  return [
    join_(0, { s0: "s0", s1: "s1" }, "join"),
    join_(1, { s2: "s2" }, "loud"),
    join_(2, { a: ["x0", "o0"], b: ["x1", "o1"] }, "join"),
    // By a process.
    shell("x3", `printf %s ${options[3]} > o3; cat p s0 >> o3; echo >> o3`, { p: ["x2", "o2"], s0: "s0" }, [
      "o3",
    ]),
  ];
}

const joined = async (context: StepContext, change: (text: string) => string) => {
  const texts = await Promise.all(context.action.inputs.map(({ name }) => context.readInput(name)));
  const text = `${context.action.options as number}${texts.map(String).join("")}`;
  await context.writeOutput(context.action.outputs[0]?.name as string, change(text));
  return { ok: true } as const;
};

/** Between the machines and the cache; each answer meets the next fault. */
class Network {
  faults: readonly Fault[] = ["none"];
  readonly #target: string;
  #at = 0;
  #last: Buffer = Buffer.from("nothing yet");
  readonly #agent = new http.Agent({ keepAlive: true });
  readonly #server = http.createServer((request, response) => void this.#pass(request, response));

  constructor(target: string) {
    this.#target = target;
  }

  async open(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, "127.0.0.1", done));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
    this.#agent.destroy();
  }

  async #pass(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const fault = this.faults[this.#at++ % this.faults.length] as Fault;
    const body = Buffer.concat(await request.toArray());
    if (fault === "drop") return void request.socket.destroy();
    if (fault === "refuse") return void response.writeHead(503).end();
    if (fault === "forget" && request.method === "PUT") return void response.end();
    if (fault === "slow") await new Promise((done) => setTimeout(done, 5));
    const answer = await this.#asked(request, body).catch(() => undefined);
    if (answer === undefined) return void request.socket.destroy();
    const { status, bytes } = answer;
    const isContent = request.method === "GET" && status === 200;
    const before = this.#last;
    if (isContent) this.#last = bytes;
    response.writeHead(status);
    if (fault === "truncate") return void response.end(bytes.subarray(0, bytes.length >> 1));
    if (fault === "swap" && isContent) return void response.end(before);
    if (fault === "flip" && bytes.length > 0)
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1;
    response.end(bytes);
  }

  /** What the cache answers; not by `fetch`, which takes several times as long. */
  #asked({ method, url }: http.IncomingMessage, body: Buffer): Promise<{ status: number; bytes: Buffer }> {
    return new Promise((resolve, reject) => {
      const request = http.request(this.#target + (url ?? ""), { method, agent: this.#agent }, (answer) => {
        answer.toArray().then((parts) => {
          resolve({ status: answer.statusCode ?? 0, bytes: Buffer.concat(parts) });
        }, reject);
      });
      request.on("error", reject).end(method === "PUT" ? body : undefined);
    });
  }
}

/** The places that a message says are in the way of outputs. */
const inTheWay = (message: string): readonly string[] =>
  /in the way/.test(message) ? [...new Set(message.match(/\bout\/o\d/g))] : [];

/** How far the wall clock of all machines is ahead of that of their files, in ms. */
const clock = { ahead: 0 };
const { now } = Date;

beforeAll(() => {
  Date.now = () => now() + clock.ahead;
});

afterAll(() => {
  Date.now = now;
});

class World {
  readonly #folder = mkdtempSync(join(tmpdir(), "arc-history-"));
  readonly #shops: Workshop[] = [];
  readonly #sources: string[][] = [];
  readonly #options: number[][] = [];
  /** Machines that have not built since. */
  readonly #lostState = new Set<number>();
  #network: Network | undefined;
  #close: () => Promise<void> = async () => undefined;

  async open(): Promise<void> {
    const serving = await serveStore({ store: this.#store(2), port: 0 });
    this.#network = new Network(serving.url);
    const url = await this.#network.open();
    this.#close = () => serving.close();
    for (const store of STORES) {
      const shop = new Workshop({
        store: this.#store(store),
        remote: { url, readOnly: false, answerSeconds: 2 },
      });
      for (const [name, change] of Object.entries({
        join: (t: string) => t,
        loud: (t: string) => t.toUpperCase(),
      }))
        shop.step({ name, digest: digestBytes(name), run: (context) => joined(context, change) });
      this.#shops.push(shop);
      this.#sources.push(Array.from({ length: SOURCES }, () => "a\n"));
      this.#options.push(Array.from({ length: ACTIONS }, () => 0));
      for (let source = 0; source < SOURCES; source += 1) shop.write(`s${source}`, "a\n");
    }
  }

  async close(): Promise<void> {
    for (const shop of this.#shops) await shop.restart();
    this.#network?.close();
    await this.#close();
    for (const shop of this.#shops) shop.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #store(number: number): string {
    return join(this.#folder, `store${number}`);
  }

  async happens(event: Event): Promise<void> {
    if (event.kind === "clock") clock.ahead += event.hours * 3_600_000;
    else if (event.kind === "faults") (this.#network as Network).faults = event.faults;
    else if (event.kind === "build") await this.#build(event.machines, event.twice);
    else if ("store" in event) {
      // What a process wrote or checked it does not check again: to change that under it is not promised to be seen.
      for (const [machine, store] of STORES.entries())
        if (store === event.store) await (this.#shops[machine] as Workshop).restart();
      this.#damage(this.#store(event.store), event.kind, event.every);
    } else await this.#change(event, this.#shops[event.machine] as Workshop);
  }

  async #change(
    event: Exclude<Event, { kind: "faults" | "clock" | "build" | "damage-store" | "empty-store" }>,
    shop: Workshop,
  ): Promise<void> {
    const { machine } = event;
    if (event.kind === "edit") {
      (this.#sources[machine] as string[])[event.source] = TEXTS[event.text] as string;
      shop.write(`s${event.source}`, TEXTS[event.text] as string);
    } else if (event.kind === "option") (this.#options[machine] as number[])[event.action] = event.value;
    else if (event.kind === "lose-output") rmSync(shop.path(`out/o${event.action}`), { force: true });
    else if (event.kind === "damage-output") {
      if (shop.exists("out")) shop.write(`out/o${event.action}`, "somebody's\n");
    } else {
      await shop.restart();
      const lost = {
        restart: undefined,
        "lose-state": ".arc",
        "lose-journal": ".arc/journal",
        "lose-stamps": ".arc/stamps",
      };
      const what = lost[event.kind as keyof typeof lost];
      if (what !== undefined) rmSync(shop.path(what), { recursive: true, force: true });
      if (what === ".arc" || what === ".arc/journal") this.#lostState.add(machine);
    }
  }

  /** No build is running; every n-th blob gets a wrong bit, or all are removed. */
  #damage(store: string, kind: string, every: number): void {
    const cas = join(store, "cas");
    if (!existsSync(cas)) return;
    const blobs = readdirSync(cas, { recursive: true, encoding: "utf8" })
      .map((name) => join(cas, name))
      .filter((path) => statSync(path).isFile());
    for (const [at, blob] of blobs.entries()) {
      if (kind === "empty-store") rmSync(blob);
      else if (at % every === 0) {
        const bytes = readFileSync(blob);
        if (bytes.length === 0) continue;
        bytes[0] = (bytes[0] as number) ^ 1;
        chmodSync(blob, 0o644);
        writeFileSync(blob, bytes);
      }
    }
  }

  /** All at once; `twice`: each by what changed since as well. */
  async #build(machines: readonly number[], twice: boolean): Promise<void> {
    const built = machines.map((machine) =>
      this.#untilNothingIsInTheWay(machine, () =>
        (this.#shops[machine] as Workshop).build(graph(this.#options[machine] as number[])),
      ),
    );
    // All are awaited before any of them fails the test, as that removes the folders of the others.
    for (const one of await Promise.allSettled(built)) if (one.status === "rejected") throw one.reason;
    if (!twice) return;
    // The answer of the launcher depends on the current folder.
    for (const machine of machines)
      await this.#untilNothingIsInTheWay(machine, () => (this.#shops[machine] as Workshop).again());
  }

  /**
   * An arc that lost its state refuses to replace what neither a record nor a copy in the store shows to be its own. It
   * leaves those files as they are and names them; the user moves them away, and builds again.
   */
  async #untilNothingIsInTheWay(
    machine: number,
    build: () => Promise<Awaited<ReturnType<Workshop["again"]>>>,
  ): Promise<void> {
    const shop = this.#shops[machine] as Workshop;
    for (let tries = 0; ; tries += 1) {
      const before = this.#outputs(shop);
      const built = await build();
      if (typeof built === "string" && tries === 0) return;
      const failed = typeof built === "string" ? [] : built.of("failed");
      const places = failed.flatMap(({ message }) => inTheWay(message));
      const isRefused = this.#lostState.has(machine) && places.length > 0 && tries < ACTIONS;
      if (!isRefused) {
        this.#check(machine, typeof built === "string" || built.ok, failed);
        this.#lostState.delete(machine);
        return;
      }
      for (const place of places) {
        expect(shop.read(place)).toBe(before.get(place));
        rmSync(shop.path(place));
      }
    }
  }

  #outputs(shop: Workshop): ReadonlyMap<string, string> {
    const places = Array.from({ length: ACTIONS }, (_, at) => `out/o${at}`);
    return new Map(places.filter((place) => shop.exists(place)).map((place) => [place, shop.read(place)]));
  }

  #check(machine: number, ok: boolean, failed: unknown): void {
    const shop = this.#shops[machine] as Workshop;
    const outputs = Array.from({ length: ACTIONS }, (_, at) =>
      shop.exists(`out/o${at}`) ? shop.read(`out/o${at}`) : "",
    );
    expect([machine, ok, ok ? [] : failed, outputs]).toEqual([
      machine,
      true,
      [],
      made(this.#sources[machine] as string[], this.#options[machine] as number[]),
    ]);
  }
}

test("after any history each project has what its sources come to in an empty world", {
  timeout: 36_000_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 4, maxLength: 14 }), async (history) => {
      clock.ahead = 0;
      const world = new World();
      try {
        await world.open();
        for (const event of history) await world.happens(event);
        await world.happens({ kind: "build", machines: [0, 1, 2], twice: true });
      } finally {
        await world.close();
      }
    }),
    cases(20),
  );
});
