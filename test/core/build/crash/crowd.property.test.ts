/**
 * Crowds: up to six processes build one random graph with one store while some are killed, interrupted, stopped for a
 * while or forced, and their clocks jump. Some watch, and give way to newer builds; some have several contexts, or run again
 * what they take from the store. As root, they are two users, also where only its owner may remove a name. Who is left in peace ends with what the graph comes to, nothing is made twice
 * without a reason, and a later build has nothing to make. 6 crowds in every run, 300 of seed 7:
 * `ARC_PROPERTIES=50:7 npx vitest run test/core/build/crash/crowd.property.test.ts`.
 */
import { spawn } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RUNNING } from "../../../../core/build/store/runs-under-way.ts";
import { cases } from "../../../cases.ts";
import { bundled } from "./bundled.ts";
import type { Graph, Member } from "./crowd.ts";

const folder = mkdtempSync(join(tmpdir(), "arc-crowd-"));
const program = join(folder, "crowd-member.mjs");

beforeAll(async () => {
  await bundled(folder, "crowd-member.ts");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const graphs: fc.Arbitrary<Graph> = fc
  .array(
    // Shorter actions need not be announced.
    fc.record({
      needs: fc.uniqueArray(fc.nat(9), { maxLength: 2 }),
      milliseconds: fc.integer({ min: 150, max: 500 }),
      fails: fc.nat(9),
    }),
    { minLength: 2, maxLength: 6 },
  )
  .map((actions) =>
    actions.map(({ needs, milliseconds, fails }, at) => ({
      needs: at === 0 ? [] : [...new Set(needs.map((need) => need % at))],
      milliseconds,
      fails: fails === 0,
    })),
  );

const members: fc.Arbitrary<readonly Member[]> = fc.array(
  fc.record({
    jobs: fc.integer({ min: 1, max: 3 }),
    after: fc.nat(600),
    forced: fc.nat(9).map((one) => one === 0),
    jump: fc.constantFrom(0, 0, -3_600_000, 3_600_000, 2000),
    jumpsAfter: fc.nat(1000),
    mishap: fc.constantFrom(
      "none" as const,
      "none" as const,
      "kill" as const,
      "interrupt" as const,
      "stop" as const,
    ),
    mishapAfter: fc.integer({ min: 100, max: 2000 }),
    stopped: fc.constantFrom(300, 4000),
    givesWayAfter: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      fc.array(fc.nat(700), { minLength: 1, maxLength: 4 }),
    ),
    contexts: fc.constantFrom(1 as const, 2 as const),
    checksHits: fc.nat(4).map((one) => one === 0),
  }),
  { minLength: 2, maxLength: 6 },
);

interface Ended {
  readonly member: Member;
  readonly root: string;
  readonly signal: string | null;
  readonly said:
    | { readonly ok: boolean; readonly interrupted: boolean; readonly counts: Record<string, number> }
    | undefined;
}

/** Who a process runs as; undefined: as the test does. */
interface User {
  readonly uid: number;
  readonly gid: number;
}

const GROUP = 50_000;
const isRoot = process.getuid?.() === 0;
const user = (at: number): User => ({ uid: 50_001 + (at % 2), gid: GROUP });

/** What the users of a store share: one may write it, both, or both, but remove only what is their own. */
const sharings = fc.constantFrom("one user", "one user", ...(isRoot ? (["group", "sticky"] as const) : []));
type Sharing = "one user" | "group" | "sticky";

function makeStore(store: string, sharing: Sharing): void {
  if (sharing === "one user") return;
  for (const place of [store, join(store, RUNNING)]) {
    mkdirSync(place);
    chownSync(place, 0, GROUP);
    chmodSync(place, sharing === "sticky" ? 0o3770 : 0o2770);
  }
}

async function run(
  graph: Graph,
  member: Member,
  places: { root: string; store: string; log: string },
  as?: User,
): Promise<Ended> {
  mkdirSync(places.root, { recursive: true });
  if (as !== undefined) chownSync(places.root, as.uid, as.gid);
  await setTimeout(member.after);
  const child = spawn(process.execPath, [program, JSON.stringify({ graph, member, ...places })], {
    env: { ...process.env, ARC_NATIVE: "0" },
    ...as,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.on("data", (bytes) => {
    out += bytes;
  });
  const closed = new Promise<string | null>((resolve) => child.on("close", (_, signal) => resolve(signal)));
  const mishap = setTimeout(member.mishapAfter).then(async () => {
    if (member.mishap === "kill") child.kill("SIGKILL");
    if (member.mishap === "interrupt") child.kill("SIGINT");
    if (member.mishap !== "stop") return;
    child.kill("SIGSTOP");
    await setTimeout(member.stopped);
    child.kill("SIGCONT");
  });
  const signal = await closed;
  await mishap;
  return { member, root: places.root, signal, said: out === "" ? undefined : JSON.parse(out) };
}

/** What the actions write; undefined: they fail, or need one that does. */
function expected(graph: Graph): (string | undefined)[] {
  const texts: (string | undefined)[] = [];
  for (const [at, { needs, fails }] of graph.entries()) {
    const inputs = needs.map((need) => texts[need]);
    texts.push(fails || inputs.includes(undefined) ? undefined : `${inputs.join("")}a${at}\n`);
  }
  return texts;
}

const quiet: Member = {
  ...{ jobs: 3, after: 0, forced: false, jump: 0, jumpsAfter: 0 },
  ...{ mishap: "none", mishapAfter: 0, stopped: 0 },
  ...{ givesWayAfter: [], contexts: 1, checksHits: false },
};

test(
  "processes with one store end with what the graph comes to, and make nothing twice without a reason",
  async () => {
    await fc.assert(
      fc.asyncProperty(graphs, members, sharings, async (graph, crowd, sharing) => {
        const home = mkdtempSync(join(folder, "crowd-"));
        const [store, log] = [join(home, "store"), join(home, "log")];
        writeFileSync(log, "");
        for (const [place, mode] of [
          [folder, 0o755],
          [home, 0o755],
          [log, 0o666],
        ] as const)
          chmodSync(place, mode);
        makeStore(store, sharing);
        const start = (member: Member, at: number) =>
          run(
            graph,
            member,
            { root: join(home, `p${at}`), store, log },
            sharing === "one user" ? undefined : user(at),
          );
        const ended = await Promise.all(crowd.map(start));
        const texts = expected(graph);
        // A build that gives way stops what it runs; who checks hits, runs them again.
        const again = ended.map(({ member: { mishap, forced, givesWayAfter, checksHits } }) => {
          const isDisturbed = mishap !== "none" || forced || checksHits;
          return (isDisturbed ? 1 : 0) * (givesWayAfter.length + 1) + givesWayAfter.length;
        });
        const disturbed = again.reduce((sum, one) => sum + one, 0);
        for (const { member, root, said } of ended) {
          if (member.mishap === "kill" || member.mishap === "interrupt") continue;
          expect(said?.ok).toBe(!texts.includes(undefined));
          const { ran = 0, cached = 0, failed = 0, skipped = 0, upToDate = 0 } = said?.counts ?? {};
          expect(ran + cached + failed + skipped + upToDate).toBe(graph.length);
          for (const [at, text] of texts.entries())
            if (text !== undefined) expect(readFileSync(join(root, `out/o${at}`), "utf8")).toBe(text);
        }
        const starts = readFileSync(log, "utf8").split("\n");
        for (const at of graph.keys())
          expect(starts.filter((line) => line === `a${at}`).length).toBeLessThanOrEqual(1 + disturbed);
        writeFileSync(log, "");
        // Whoever comes last has nothing to make but what nobody made.
        const made = new Set(starts);
        const last = await start(quiet, crowd.length);
        expect(last.said?.counts.failed ?? 0).toBe(
          graph.filter(({ needs, fails }) => fails && needs.every((need) => texts[need] !== undefined))
            .length,
        );
        if (ended.some(({ member }) => member.mishap === "none"))
          for (const line of readFileSync(log, "utf8").split("\n").filter(Boolean))
            expect(made).not.toContain(line);
        rmSync(home, { recursive: true, force: true });
      }),
      { ...cases(6), endOnFailure: true },
    );
  },
  600_000 * Number((process.env.ARC_PROPERTIES ?? "1").split(":")[0]),
);
