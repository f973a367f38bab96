/**
 * What the parts of a merged memory port share: the kernel's ports as clients, and selection of the picked one's
 * signals.
 */
import type { Module } from "../text/module.ts";
import { literal, zeros } from "../text/text.ts";

export interface NativePort {
  readonly addressBits: number;
  /** Width of a word: 8, 16, 32 or 64. */
  readonly dataBits: number;
  /** Commands of each kind that may be under way; a power of two. */
  readonly outstanding: number;
}

/** Bits of a native port's beat count, enough for AXI4's longest burst. */
export const BEATS_BITS = 9;

/** A port of the kernel as the arbiter sees it. */
export interface Client {
  /** Prefix of its signals' names. */
  readonly prefix: string;
  readonly bits: number;
  readonly beats: number;
  /** It selects the bytes to write. */
  readonly strobes: boolean;
  /** Its commands give their number of words, up to this; absent: each is for one element. */
  readonly burst?: number;
}

export type Channel = "read" | "write";

/** The module being made. */
export interface Merge {
  readonly module: Module;
  readonly native: NativePort;
  /** Address bits below those of a word. */
  readonly low: number;
  /** This module's signal at a port of the kernel. */
  signal(port: string): string;
}

export const isBurst = ({ burst }: Client): boolean => burst !== undefined;

/** Words of the longest element. */
export const mostBeats = (clients: readonly Client[]): number =>
  Math.max(...clients.map(({ beats }) => beats));

/** Words of the longest command. */
export const longestCommand = (clients: readonly Client[]): number =>
  Math.max(...clients.map(({ beats, burst }) => burst ?? beats));

/** Bit `k` of a signal with one bit for each of `n` clients. */
export const bitOf = (signal: string, k: number, n: number): string => (n === 1 ? signal : `${signal}[${k}]`);

export const addressOf = (merge: Merge, channel: Channel, { prefix }: Client): string =>
  merge.signal(`${prefix}_${channel}_address`);

/** The picked client's value. */
export function selectClient(
  channel: Channel,
  clients: readonly Client[],
  of: (client: Client) => string,
  bits: number,
): string {
  const [first, ...others] = clients.map(of) as [string, ...string[]];
  if (others.every((text) => text === first)) return first;
  return [first, ...others].map((text, k) => `({${bits}{${channel}_pick[${k}]}} & ${text})`).join(" | ");
}

/** Number of beats of a client's command. */
export const beatsOf = (merge: Merge, channel: Channel, { prefix, beats, burst }: Client): string =>
  burst === undefined ? literal(BigInt(beats), BEATS_BITS) : merge.signal(`${prefix}_${channel}_beats`);

/** Number of beats of a client's command after the first. */
export function beatsAfter(
  merge: Merge,
  channel: Channel,
  { prefix, beats, burst }: Client,
  bits: number,
): string {
  if (burst === undefined) return literal(BigInt(beats - 1), bits);
  return `(${merge.signal(`${prefix}_${channel}_beats`)}[${bits - 1}:0] - ${literal(1n, bits)})`;
}

/** Declares the native port's command channel. */
export function declareCommand({ module, native }: Merge, channel: Channel): void {
  module.port({ direction: "output", bits: 1, name: `${channel}_valid`, register: true });
  module.port({ direction: "output", bits: native.addressBits, name: `${channel}_address`, register: true });
  module.port({ direction: "output", bits: BEATS_BITS, name: `${channel}_beats`, register: true });
  module.port({ direction: "input", bits: 1, name: `${channel}_ready` });
}

/** Stores the picked client's command in the native port's registers. */
export function takeCommand(merge: Merge, channel: Channel, clients: readonly Client[]): void {
  const { addressBits } = merge.native;
  const word = (c: Client) => wordAddress(merge, addressOf(merge, channel, c));
  const beats = (c: Client) => beatsOf(merge, channel, c);
  merge.module.when(`${channel}_take`, [
    `${channel}_address <= ${selectClient(channel, clients, word, addressBits)};`,
    `${channel}_beats <= ${selectClient(channel, clients, beats, BEATS_BITS)};`,
  ]);
}

/** The address of the word that contains an address. */
function wordAddress({ low, native }: Merge, address: string): string {
  if (low === 0) return address;
  return `{${address}[${native.addressBits - 1}:${low}], ${zeros(low)}}`;
}
