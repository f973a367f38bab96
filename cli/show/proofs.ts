/** Proofs about parts of the hardware as a table with one line per claim. */
import type { Address } from "../../core/build/model/action.ts";
import type { Proof } from "../../rules/steps/kernels/prove.ts";
import { columns } from "./columns.ts";
import { seconds } from "./words.ts";

const head = ["variant", "part", "sizes", "by", "time", "shown"];

export function proofTable(proofs: readonly (Proof & { readonly address: Address })[]): string {
  const rows = proofs.flatMap(({ address, part, sizes, claims, provided, seconds: time, ...how }) => {
    const lines = [...claims, ...(provided === undefined ? [] : [`  provided that ${provided}`])];
    const first = [address.replace(/#.*/, ""), part, sizes, methodOf(how), seconds(time)];
    return lines.map((line, k) => [...(k === 0 ? first : first.map(() => "")), line]);
  });
  return columns([head, ...rows]);
}

/** A proof by induction covers runs of any length. */
const methodOf = ({
  induction,
  cycles,
  unfinished,
}: Pick<Proof, "induction" | "cycles" | "unfinished">): string => {
  if (unfinished) return "NOT PROVED: it takes too long";
  return induction === undefined ? `search, ${cycles} cycles from the start` : `induction, k = ${induction}`;
};
