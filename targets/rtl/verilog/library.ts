/**
 * Library modules that kernels consist of, one file in `library/` each. A design's text includes those that it uses.
 */

import burstRead from "./library/burst-read.v";
import burstWrite from "./library/burst-write.v";
import divide from "./library/divide.v";
import earlyRing from "./library/early-ring.v";
import fifo from "./library/fifo.v";
import queue from "./library/queue.v";
import ram from "./library/ram.v";
import ring from "./library/ring.v";
import shiftQueue from "./library/shift-queue.v";
import streamRead from "./library/stream-read.v";
import streamWrite from "./library/stream-write.v";
import wordsRead from "./library/words-read.v";
import wordsWrite from "./library/words-write.v";
import { hostModules } from "./text/host.ts";

/** Drops the comment before the module, which is for readers of the file. */
const moduleOf = (file: string) => file.slice(file.indexOf("module "));

const modules: Readonly<Record<string, string>> = {
  arc_queue: moduleOf(queue),
  arc_shift_queue: moduleOf(shiftQueue),
  arc_fifo: moduleOf(fifo),
  arc_ring: moduleOf(ring),
  arc_early_ring: moduleOf(earlyRing),
  arc_ram: moduleOf(ram),
  arc_divide: moduleOf(divide),
  arc_stream_read: moduleOf(streamRead),
  arc_stream_write: moduleOf(streamWrite),
  arc_words_read: moduleOf(wordsRead),
  arc_words_write: moduleOf(wordsWrite),
  arc_burst_read: moduleOf(burstRead),
  arc_burst_write: moduleOf(burstWrite),
  ...hostModules,
};

/** The library modules that a text instantiates. */
export function libraryOf(text: string): string {
  const uses = (name: string, inside: string) => new RegExp(`\\b${name}\\b`).test(inside);
  const direct = Object.keys(modules).filter((name) => uses(name, text));
  const all = Object.keys(modules).filter(
    (name) => direct.includes(name) || direct.some((by) => uses(name, modules[by] as string)),
  );
  return all.map((name) => modules[name]).join("\n");
}
