/**
 * Canonical JSON: equal values give the same text (object keys sorted, no white space). Digests of data are made from
 * it.
 */
import type { Json } from "../model/action.ts";
import { EngineError } from "../model/error.ts";

export function canonicalJson(value: Json): string {
  // What JSON.stringify writes of scalars is canonical (0 for -0, too), and it is fastest.
  if (isScalar(value) || (isArray(value) && value.every(isScalar))) return JSON.stringify(value);
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

function isScalar(value: Json): value is null | string | boolean | number {
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
