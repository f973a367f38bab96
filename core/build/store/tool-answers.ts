/**
 * What tools of this machine said of themselves, one file for each question below `tools/` of the store, so that calls
 * without a build database (`arc cc`) need not start or read them again. An answer holds on the boot on which it was
 * given, while the files that it depends on stay as they were. Losing an answer costs time, never correctness.
 */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bootIdentity } from "../files/boot.ts";
import { makeFolders } from "../files/folders.ts";
import { readOwnFile } from "../files/own-file.ts";
import { uniqueName } from "../files/unique.ts";
import { digestOf } from "../key/digest.ts";
import type { Json, ToolIdentity } from "../model/action.ts";
import { type FileStamp, isRacy, sameStamp, takeStamp } from "../model/stat-signature.ts";
import { digest, list, number, object, pair, parseJson, path, text } from "../records/schema.ts";

export type StampedFile = readonly [path: string, stamp: FileStamp];

const MOST_FILES = 100;

const answer = object(
  {
    boot: number,
    answer: text,
    files: list(
      pair(path, object({ mtimeMs: number, ctimeMs: number, size: number, ino: number }, {})),
      MOST_FILES,
    ),
  },
  {},
);

const identity = object({ name: text, digest, version: text }, {});

export class ToolAnswers {
  /** Answers that are not kept beyond this process, by digests of question and program. */
  readonly ofThisProcess = new Map<string, string>();
  readonly #directory: string;

  constructor(storeDirectory: string) {
    this.#directory = join(storeDirectory, "tools");
  }

  /** Undefined where it is not known, or no longer. */
  find(question: Json): string | undefined {
    return ifGood(() => {
      const bytes = readOwnFile(this.#file(question));
      const known = answer(parseJson(bytes.toString("utf8")), "an answer");
      return known.boot === bootIdentity() && known.files.every(isUnchanged) ? known.answer : undefined;
    });
  }

  /** An answer that is an identity as JSON. */
  findIdentity(question: Json): ToolIdentity | undefined {
    const json = this.find(question);
    return json === undefined ? undefined : ifGood(() => identity(parseJson(json), "an identity"));
  }

  /** `askedAt`: the wall clock in ms before the files were looked at. */
  keep(question: Json, said: string, files: readonly StampedFile[], askedAt: number): void {
    if (files.some(([, stamp]) => isRacy(stamp, askedAt))) return;
    try {
      makeFolders(this.#directory);
      const temporary = join(this.#directory, `.${uniqueName()}`);
      writeFileSync(temporary, JSON.stringify({ boot: bootIdentity(), answer: said, files }));
      renameSync(temporary, this.#file(question));
    } catch {
      // A full disk, or a store that may only be read: the tool is asked again.
    }
  }

  #file(question: Json): string {
    return join(this.#directory, digestOf(question));
  }
}

/** Undefined for what is not there, damaged or unreadable: the tool is asked. */
function ifGood<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function isUnchanged([file, stamp]: StampedFile): boolean {
  const now = takeStamp(file);
  return now !== undefined && sameStamp(stamp, now);
}
