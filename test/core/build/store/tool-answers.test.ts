/** An answer of a tool is found again as long as nothing that it depends on can have changed; otherwise the tool is asked. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { bootIdentity } from "../../../../core/build/files/boot.ts";
import { digestBytes } from "../../../../core/build/key/digest.ts";
import { type FileStamp, takeStamp } from "../../../../core/build/model/stat-signature.ts";
import { type StampedFile, ToolAnswers } from "../../../../core/build/store/tool-answers.ts";

const folder = mkdtempSync(join(tmpdir(), "arc-answers-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let stores = 0;
let store: string;
beforeEach(() => {
  stores += 1;
  store = join(folder, String(stores));
  mkdirSync(store);
});

/** Another process on the same store. */
const answers = (): ToolAnswers => new ToolAnswers(store);

function stamped(name: string): StampedFile {
  const path = join(store, name);
  writeFileSync(path, name);
  return [path, takeStamp(path) as FileStamp];
}

/** When the files were made long ago. */
const later = (): number => Date.now() + 10_000;

function keep(files: readonly StampedFile[] = [], said = "gcc 12"): void {
  answers().keep(["gcc", "-v"], said, files, later());
}

const find = (): string | undefined => answers().find(["gcc", "-v"]);

/** The only record. */
const record = (): string => {
  const names = readdirSync(join(store, "tools"));
  expect(names).toHaveLength(1);
  return join(store, "tools", names[0] as string);
};

describe("an answer", () => {
  test("is known to every process that asks the same, and to no other question", () => {
    expect(find()).toBeUndefined();
    keep([stamped("a"), stamped("b")]);
    expect(find()).toBe("gcc 12");
    expect(answers().find(["gcc", "-w"])).toBeUndefined();
    keep([], "gcc 13");
    expect(find()).toBe("gcc 13");
  });

  test("may be any text", () => {
    keep([], 'ü "€"\n\0');
    expect(find()).toBe('ü "€"\n\0');
  });

  test.each(["first", "last"] as const)("does not hold after the %s of its files changed", (which) => {
    const files = [stamped("first"), stamped("last")];
    keep(files);
    utimesSync(join(store, which), 1, 1);
    expect(find()).toBeUndefined();
  });

  test.each(["first", "last"] as const)("does not hold after the %s of its files was removed", (which) => {
    keep([stamped("first"), stamped("last")]);
    rmSync(join(store, which));
    expect(find()).toBeUndefined();
  });

  test.each(["mtimeMs", "ctimeMs", "size", "ino"] as const)("depends on the %s of its files", (part) => {
    const [path, stamp] = stamped("a");
    keep([[path, { ...stamp, [part]: stamp[part] - 1 }]]);
    expect(find()).toBeUndefined();
  });

  test("does not hold after the machine was started again", () => {
    keep();
    writeFileSync(
      record(),
      readFileSync(record(), "utf8").replace(`"boot":${bootIdentity()}`, `"boot":${bootIdentity() + 1}`),
    );
    expect(find()).toBeUndefined();
  });

  test.each(["first", "last"] as const)(
    "is not kept if the %s of its files changed a moment ago",
    (which) => {
      const [path, stamp] = stamped("file");
      const old: StampedFile = [path, { ...stamp, ctimeMs: stamp.ctimeMs - 5000 }];
      const fresh: StampedFile = [path, stamp];
      answers().keep("q", "a", which === "first" ? [fresh, old] : [old, fresh], Math.floor(stamp.ctimeMs));
      expect(readdirSync(store)).not.toContain("tools");
    },
  );

  test.each(["", "{", "[]", '{"boot":1}', '{"boot":"BOOT","answer":"a","files":[]}'])(
    "whose record is %j is not known",
    (text) => {
      keep();
      writeFileSync(record(), text.replace('"BOOT"', String(bootIdentity())).replace('"a"', "7"));
      expect(find()).toBeUndefined();
    },
  );

  test("whose record is a folder is not known, and keeping one does no harm", () => {
    keep();
    const path = record();
    rmSync(path);
    mkdirSync(join(path, "x"), { recursive: true });
    expect(find()).toBeUndefined();
    expect(() => keep()).not.toThrow();
  });

  test("cut off anywhere is not taken for another", () => {
    keep([stamped("a")]);
    const path = record();
    const whole = readFileSync(path);
    for (let length = whole.length - 1; length >= 0; length -= 9) {
      writeFileSync(path, whole.subarray(0, length));
      expect(find()).toBeUndefined();
    }
    writeFileSync(path, whole);
    expect(find()).toBe("gcc 12");
  });

  test("that cannot be kept is asked for again", () => {
    writeFileSync(join(store, "tools"), "");
    expect(() => keep()).not.toThrow();
    expect(find()).toBeUndefined();
  });

  test.skipIf(process.getuid?.() === 0)("is not kept in a store that may only be read", () => {
    chmodSync(store, 0o555);
    expect(() => keep()).not.toThrow();
    expect(find()).toBeUndefined();
    chmodSync(store, 0o755);
  });

  test("of this process is not one of others", () => {
    const mine = answers();
    mine.ofThisProcess.set("q", "a");
    expect(answers().ofThisProcess.size).toBe(0);
    expect(mine.find("q")).toBeUndefined();
  });
});

describe("an identity", () => {
  const identity = { name: "gcc", digest: digestBytes("gcc"), version: "gcc 12.2.0" };

  test("is found as it was kept", () => {
    expect(answers().findIdentity(["gcc", "-v"])).toBeUndefined();
    keep([], JSON.stringify(identity));
    expect(answers().findIdentity(["gcc", "-v"])).toEqual(identity);
  });

  test.each([
    "",
    "gcc 12",
    "{}",
    JSON.stringify({ ...identity, digest: "1234" }),
    JSON.stringify({ ...identity, name: 1 }),
    JSON.stringify({ ...identity, version: null }),
  ])("is not found where the answer is %j", (said) => {
    keep([], said);
    expect(find()).toBe(said);
    expect(answers().findIdentity(["gcc", "-v"])).toBeUndefined();
  });
});
