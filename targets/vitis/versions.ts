/**
 * What versions of Vitis differ in. Sources: UG1393 and UG1702, "v++ Command" and "v++ Mode HLS" (the unified
 * command line came with 2023.2, the classic one goes on to 2023.1).
 */
export interface VitisVersion {
  /** How kernels are compiled: `v++ -c -k NAME`, or `v++ -c --mode hls`. */
  readonly layout: "classic" | "unified";
}

const versions: readonly (VitisVersion & { readonly since: string })[] = [
  { since: "2023.2", layout: "unified" },
  { since: "2019.2", layout: "classic" },
];

export const newest = "2023.2";

/** `version`: year and number, `2022.1`; the oldest known stands for all that came before it. */
export function vitisVersion(version: string): VitisVersion {
  const found = versions.find(({ since }) => Number(version) >= Number(since)) ?? versions.at(-1);
  return found as VitisVersion;
}
