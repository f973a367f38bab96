/**
 * Differences between Vitis versions. Sources: UG1393 and UG1702, "v++ Command" and "v++ Mode HLS" (the unified command
 * line appeared in 2023.2, the classic one exists up to 2023.1). OpenCL kernels end with 2022.2; that arrays of more
 * than 1,024 elements are not partitioned completely was found by J. Lambert with 2020.1 ("Accelerating Science with
 * Directive-Based Programming", 2.6).
 */
interface VitisVersion {
  /** It also compiles OpenCL C, with a limit. */
  readonly opencl?: { readonly mostPartitioned: number };
  /** How kernels are compiled: `v++ -c -k NAME`, or `v++ -c --mode hls`. */
  readonly layout: "classic" | "unified";
}

const versions: readonly (VitisVersion & { readonly since: string })[] = [
  { since: "2023.2", layout: "unified" },
  { since: "2023.1", layout: "classic" },
  { since: "2019.2", layout: "classic", opencl: { mostPartitioned: 1024 } },
];

export const newest = "2023.2";

/** The last version that compiles OpenCL C. */
export const lastOpencl = "2022.2";

/** `version`: year and number, `2022.1`; the oldest known represents all earlier ones. */
export function vitisVersion(version: string): VitisVersion {
  const found = versions.find(({ since }) => Number(version) >= Number(since)) ?? versions.at(-1);
  return found as VitisVersion;
}
