/**
 * Which saves are edits, that a build is to answer: those of what may reach an action. What else lies in a project, such
 * as a log that somebody writes the words of this very watch to, starts none.
 */
import path from "node:path";
import type { Check } from "../../core/build/files/up-to-date.ts";
import type { BuildResult } from "../../core/build/graph/build-result.ts";
import { isRead } from "./reach.ts";

export interface Edit {
  /** Relative to the project, or absolute; sorted. */
  readonly files: readonly string[];
  /** What has changed, where that was looked at to know that it is an edit: of use at once, and never later. */
  readonly check?: Check;
}

/** What an edit is told by. */
export interface Sources {
  /** The next saves, as a batch. */
  saves(): Promise<readonly string[]>;
  /** What has changed since the last build that succeeded; undefined: nothing was built yet. */
  check(): Check | undefined;
  /**
   * Whether that build looked at one of these, or at a folder around one; undefined: there was none. With a check, only
   * those count that changed after it.
   */
  lookedAt(files: readonly string[], since?: Check): boolean | undefined;
  /** Whether arc.yaml is one of these or names one, or lists their folder; undefined: that is not known. */
  areOfProject(files: readonly string[]): boolean | undefined;
  /** Told of saves that nothing depends on, or that cannot mend what failed, once between two builds. */
  onUnread(files: readonly string[], isAfterFailure: boolean): void;
}

export class Edits {
  readonly #sources: Sources;
  /** Saved while a build goes on, and not known to the one before, or known to this one when it began. */
  #passed: readonly string[] = [];
  #isBuilding = false;
  /** What the build that goes on knew to have changed. */
  #begun: Check | undefined;
  /** Whether saves may mend what the last build failed for; undefined: it did not. */
  #mayMend: ((files: readonly string[]) => boolean) | undefined = () => true;
  #isUnreadTold = false;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** One reader at a time. */
  async next(): Promise<Edit> {
    for (;;) {
      const edit = this.#of(await this.#sources.saves());
      if (edit !== undefined) return edit;
    }
  }

  /** `check`: what it knows to have changed. */
  buildBegins(check?: Check): void {
    this.#isBuilding = true;
    this.#begun = check;
    this.#isUnreadTold = false;
  }

  /**
   * `result`: of the build, if there could be one; `failures`: what its actions said that failed. Returns the edit that
   * was passed over meanwhile: this build may be the first that reads what was saved.
   */
  buildEnds(result: BuildResult | undefined, failures: string): Edit | undefined {
    // Another one follows.
    if (result?.interrupted) return undefined;
    this.#isBuilding = false;
    this.#mayMend =
      result?.ok === true
        ? undefined
        : (files) =>
            this.#sources.areOfProject(files) !== false ||
            (result !== undefined && isRead(files, result)) ||
            files.some((file) => isNamed(file, failures));
    const passed = this.#passed;
    this.#passed = [];
    return passed.length === 0 ? undefined : this.#of(passed);
  }

  #of(files: readonly string[]): Edit | undefined {
    const { lookedAt, check } = this.#sources;
    if (this.#isBuilding) {
      // What is built changes under the build: names have to do, and what they do not tell is asked for when it is over.
      if (lookedAt(files, this.#begun) !== false) return { files };
      this.#passed = [...new Set([...this.#passed, ...files])].sort();
      return undefined;
    }
    if (this.#mayMend !== undefined) {
      if (lookedAt(files) === true || this.#mayMend(files)) return { files };
      this.#tellUnread(files, true);
      return undefined;
    }
    const isKnown = lookedAt(files) !== false;
    const now = check();
    if (now === undefined || now.rows === undefined) return { files };
    // What has changed may be heard of by name only later.
    if (!now.upToDate) return { files: isKnown ? files : namesOf(now), check: now };
    if (isKnown) return undefined;
    this.#tellUnread(files, false);
    return undefined;
  }

  #tellUnread(files: readonly string[], isAfterFailure: boolean): void {
    if (!this.#isUnreadTold) this.#sources.onUnread(files, isAfterFailure);
    this.#isUnreadTold = true;
  }
}

/** As tools name files: without their folders, and libraries as they are linked. */
function isNamed(file: string, text: string): boolean {
  const name = path.basename(file);
  const library = /^lib(.+?)\.(?:a|so)\b/.exec(name)?.[1];
  return text.includes(name) || (library !== undefined && text.includes(`-l${library}`));
}

function namesOf(check: Check): readonly string[] {
  if (check.upToDate || check.rows === undefined) return [];
  const { paths } = check.rows;
  return [...check.changed.keys()].map((row) => paths[row] as string).sort();
}
