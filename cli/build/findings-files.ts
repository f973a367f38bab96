/**
 * Writes a build's findings to files that code hosts show beside the lines: SARIF for most, GitLab's own format for
 * GitLab.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Action } from "../../core/build/model/action.ts";
import type { Event } from "../../core/build/model/event.ts";
import type { Diagnostic } from "../../schema/document/diagnostic.ts";
import type { Call } from "../call/call.ts";
import { codeQuality } from "../check/code-quality.ts";
import { sarifOf } from "../check/sarif.ts";
import type { LineOf } from "../check/utf16-columns.ts";
import { atSite } from "../project/emitted.ts";
import { asWritten } from "../show/directive-columns.ts";
import { linesIn } from "../show/findings.ts";
import { Actions } from "../ui/ui.ts";

const formats = { sarif: sarifOf, "code-quality": codeQuality } as const;

/** Undefined if no files are requested. */
export class FindingsFiles {
  readonly #files: readonly (readonly [
    file: string,
    write: (findings: readonly Diagnostic[], line: LineOf) => string,
  ])[];
  readonly #actions: Actions;
  readonly #found = new Map<string, Diagnostic>();
  readonly #root: string;
  /** The root of the checkout: code hosts name files relative to it. */
  readonly #checkout: string;

  constructor({ options, cwd, env }: Call, graph: Iterable<Action>, root: string) {
    this.#files = Object.entries(formats).flatMap(([name, write]) => {
      const file = options[name];
      return file === undefined ? [] : [[path.resolve(cwd, String(file)), write] as const];
    });
    this.#actions = new Actions(this.#files.length > 0 ? graph : []);
    this.#root = root;
    this.#checkout = env.GITHUB_WORKSPACE ?? env.CI_PROJECT_DIR ?? cwd;
  }

  onEvent(event: Event): void {
    if (this.#files.length === 0) return;
    if (event.type === "expanded") this.#actions.add(event.actions);
    if (event.type !== "done" && event.type !== "failed") return;
    this.add(atSite(event.diagnostics ?? [], this.#actions.of(event.address)));
  }

  /** Adds each finding once. */
  add(findings: readonly Diagnostic[]): void {
    const line = linesIn(this.#root);
    for (const one of findings) {
      const finding = asWritten(one, line);
      const file = path.relative(this.#checkout, path.resolve(this.#root, finding.loc.file));
      const placed = { ...finding, loc: { ...finding.loc, file } };
      this.#found.set(JSON.stringify(placed), placed);
    }
  }

  save(): void {
    const line = linesIn(this.#checkout);
    for (const [file, write] of this.#files) writeFileSync(file, write([...this.#found.values()], line));
  }
}
