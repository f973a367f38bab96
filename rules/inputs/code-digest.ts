/** Digests of the compiled code of steps: when a step's code changes, only its actions run again. */

import { digestBytes } from "../../core/build/key/digest.ts";
import type { Digest } from "../../core/build/model/action.ts";

/** Inserted by the build: step file without folder and extension -> digest of everything that it imports. */
declare const ARC_CODE_DIGESTS: Readonly<Record<string, string>> | undefined;

export function codeDigest(step: string): Digest {
  const built = typeof ARC_CODE_DIGESTS === "undefined" ? undefined : ARC_CODE_DIGESTS;
  // Not bundled, as in tests, where each run has a store of its own.
  if (built === undefined) return digestBytes(`unbundled ${step}`);
  const digest = built[step];
  if (digest === undefined) throw new Error(`the build recorded no digest for step ${step}`);
  return digest as Digest;
}
