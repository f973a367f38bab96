/** Signatures of results: an HMAC with a key that those who may publish share. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { canonicalJson } from "../key/canonical.ts";
import type { ActionResult } from "../key/result.ts";
import type { SignedResult } from "./entry.ts";

export function signatureOf(result: ActionResult, key: string): string {
  return createHmac("sha256", key)
    .update(canonicalJson(result as never))
    .digest("hex");
}

export function isSigned({ result, signature }: SignedResult, key: string): boolean {
  const wanted = signatureOf(result, key);
  return signature?.length === wanted.length && timingSafeEqual(Buffer.from(signature), Buffer.from(wanted));
}
