/** Single elements in the words of a memory port. */
import { literal, zeros } from "../text/text.ts";
import { addressOf, type Client, type Merge } from "./merge.ts";

/** An element replicated in all lanes of its word, or split into words, padded to `most` words. */
export function elementWords(merge: Merge, { prefix, bits, beats }: Client, most: number): string {
  const { dataBits } = merge.native;
  const data = merge.signal(`${prefix}_write_data`);
  const copies = Math.max(1, dataBits / bits);
  const words = copies === 1 ? data : `{${copies}{${data}}}`;
  return beats === most ? words : `{${zeros((most - beats) * dataBits)}, ${words}}`;
}

/** Strobes for this many beats: an element's in the first, or in all of its own. */
export function elementStrobe(merge: Merge, client: Client, beats: number): string {
  const lanes = merge.native.dataBits / 8;
  const bytes = client.bits / 8;
  const ownStrobe = client.strobes ? merge.signal(`${client.prefix}_write_strobe`) : undefined;
  if (bytes >= lanes) {
    const bits = beats === 1 ? lanes : bytes;
    const all = ownStrobe ?? literal((1n << BigInt(bits)) - 1n, bits);
    return bits < beats * lanes ? `{${zeros(beats * lanes - bits)}, ${all}}` : all;
  }
  const mask = ownStrobe
    ? `{${zeros(lanes - bytes)}, ${ownStrobe}}`
    : literal((1n << BigInt(bytes)) - 1n, lanes);
  const shifted = `(${mask} << ${addressOf(merge, "write", client)}[${merge.low - 1}:0])`;
  return beats === 1 ? shifted : `{${zeros((beats - 1) * lanes)}, ${shifted}}`;
}
