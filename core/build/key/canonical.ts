/**
 * Canonical JSON: equal values give the same text (object keys sorted, no white space). Digests of data are made from
 * it.
 */
import type { Json } from "../model/action.ts";
import { EngineError } from "../model/error.ts";

export function canonicalJson(value: Json): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") return canonicalNumber(value);
  if (isFlat(value)) return JSON.stringify(value);
  if (isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object") throw notCanonical(value);
  const members: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    // An absent option and an undefined one mean the same.
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${canonicalJson(member)}`);
  }
  return `{${members.join(",")}}`;
}

function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) throw notCanonical(value);
  // -0 and 0 are equal, so they must give the same text.
  return JSON.stringify(value === 0 ? 0 : value);
}

/** Whether a value contains no object. Then JSON.stringify is already canonical, and fastest. */
function isFlat(value: Json): boolean {
  if (isArray(value)) return value.every(isFlat);
  return value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

// Array.isArray does not narrow readonly arrays.
function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function notCanonical(value: unknown): EngineError {
  return new EngineError(
    "not-canonical",
    `a value without a canonical form is part of a key: ${String(value)}`,
    "use null, booleans, finite numbers, strings, arrays and plain objects in options",
  );
}
