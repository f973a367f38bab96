/**
 * Decides which saves are edits that need a build: those that may affect an action. Other files in a project, such as a
 * log that contains this watch's output, cause none.
 */

import path from "node:path";
import type { Check } from "../../core/build/files/up-to-date.ts";
import type { BuildResult } from "../../core/build/graph/build-result.ts";
import { itemAt } from "../../core/checked/access.ts";
import { isRead } from "./reach.ts";

export interface Edit {
  /** Relative to the project, or absolute; sorted. */
  readonly files: readonly string[];
  /** What has changed, if that was checked to recognise the edit; valid only at once. */
  readonly check?: Check;
}

/** What edits are recognised by. */
interface Sources {
  /** The next saves, as a batch. */
  saves(): Promise<readonly string[]>;
  /** What has changed since the last successful build; undefined: there was none. */
  check(): Check | undefined;
  /**
   * Whether that build looked at any of these files or a folder around one; undefined: there was no build. If a check
   * is given, only files that changed after it count.
   */
  lookedAt(files: readonly string[], since?: Check): boolean | undefined;
  /** Whether one of these is arc.yaml, is named by it, or lies in a folder that it lists; undefined: not known. */
  areOfProject(files: readonly string[]): boolean | undefined;
  /** Called with saves that affect nothing, or cannot fix the last failure; once between two builds. */
  onUnread(files: readonly string[], isAfterFailure: boolean): void;
}

export class Edits {
  readonly #sources: Sources;
  /** Files saved during the current build that the previous one did not look at, or whose change it already knew. */
  #passed: readonly string[] = [];
  #isBuilding = false;
  /** The changes known when the current build began. */
  #begun: Check | undefined;
  /** Whether saved files may fix the last build's failure; undefined: it did not fail. */
  #mayMend: ((files: readonly string[]) => boolean) | undefined = () => true;
  #isUnreadReported = false;

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

  /** `check`: the changes that the build knows. */
  buildBegins(check?: Check): void {
    this.#isBuilding = true;
    this.#begun = check;
    this.#isUnreadReported = false;
  }

  /**
   * `result`: the build's result, if a build was possible; `failures`: messages of failed actions. Returns the edit
   * that was passed over meanwhile, as this build may be the first that reads the saved files.
   */
  buildEnds(result: BuildResult | undefined, failures: string): Edit | undefined {
    // Another build follows.
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
      // Files change while a build runs, so only names can be compared; the rest is checked when the build is over.
      if (lookedAt(files, this.#begun) !== false) return { files };
      this.#passed = [...new Set([...this.#passed, ...files])].sort();
      return undefined;
    }
    if (this.#mayMend !== undefined) {
      if (lookedAt(files) === true || this.#mayMend(files)) return { files };
      this.#reportUnread(files, true);
      return undefined;
    }
    const isKnown = lookedAt(files) !== false;
    const now = check();
    if (now === undefined || now.rows === undefined) return { files };
    // The events that name the changed files may arrive later.
    if (!now.upToDate) return { files: isKnown ? files : namesOf(now), check: now };
    if (isKnown) return undefined;
    this.#reportUnread(files, false);
    return undefined;
  }

  #reportUnread(files: readonly string[], isAfterFailure: boolean): void {
    if (!this.#isUnreadReported) this.#sources.onUnread(files, isAfterFailure);
    this.#isUnreadReported = true;
  }
}

/** Compares names as tools print them: files without folders, libraries by their linker option. */
function isNamed(file: string, text: string): boolean {
  const name = path.basename(file);
  const library = /^lib(.+?)\.(?:a|so)\b/.exec(name)?.[1];
  return text.includes(name) || (library !== undefined && text.includes(`-l${library}`));
}

function namesOf(check: Check): readonly string[] {
  if (check.upToDate || check.rows === undefined) return [];
  const { paths } = check.rows;
  return [...check.changed.keys()].map((row) => itemAt(paths, row)).sort();
}
