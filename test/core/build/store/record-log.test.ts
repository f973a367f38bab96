/** Logs and their indices: whatever is lost, old, damaged, of another log or written meanwhile, no record is ever missed. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { RecordLog } from "../../../../core/build/store/record-log.ts";
import { cases } from "../../../cases.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-log-"));
afterAll(() => rmSync(folder, { recursive: true }));
let logs = 0;
const fresh = (): { log: string; index: string } => {
  logs += 1;
  return { log: path.join(folder, `log-${logs}`), index: path.join(folder, `index-${logs}`) };
};
/** Longer than the unindexed part may be. */
const padding = "x".repeat(600_000);

function newest(log: RecordLog, key: string): string | undefined {
  for (const value of log.get(key)) return value;
  return undefined;
}

function open({ log, index }: { log: string; index: string }): RecordLog {
  const opened = new RecordLog(log, "journal", index);
  opened.refresh();
  return opened;
}

function written(): { log: string; index: string } {
  const files = fresh();
  const log = open(files);
  log.append([
    ["a", "1"],
    ["b", padding],
    ["c", padding],
    ["a", "2"],
  ]);
  log.refresh();
  log.saveIndex();
  log.close();
  return files;
}

describe("a log that is rewritten", () => {
  it("keeps what others append meanwhile, and they find what it is now", () => {
    const files = written();
    const [mine, theirs] = [open(files), open(files)];
    const rewritten = function* (): Generator<readonly [string, string]> {
      yield ["a", "2"];
      theirs.append([["d", "while it is rewritten"]]);
      yield ["b", "short"];
    };
    mine.rewrite(rewritten());
    theirs.append([["e", "after that"]]);
    for (const log of [mine, theirs]) {
      log.refresh();
      expect(["a", "b", "c", "d", "e"].map((key) => newest(log, key))).toEqual([
        "2",
        "short",
        undefined,
        "while it is rewritten",
        "after that",
      ]);
      log.close();
    }
  });
});

describe("the index of a log", () => {
  it("finds the newest records without reading the log, and what was appended later", () => {
    const files = written();
    expect(statSync(files.index).size).toBeLessThan(1000);
    const log = open(files);
    expect([newest(log, "a"), newest(log, "c")?.length, newest(log, "d")]).toEqual(["2", 600_000, undefined]);
    log.append([["a", "3"]]);
    log.refresh();
    log.close();
    const again = open(files);
    expect([newest(again, "a"), newest(again, "b")?.length, again.records]).toEqual(["3", 600_000, 5]);
    expect([...again.keys()].sort()).toEqual(["a", "b", "c"]);
  });

  it("is not trusted when a byte of it changed", () => {
    const files = written();
    const bytes = readFileSync(files.index);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = Buffer.from(bytes);
        damaged[at] = (damaged[at] as number) ^ change;
        writeFileSync(files.index, damaged);
        const log = open(files);
        expect([newest(log, "a"), newest(log, "b")?.length]).toEqual(["2", 600_000]);
        log.close();
      }),
      cases(40),
    );
  });

  it("leads to an older record where the newest is damaged", () => {
    const files = written();
    const bytes = readFileSync(files.log);
    bytes.write("7", bytes.length - 1);
    writeFileSync(files.log, bytes);
    const log = open(files);
    expect(newest(log, "a")).toBe("1");
    log.close();
  });

  it("is of one log only: not of one that was put in its place", () => {
    const files = written();
    const index = readFileSync(files.index);
    const log = open(files);
    log.rewrite([["d", "4"]]);
    log.refresh();
    log.append([["a", padding.repeat(3)]]);
    log.close();
    writeFileSync(files.index, index);
    const again = open(files);
    expect([newest(again, "d"), newest(again, "b")]).toEqual(["4", undefined]);
    again.close();
  });

  it("gives what a log without one gives", () => {
    const keys = fc.constantFrom("a", "b", "c", "d", "e");
    const batch = fc.array(fc.tuple(keys, fc.string()), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(batch, { maxLength: 6 }), (batches) => {
        const files = fresh();
        for (const records of batches) {
          const log = open(files);
          log.append([...records, ["padding", JSON.stringify(padding + padding)]]);
          log.refresh();
          log.saveIndex();
          log.close();
        }
        const plain = new RecordLog(files.log, "journal");
        plain.refresh();
        const indexed = open(files);
        for (const key of "abcde") expect(newest(indexed, key)).toBe(newest(plain, key));
        expect(indexed.records).toBe(plain.records);
        for (const log of [plain, indexed]) log.close();
      }),
      cases(30),
    );
  });
});

describe("a search of a log", () => {
  const key = fc.constantFrom("a", "b", "aa");
  const record = fc.tuple(key, fc.json({ maxDepth: 1 }));
  const damage = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 3 });

  it("finds what noting all records finds, in whatever was done to the file", () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1 }), damage, fc.nat(40), (records, changes, torn) => {
        const files = fresh();
        const log = new RecordLog(files.log, "actions");
        for (const one of records) log.append([one]);
        log.close();
        const bytes = readFileSync(files.log);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        writeFileSync(files.log, bytes.subarray(0, Math.max(1, bytes.length - (torn > 20 ? 0 : torn))));
        const noted = new RecordLog(files.log, "actions");
        noted.refresh();
        const searched = new RecordLog(files.log, "actions");
        for (const wanted of ["a", "b", "aa", "c"]) {
          expect([...searched.search(wanted)]).toEqual([...noted.get(wanted)]);
        }
        noted.close();
        searched.close();
      }),
      cases(200),
    );
  });
});
