/** Predicts the cycles of designs with an ideal memory, from their schedules and the loops' iteration counts. */

import { entryOf, itemAt, lastOf } from "../../checked/access.ts";
import type { HardwarePlan, Process, ScheduledPipeline } from "../binding/process.ts";
import { queuedBits, wordQueue } from "../dfg/store-queue.ts";
import type { Send, Stream, Value } from "../dfg/value.ts";

/** A memory that accepts a command on every port in every cycle and answers each after `latency` cycles. */
export interface IdealMemory {
  readonly latency: number;
  /** Different arguments point to disjoint memory. */
  readonly apart?: boolean;
}

export interface PipelineRun {
  /** Index into the plan's pipelines. */
  readonly pipeline: number;
  readonly iterations: number;
  /** Whether a conditional load accessed memory at all. */
  readonly loads: (load: Value) => boolean;
  /** Whether an iteration takes from a channel, or sends to it; absent: all do. */
  readonly happens?: (what: Value | Send, iteration: number) => boolean;
}

/** A kernel and what it executed. */
interface KernelRun {
  readonly plan: HardwarePlan;
  readonly runs: readonly PipelineRun[];
}

/** Cycles from the sending of a value to the first in which an iteration that takes it may enter. */
export const CHANNEL_CYCLES = 2;

/** Cycles from that of `start` to that of `done`. */
export function predictCycles(plan: HardwarePlan, runs: readonly PipelineRun[], memory: IdealMemory): number {
  return new Timeline({ plan, runs }, memory, NO_CHANNELS).doneAt;
}

/**
 * The same for kernels that start together, until the last one has finished; `depth`: capacity of a channel in values.
 * Each kernel waits for what others send and for space in what it fills, so their times are computed repeatedly until
 * they agree.
 */
export function predictTogether(
  kernels: readonly KernelRun[],
  depth: (channel: string) => number,
  memory: IdealMemory,
): number {
  let channels: Channels = NO_CHANNELS;
  for (let before = ""; ; ) {
    const sentAt = new Map<string, number[]>();
    const takenAt = new Map<string, number[]>();
    const seen = channels;
    const timelines = kernels.map((kernel) => {
      const timeline = new Timeline(kernel, memory, seen);
      for (const [channel, times] of timeline.sentAt) sentAt.set(channel, times);
      for (const [channel, times] of timeline.takenAt) takenAt.set(channel, times);
      return timeline;
    });
    channels = {
      arrives: (channel, index) => (sentAt.get(channel)?.[index] ?? 0) + CHANNEL_CYCLES,
      // The count of values under way decreases a cycle after a value was taken.
      hasRoom: (channel, index) => (takenAt.get(channel)?.[index - depth(channel)] ?? -1) + 1,
    };
    const now = JSON.stringify([[...sentAt], [...takenAt]]);
    if (now === before) return Math.max(...timelines.map((t) => t.doneAt));
    before = now;
  }
}

/** The first cycles in which an iteration may enter that takes value `index` of a channel, or sends it. */
interface Channels {
  arrives(channel: string, index: number): number;
  hasRoom(channel: string, index: number): number;
}

const NO_CHANNELS: Channels = { arrives: () => 0, hasRoom: () => 0 };

/** The times of events in a kernel, counted from the cycle of `start`. */
class Timeline {
  readonly doneAt: number;
  /** Cycles in which values are sent to channels and taken from them. */
  readonly sentAt = new Map<string, number[]>();
  readonly takenAt = new Map<string, number[]>();
  private readonly memory: IdealMemory;
  private readonly channels: Channels;

  constructor({ plan, runs }: KernelRun, memory: IdealMemory, channels: Channels) {
    this.memory = memory;
    this.channels = channels;
    let now = 1;
    for (const run of runs) now = this.pipeline(itemAt(plan.pipelines, run.pipeline), run, now);
    this.doneAt = now;
  }

  /** Cycles from a pipeline's start to the earliest start of the next one. */
  private pipeline(scheduled: ScheduledPipeline, run: PipelineRun, begin: number): number {
    const { pipeline, processes, ii } = scheduled;
    const { latency } = this.memory;
    if (run.iterations === 0) return begin + 3;
    const last = lastOf(processes);
    const first = firstEntry(scheduled, run, this.memory);
    const final = usesChannels(last)
      ? this.through(scheduled, run, begin, first.entered)
      : lastEntry(scheduled, run, first, this.memory);
    const over = Math.max(quiet(scheduled, final, latency), final + (pipeline.loop ? ii + 1 : 1));
    return begin + over + 1;
  }

  /** When the last iteration enters, if iterations wait for channels. */
  private through(
    { pipeline, processes, ii }: ScheduledPipeline,
    { iterations, happens = () => true }: PipelineRun,
    begin: number,
    first: number,
  ): number {
    if (pipeline.loop?.memory) throw new Error("channels in a loop with a dependence through memory");
    const { streams } = pipeline.graph;
    const last = lastOf(processes);
    const { inputs, sends, when } = last;
    const receives = inputs.filter((v) => v.op === "receive");
    const timesOf = (map: Map<string, number[]>, channel: string): number[] => {
      const times = map.get(channel) ?? [];
      map.set(channel, times);
      return times;
    };
    let entered = first;
    for (let k = 0; k < iterations; k++) {
      let at = begin + (k === 0 ? first : entered + ii);
      for (const input of inputs)
        if (streams.has(input) && (streams.get(input)?.first ?? 0) === k)
          at = Math.max(at, begin + streamArrives(this.memory, streams.get(input)));
      const channelsTaken = receives.filter((v) => happens(v, k)).map((v) => v.channel);
      for (const channel of channelsTaken)
        at = Math.max(at, this.channels.arrives(channel, timesOf(this.takenAt, channel).length));
      // An iteration reserves space for everything that it may send.
      for (const { channel } of sends)
        at = Math.max(at, this.channels.hasRoom(channel, timesOf(this.sentAt, channel).length));
      if (k > 0) at = begin + nextEntry(last, ii, entered, at - begin);
      for (const channel of channelsTaken) timesOf(this.takenAt, channel).push(at);
      for (const send of sends)
        if (happens(send, k)) timesOf(this.sentAt, send.channel).push(at + entryOf(when, send));
      entered = at - begin;
    }
    return entered;
  }
}

const usesChannels = ({ inputs, sends }: Process): boolean =>
  sends.length > 0 || inputs.some((v) => v.op === "receive");

/**
 * When an iteration enters that is ready in cycle `ready`, if the previous one entered in cycle `before`. If operations
 * take turns, that is a multiple of the interval later, as long as the previous one is under way.
 */
function nextEntry({ aligned, depth }: Process, ii: number, before: number, ready: number): number {
  const apart = Math.max(ii, ready - before);
  if (!aligned || apart > depth + ii - (depth % ii)) return before + apart;
  return before + ii * Math.ceil(apart / ii);
}

/**
 * When the first element of a stream is available: the port sends its request in the cycle after it gets the start
 * address. A word consists of two words of memory.
 */
const streamArrives = ({ latency }: IdealMemory, stream: Stream | undefined): number =>
  2 + latency + (stream?.word ? 4 : 2);

/**
 * Iterations under way from a process that sends requests to one that takes the answers, if nothing waits. That may be
 * more than the round trip of one load: computing the address may take another load's round trip.
 */
export function underWay(
  scheduled: ScheduledPipeline,
  latency: number,
): (from: Process, to: Process) => number {
  const all = { iterations: Number.POSITIVE_INFINITY, loads: () => true };
  const { entries } = firstEntry(scheduled, all, { latency });
  const at = new Map(scheduled.processes.map((process, k) => [process, itemAt(entries, k)]));
  return (from, to) => Math.ceil((entryOf(at, to) - entryOf(at, from)) / scheduled.ii) + 1;
}

/**
 * When the first iteration enters the computation, counted from the pipeline's start, and how long the first that takes
 * an element of a stream waits for it; `entries`: when it enters each process.
 */
function firstEntry(
  { pipeline, processes, ii }: ScheduledPipeline,
  { iterations, loads }: Pick<PipelineRun, "iterations" | "loads">,
  memory: IdealMemory,
): { readonly entered: number; readonly stall: number; readonly entries: readonly number[] } {
  const arrival = new Map<Value, number>();
  const { streams } = pipeline.graph;
  const entries: number[] = [];
  let entered = 1;
  let stall = 0;
  for (const process of processes) {
    entered = Math.max(1, ...process.inputs.flatMap((input) => arrival.get(input) ?? []));
    const streamsTaken = process.inputs.flatMap((load) => streams.get(load) ?? []);
    for (const stream of streamsTaken.sort((a, b) => (a.first ?? 0) - (b.first ?? 0))) {
      const { first = 0 } = stream;
      if (first >= iterations) continue;
      const due = entered + stall + ii * first;
      const arrives = Math.max(due, streamArrives(memory, stream));
      stall += (first > 0 ? nextEntry(process, ii, due - ii, arrives) : arrives) - due;
    }
    entries.push(entered);
    for (const load of process.requests) {
      const requestCycle = entered + entryOf(process.when, load);
      // Its order is known a cycle after the request; its data arrive after queue, memory and FIFO.
      arrival.set(load, loads(load) ? requestCycle + 1 + memory.latency + 2 : requestCycle + 1);
    }
  }
  return { entered, stall, entries };
}

/** When the last iteration enters. */
function lastEntry(
  { pipeline, processes, ii }: ScheduledPipeline,
  { iterations }: PipelineRun,
  { entered, stall }: { readonly entered: number; readonly stall: number },
  { latency, apart = false }: IdealMemory,
): number {
  // Iterations that need stores of others enter in groups; a group starts when the previous one's stores have arrived.
  const memory = pipeline.loop?.memory;
  const group = memory && !(memory.unlessApart && apart) ? memory.distance : iterations;
  const before = Math.ceil(iterations / group) - 1;
  const final = entered + ii * (Math.min(group, iterations) - 1);
  const settled = quiet({ pipeline, processes, ii }, final, latency);
  const next = nextEntry(lastOf(processes), ii, final, entered + settled) - entered;
  return entered + stall + before * next + ii * (iterations - before * group - 1);
}

/** The first cycle in which nothing is under way of an iteration that entered in cycle `entered`. */
function quiet(
  { pipeline, processes, ii }: Pick<ScheduledPipeline, "pipeline" | "processes" | "ii">,
  entered: number,
  latency: number,
): number {
  const process = lastOf(processes);
  const stores = process.stores.flatMap((port) =>
    port.stores.map((s) => {
      const cycle = entryOf(process.when, s);
      const stream = pipeline.graph.streams.get(s);
      const { cycles } = stream ? wordQueue(queuedBits(s, stream), cycle, ii) : { cycles: 2 };
      const takenAt = entered + cycle + cycles;
      // An incomplete word is sent when it is known that no more elements follow.
      const sentAt = stream?.word ? Math.max(takenAt + 1, entered + ii + 1) : takenAt;
      // It is counted in the cycle after the memory's answer.
      return sentAt + latency + 1;
    }),
  );
  return Math.max(entered + process.depth + 1, ...stores);
}
