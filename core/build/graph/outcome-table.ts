/**
 * How the actions of a build ended, in columns by position in the graph. It keeps only what keys of other actions need;
 * complete results are in the build database.
 */

import { digestByKey } from "../key/key.ts";
import { type ActionResult, outputOf, sumOf } from "../key/result.ts";
import type { Address, Digest } from "../model/action.ts";
import type { Counts, Reason, Verdict } from "../model/event.ts";
import type { ActionStates } from "./action-states.ts";
import { withRoom } from "./column.ts";
import type { Graph } from "./graph.ts";
import type { ActionOutcome } from "./outcome.ts";

const HOW = [undefined, "ran", "cached", "remote", "up-to-date"] as const;
const DIGEST = 32;
/** State of an output. */
const MADE = { nothing: 0, file: 1, folder: 2 } as const;
/** Flags of an action. */
const FLAG = { hasResult: 1, discovered: 2, never: 4 } as const;

/** An output as its consumers see it. */
export interface ProducedOutput {
  readonly kind: "file" | "folder";
  readonly digest: Digest;
  readonly executable: boolean;
  /**
   * What consumers' keys are made of: the digest of its bytes or, for a non-deterministic step, of what it was made
   * from.
   */
  readonly keyedOn: Digest;
}

export class BuildOutcomes {
  readonly #graph: Graph;
  /** The build database's result of an action. */
  readonly #remembered: (address: Address) => ActionResult | undefined;
  readonly #states: ActionStates;
  #how = new Uint8Array(0);
  #flags = new Uint8Array(0);
  #sums = new Float64Array(0);
  /** By action: the row of its first output, counted from 1. */
  #firstRow = new Int32Array(0);
  #rows = 0;
  #made = new Uint8Array(0);
  /** By row: the digest of the bytes, and the digest that keys use. */
  #digests = Buffer.alloc(0);
  /** Results of a dry run, which the build database does not have. */
  readonly #held = new Map<number, ActionResult>();
  readonly #reasons = new Map<number, Reason>();
  readonly #verdicts = new Map<number, Verdict>();
  readonly #messages = new Map<number, string>();
  readonly #read = new Map<number, readonly string[]>();
  /** Outcomes of addresses that were only promised. */
  readonly #promised = new Map<Address, ActionOutcome>();

  constructor(
    graph: Graph,
    states: ActionStates,
    remembered: (address: Address) => ActionResult | undefined,
  ) {
    this.#graph = graph;
    this.#states = states;
    this.#remembered = remembered;
  }

  get(address: Address): ActionOutcome | undefined {
    const index = this.#graph.actions.numberOf(address);
    return (index === undefined ? undefined : this.at(index)) ?? this.#promised.get(address);
  }

  has(address: Address): boolean {
    const index = this.#graph.actions.numberOf(address);
    return (index !== undefined && this.isOver(index)) || this.#promised.has(address);
  }

  *values(): Generator<ActionOutcome> {
    for (let index = 0; index < this.#how.length; index += 1) {
      const outcome = this.at(index);
      if (outcome !== undefined) yield outcome;
    }
    yield* this.#promised.values();
  }

  at(index: number): ActionOutcome | undefined {
    const status = this.status(index);
    if (status === undefined) return undefined;
    const address = this.#graph.actions.addressOf(index);
    const how = HOW[this.#how[index] as number];
    const verdict = this.#verdicts.get(index);
    const reason = this.reason(index);
    const message = this.#messages.get(index);
    const read = this.#read.get(index);
    const resultOf = () => this.result(index);
    return {
      address,
      status,
      ...(how === undefined ? {} : { how }),
      ...(verdict === undefined ? {} : { verdict }),
      ...(reason === undefined ? {} : { reason }),
      ...(message === undefined ? {} : { message }),
      ...(read === undefined ? {} : { read }),
      ...(this.#is(index, FLAG.hasResult)
        ? {
            // Read on first use.
            get result() {
              return resultOf();
            },
          }
        : {}),
    } as ActionOutcome;
  }

  isOver(index: number): boolean {
    return this.#states.isOver(index);
  }

  status(index: number): ActionOutcome["status"] | undefined {
    return this.#states.end(index);
  }

  reason(index: number): Reason | undefined {
    return this.#is(index, FLAG.never) ? NEVER : this.#reasons.get(index);
  }

  message(index: number): string | undefined {
    return this.#messages.get(index);
  }

  /** Whether the action's result is known. */
  hasResult(index: number): boolean {
    return this.#is(index, FLAG.hasResult);
  }

  result(index: number): ActionResult | undefined {
    if (!this.hasResult(index)) return undefined;
    return this.#held.get(index) ?? this.#remembered(this.#graph.actions.addressOf(index));
  }

  /** Checksum of the result; 0 if there is none. */
  sum(index: number): number {
    return this.#sums[index] ?? 0;
  }

  /** Whether the action discovered inputs while it ran. */
  hasDiscovered(index: number): boolean {
    return this.#is(index, FLAG.discovered);
  }

  counts(): Counts {
    const counts = { ran: 0, cached: 0, remote: 0, upToDate: 0, failed: 0, skipped: 0 };
    for (let index = 0; index < this.#how.length; index += 1) {
      const status = this.status(index);
      const how = HOW[this.#how[index] as number];
      if (status === "failed") counts.failed += 1;
      else if (status === "skipped") counts.skipped += 1;
      else if (how === "ran") counts.ran += 1;
      else if (how === "cached") counts.cached += 1;
      else if (how === "remote") counts.remote += 1;
      else if (how === "up-to-date") counts.upToDate += 1;
    }
    return counts;
  }

  // --- Outputs ----------------------------------------------------------------------------------------

  /** Output of an action whose result is known; undefined: it was left out. */
  output(index: number, name: string): ProducedOutput | undefined {
    const { actions } = this.#graph;
    const output = actions.outputNamed(index, name);
    if (output < 0) return undefined;
    const row = (this.#firstRow[index] as number) - 1 + output;
    const made = this.#made[row];
    if (made === MADE.nothing) return undefined;
    const isFile = made === MADE.file;
    return {
      kind: isFile ? "file" : "folder",
      digest: this.#digest(2 * row),
      executable: isFile && actions.outputOf(index, output).executable === true,
      keyedOn: this.#digest(2 * row + 1),
    };
  }

  // --- Changes ----------------------------------------------------------------------------------------

  set(index: number, outcome: ActionOutcome): void {
    this.#makeRoom(index);
    const { status, how, reason, verdict, message, read, result } = outcome;
    this.#states.move(index, status);
    this.#how[index] = HOW.indexOf(how);
    this.#flags[index] =
      (result === undefined ? 0 : FLAG.hasResult) |
      (result?.discovered === undefined ? 0 : FLAG.discovered) |
      (reason?.kind === NEVER.kind ? FLAG.never : 0);
    this.#sums[index] = result === undefined ? 0 : sumOf(result);
    put(this.#reasons, index, reason?.kind === NEVER.kind ? undefined : reason);
    put(this.#verdicts, index, verdict);
    put(this.#messages, index, message);
    put(this.#read, index, read);
    put(this.#held, index, status === "done" ? undefined : result);
    if (result !== undefined) this.#setOutputs(index, result);
  }

  setPromised(outcome: ActionOutcome): void {
    this.#promised.set(outcome.address, outcome);
  }

  delete(index: number): void {
    this.#how[index] = 0;
    this.#flags[index] = 0;
    this.#sums[index] = 0;
    for (const map of [this.#reasons, this.#verdicts, this.#messages, this.#read, this.#held])
      map.delete(index);
  }

  #setOutputs(index: number, result: ActionResult): void {
    const { actions } = this.#graph;
    const count = actions.outputCount(index);
    let first = this.#firstRow[index] as number;
    if (first === 0) {
      first = this.#rows + 1;
      this.#rows += count;
      this.#firstRow[index] = first;
      this.#made = withRoom(this.#made, this.#rows);
      const needed = 2 * DIGEST * this.#rows;
      if (needed > this.#digests.length)
        this.#digests = Buffer.concat([this.#digests], Math.max(2048, Math.ceil(1.5 * needed)));
    }
    const { deterministic, cache } = actions.shapeOf(index);
    const keyedOnBytes = deterministic !== false || cache === false;
    for (let output = 0; output < count; output += 1) {
      const row = first - 1 + output;
      const { name } = actions.outputOf(index, output);
      const made = outputOf(result, name);
      this.#made[row] = made === undefined ? MADE.nothing : MADE[made.kind];
      if (made === undefined) continue;
      this.#setDigest(2 * row, made.digest);
      this.#setDigest(2 * row + 1, keyedOnBytes ? made.digest : digestByKey(result.key, name));
    }
  }

  #setDigest(number: number, digest: Digest): void {
    this.#digests.write(digest, number * DIGEST, "hex");
  }

  #digest(number: number): Digest {
    return this.#digests.toString("hex", number * DIGEST, (number + 1) * DIGEST) as Digest;
  }

  #is(index: number, flag: number): boolean {
    return ((this.#flags[index] ?? 0) & flag) !== 0;
  }

  #makeRoom(index: number): void {
    if (index < this.#how.length) return;
    const { size } = this.#graph;
    this.#how = withRoom(this.#how, size);
    this.#flags = withRoom(this.#flags, size);
    this.#sums = withRoom(this.#sums, size);
    this.#firstRow = withRoom(this.#firstRow, size);
  }
}

const NEVER: Reason = { kind: "never-built" };

function put<T>(map: Map<number, T>, index: number, value: T | undefined): void {
  if (value === undefined) map.delete(index);
  else map.set(index, value);
}
