/**
 * Describes data by a text that is equal only for data of equal structure: plain objects, arrays, maps and sets with
 * everything reachable from them, including shared references. Opaque values (functions and class instances) equal only
 * themselves.
 */

import { workItemIdOf } from "../../../targets/shared/device/device.ts";

const itself = new WeakMap<object, number>();
let known = 0;

function identityOf(what: object): number {
  const number = itself.get(what) ?? ++known;
  itself.set(what, number);
  return number;
}

/** Leaves out serial numbers of symbols and declarations, which only distinguish them. */
export function structureOf(data: unknown): string {
  const numbers = new Map<object, number>();
  let text = "";
  const walk = (value: unknown): void => {
    switch (typeof value) {
      case "string":
        text += `"${value.length}:${value}`;
        return;
      case "number":
        text += `#${Object.is(value, -0) ? "-0" : value};`;
        return;
      case "bigint":
        text += `n${value};`;
        return;
      case "function":
        text += `f${identityOf(value)};`;
        return;
      case "object":
        if (value !== null) return object(value);
    }
    text += `${String(value)};`;
  };
  const object = (value: object): void => {
    const number = numbers.get(value);
    if (number !== undefined) {
      text += `@${number};`;
      return;
    }
    numbers.set(value, numbers.size);
    const prototype = Object.getPrototypeOf(value);
    if (Array.isArray(value)) {
      text += `[${value.length};`;
      for (const element of value) walk(element);
    } else if (prototype === Map.prototype || prototype === Set.prototype) {
      const elements = [...(value as Iterable<unknown>)];
      text += `${prototype === Map.prototype ? "M" : "S"}${elements.length};`;
      for (const element of elements) walk(element);
    } else if (prototype === Object.prototype || prototype === null) fields(value as Record<string, unknown>);
    else text += `o${identityOf(value)};`;
  };
  const fields = (value: Record<string, unknown>): void => {
    text += `{${workItemIdOf(value) ?? ""}`;
    for (const key in value) {
      if (key === "id" && typeof value.kind === "string") continue;
      text += `${key}:`;
      walk(value[key]);
    }
    text += "}";
  };
  walk(data);
  return text;
}
