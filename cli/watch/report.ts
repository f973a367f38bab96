/** What a watch prints between builds: saved files, what the edit reached, and how it changed the kernels. */
import type { BuildResult } from "../../core/build/graph/build-result.ts";
import type { Call } from "../call/call.ts";
import { wrapLine } from "../call/wrap.ts";
import { paint } from "../show/paint.ts";
import { plural, someOf } from "../show/words.ts";
import { allKernels, type KernelDiff, type KernelGroups, kernelDiffs, kernelsOf } from "./kernels.ts";
import { reachOf } from "./reach.ts";
import type { Built } from "./session.ts";

const NOTHING_DEPENDS = "nothing that is built depends on it";

export class WatchReport {
  readonly #call: Call;
  readonly #color: ReturnType<typeof paint>;
  #kernels: KernelGroups | undefined;
  /** Differences of the last edit that changed kernels. */
  #diffs: readonly KernelDiff[] = [];

  constructor(call: Call) {
    this.#call = call;
    this.#color = paint(call.color);
  }

  changed(files: readonly string[]): void {
    if (files.length === 0) return;
    if (!this.#json({ type: "changed", files }))
      this.#say(`\n${this.#color.bold("changed:")} ${someOf(files, 3)}`);
  }

  /** Reports a build for an edit of `files`. */
  built(files: readonly string[], { result, part }: Built): void {
    if (files.length > 0) this.#reportReach(files, result);
    if (!result.ok) return;
    const before = this.#kernels;
    const now = kernelsOf(result);
    this.#kernels = part ? new Map([...(before ?? []), ...now]) : now;
    if (before === undefined) return;
    this.#reportKernels(kernelDiffs(allKernels(before), allKernels(this.#kernels)));
  }

  /** Reports saves that need no build. */
  unread(files: readonly string[], isAfterFailure: boolean): void {
    this.changed(files);
    if (!this.#json({ type: "reached", ran: [], cutOff: [] }))
      this.#say(isAfterFailure ? "what failed does not read it: nothing runs" : NOTHING_DEPENDS);
    this.waiting();
  }

  waiting(): void {
    if (!this.#json({ type: "waiting" })) this.#say(this.#color.dim("waiting for changes; Ctrl-C ends"));
  }

  showDiffs(): void {
    if (this.#diffs.length === 0) this.#say("no edit changed a kernel yet");
    for (const { kernel, diff } of this.#diffs) {
      const colored = diff.replace(/^[-+@].*$/gm, (line) => {
        if (line.startsWith("@")) return this.#color.dim(line);
        return line.startsWith("+") ? this.#color.green(line) : this.#color.red(line);
      });
      this.#call.out(`${this.#color.bold(kernel)}\n${colored}`);
    }
  }

  #reportReach(files: readonly string[], result: BuildResult): void {
    const { ran, cutOff } = reachOf(files, result);
    if (this.#json({ type: "reached", ran, cutOff })) return;
    const { cached, remote } = result.counts;
    if (ran.length + cached + remote === 0) {
      if (!result.ok) return;
      this.#say(cutOff.length > 0 ? "what is read of it is as before" : NOTHING_DEPENDS);
    } else if (cutOff.length > 0) {
      const what = `${plural(cutOff.length, "action")} behind an unchanged result: ${someOf(cutOff, 3)}`;
      this.#say(`${this.#color.bold("cut off:")} ${what}`);
    }
  }

  #reportKernels(diffs: readonly KernelDiff[]): void {
    if (diffs.length === 0) return;
    this.#diffs = diffs;
    if (this.#json({ type: "kernels", changed: diffs })) return;
    this.#say(
      `${this.#color.bold("kernels:")} ${someOf(
        diffs.map(({ kernel }) => kernel),
        3,
      )} changed`,
    );
    if (this.#call.options.diff === true) this.showDiffs();
  }

  #say(text: string): void {
    this.#call.err(`${wrapLine(text, this.#call.errColumns(), 2)}\n`);
  }

  /** False if the output is for people. */
  #json(event: object): boolean {
    if (this.#call.options.json !== true) return false;
    this.#call.out(`${JSON.stringify(event)}\n`);
    return true;
  }
}
