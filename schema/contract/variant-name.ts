/**
 * Names of variants: tokens in the order of the axis table, joined by `_`. Parts for kernels that vary on their own are
 * joined by `_x_`, in the order of `kernels:`. Names can be parsed back.
 *
 *   name  = part { "_x_" part }
 *   part  = "default" | token { "_" token }
 *   token = word | switch | prefix number | key "=" value
 */
import { type Assignment, type Axis, isListed, spelled } from "../document/axis.ts";
import type { Scalar } from "../document/json-schema.ts";

const defaultPart = "default";
const kernelJoin = "_x_";

/** `words` axes appear whenever they are assigned, others only with a value other than the default. */
export function formatVariant(parts: readonly Assignment[], axes: readonly Axis[]): string {
  return parts.map((part) => formatPart(part, axes)).join(kernelJoin);
}

/** The inverse of `formatVariant`, or the error in the name. */
export function parseVariant(
  name: string,
  axes: readonly Axis[],
): { readonly parts: readonly Assignment[] } | { readonly error: string } {
  const parts: Assignment[] = [];
  for (const text of name.split(kernelJoin)) {
    const part = parsePart(text, axes);
    if ("error" in part) return part;
    parts.push(part.part);
  }
  return { parts };
}

function formatPart(part: Assignment, axes: readonly Axis[]): string {
  const tokens: string[] = [];
  for (const axis of axes) {
    const value = part[axis.key];
    if (value === undefined) continue;
    const token = formatToken(axis, value);
    if (token !== undefined) tokens.push(token);
  }
  return tokens.length === 0 ? defaultPart : tokens.join("_");
}

function formatToken(axis: Axis, value: Scalar): string | undefined {
  if (typeof axis.token === "object") return String(value);
  if (value === axis.default) return undefined;
  if (axis.token === undefined) return `${axis.key}=${escapeValue(value)}`;
  return value === true ? axis.token : `${axis.token}${value}`;
}

function parsePart(text: string, axes: readonly Axis[]): { part: Assignment } | { error: string } {
  const part: Record<string, Scalar> = {};
  if (text === defaultPart) return { part };
  let next = 0;
  for (const token of text.split("_")) {
    const found = axes.findIndex((axis) => parseToken(axis, token) !== undefined);
    const axis = axes[found];
    const value = axis && parseToken(axis, token);
    if (axis === undefined || value === undefined)
      return { error: `\`${token}\` names no value of any axis` };
    if (axis.key in part) return { error: `axis \`${axis.key}\` has two values` };
    if (found < next) return { error: `\`${token}\` is out of order` };
    next = found;
    part[axis.key] = value;
  }
  return { part };
}

function parseToken(axis: Axis, token: string): Scalar | undefined {
  const value = readToken(axis, token);
  if (value === undefined || !admits(axis, value)) return undefined;
  // Accept only the canonical spelling: `sw04` is not `sw4`, and a default has no token.
  return formatToken(axis, value) === token ? value : undefined;
}

function readToken(axis: Axis, token: string): Scalar | undefined {
  if (typeof axis.token === "object") return token;
  if (axis.token === undefined) {
    const text = token.startsWith(`${axis.key}=`) ? token.slice(axis.key.length + 1) : undefined;
    return text === undefined ? undefined : scalarOf(axis, unescapeValue(text));
  }
  if (token === axis.token) return true;
  return token.startsWith(axis.token) ? scalarOf(axis, token.slice(axis.token.length)) : undefined;
}

function admits(axis: Axis, value: Scalar): boolean {
  if (isListed(axis.values)) return axis.values.includes(value);
  if ("words" in axis.values) return typeof value === "string" && spelled(axis.values).test(value);
  return (
    Number.isInteger(value) && Number(value) >= axis.values.minimum && Number(value) <= axis.values.maximum
  );
}

function scalarOf(axis: Axis, text: string): Scalar | undefined {
  if (isListed(axis.values)) return axis.values.find((value) => String(value) === text);
  if ("words" in axis.values) return text;
  return /^-?\d+$/.test(text) ? Number(text) : undefined;
}

/** Escapes as %xx: `_` joins tokens and `/ : #` delimit addresses; other unusual characters, too. */
function escapeValue(value: Scalar): string {
  return encodeURIComponent(String(value)).replace(/[_!'()*~]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
}

function unescapeValue(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
