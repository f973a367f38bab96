/**
 * Differences between versions of the Intel FPGA SDK for OpenCL. Sources: UG-OCL002, "Intel FPGA SDK for OpenCL Pro
 * Edition Programming Guide", 17.1 and 22.4, chapters on kernel compilation; release notes of 20.3. The oldest known
 * version is 17.1, whose options have one dash; 22.4 was the last.
 */
interface SdkVersion {
  /** Lets the compiler reorder floating-point operations. */
  readonly reassociate: string;
}

const versions: readonly (SdkVersion & { readonly since: string })[] = [
  { since: "20.3", reassociate: "-ffp-reassociate" },
  { since: "17.1", reassociate: "-fp-relaxed" },
];

export const newest = "22.4";

/** `version`: 19.4; the oldest known represents all earlier ones. Minor versions have one digit. */
export function sdkVersion(version: string): SdkVersion {
  return (versions.find(({ since }) => Number(version) >= Number(since)) ?? versions.at(-1)) as SdkVersion;
}
