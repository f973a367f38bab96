/** Validation errors in the user's terms: what is wrong, which values are allowed, and what was probably meant. */
import type { ErrorObject } from "ajv";
import { kernelAxes } from "./contract/arc-schema.ts";
import type { Diagnostic } from "./document/diagnostic.ts";
import type { ArcDocument, Path } from "./document/document.ts";
import type { JsonSchema } from "./document/json-schema.ts";
import { nearest } from "./document/nearest.ts";

export function explainErrors(errors: readonly ErrorObject[], document: ArcDocument): readonly Diagnostic[] {
  return meaningful(errors).map((error) => explain(error, document));
}

/**
 * Of a failed alternative only the branch that the user was writing matters; if no branch has the right type, the
 * alternative itself lists the possible types.
 */
function meaningful(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const untagged = new Set(errors.filter((e) => e.keyword === "discriminator").map((e) => e.instancePath));
  const repeats = (error: ErrorObject): boolean =>
    error.keyword === "propertyNames" ||
    error.keyword === "oneOf" ||
    (error.keyword === "required" && untagged.has(error.instancePath));
  let relevant = errors.filter((error) => !repeats(error));
  for (const alternative of errors.filter((error) => error.keyword === "anyOf")) {
    const branches = relevant.filter((error) => isUnder(error, alternative));
    const started = branches.filter(
      (error) => !(error.keyword === "type" && error.instancePath === alternative.instancePath),
    );
    // If several branches have the same type, only one can be meant: `enum` fails for a list only if the value is not a
    // list.
    const inside = started.filter((error) => error.instancePath !== alternative.instancePath);
    const chosen =
      inside.length > 0 ? inside : started.filter((error) => !isContainer(error.data) || isOfLists(error));
    relevant = relevant.filter((error) => error !== alternative && !branches.includes(error));
    relevant.push(...(chosen.length > 0 ? chosen : [alternative]));
  }
  return relevant;
}

/** It fails only for a list, which is what the user was writing then. */
const isOfLists = ({ keyword }: ErrorObject): boolean => keyword === "minItems" || keyword === "uniqueItems";

const isContainer = (data: unknown): boolean => typeof data === "object" && data !== null;

function isUnder(error: ErrorObject, alternative: ErrorObject): boolean {
  return (
    error !== alternative &&
    error.schemaPath.startsWith(`${alternative.schemaPath}/`) &&
    error.instancePath.startsWith(alternative.instancePath)
  );
}

function explain(error: ErrorObject, document: ArcDocument): Diagnostic {
  const path = pathOf(error.instancePath);
  const schema = (error.parentSchema ?? {}) as JsonSchema;
  const at = document.locationOf(path);
  const what = describe(path);
  const findingAt = (code: string, message: string, remedy?: string, location = at): Diagnostic => ({
    severity: "error",
    code,
    message,
    ...location,
    ...(schema.description === undefined ? {} : { why: `${what} is ${schema.description}` }),
    ...(remedy === undefined ? {} : { remedy }),
  });
  switch (error.keyword) {
    case "additionalProperties": {
      const key = String(error.params.additionalProperty);
      return unknownKey(key, path, schema, document);
    }
    case "required": {
      const key = String(error.params.missingProperty);
      const only: unknown = schema.properties?.[key]?.const;
      const value = only === undefined ? "" : ` ${String(only)}`;
      return findingAt("missing-key", `${what} needs \`${key}\``, `add \`${key}:${value}\``);
    }
    case "type":
      if (schema.title === kernelAxes) return unknownAxis(path, schema, document);
      return findingAt(
        "wrong-type",
        `${what} must be ${typeWords(schema)}, not ${dataWords(error.data)}`,
        typeRemedy(schema, error.data, path),
      );
    case "anyOf":
      return findingAt(
        "wrong-type",
        `${what} must be ${(schema.anyOf ?? []).map(typeWords).join(" or ")}, not ${dataWords(error.data)}`,
      );
    case "enum":
      return findingAt("unknown-value", ...unknownValue(error.data, schema.enum ?? [], what));
    case "const":
      return findingAt("unknown-value", ...unknownValue(error.data, [error.params.allowedValue], what));
    case "discriminator":
      return unknownKind(error, path, document);
    case "pattern": {
      const inKey = error.propertyName !== undefined;
      const text = inKey ? String(error.propertyName) : String(error.data);
      const location = inKey ? document.locationOfKey([...path, text]) : at;
      const meaning = (schema.patternMeaning as string | undefined) ?? `text that matches ${schema.pattern}`;
      return findingAt("bad-value", `\`${text}\` is not ${meaning}`, undefined, location);
    }
    case "minItems":
    case "minProperties":
    case "minLength":
      return findingAt("bad-value", `${what} is empty`, "write at least one value, or leave the key out");
    case "uniqueItems": {
      const item = [...path, Number(error.params.i)];
      return findingAt(
        "bad-value",
        `${what} holds \`${document.sourceOf(item) ?? "the same"}\` twice`,
        "keep one",
        document.locationOf(item),
      );
    }
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
      return findingAt(
        "bad-value",
        `${what} is ${String(error.data)}, but must be ${error.params.comparison} ${error.params.limit}`,
      );
    default:
      return findingAt("bad-value", `${what} ${error.message ?? "is not valid"}`);
  }
}

function unknownKey(key: string, path: Path, schema: JsonSchema, document: ArcDocument): Diagnostic {
  const known = Object.keys(schema.properties ?? {});
  return {
    severity: "error",
    code: "unknown-key",
    message: `${path.length === 0 ? "arc.yaml" : describe(path)} has no key \`${key}\``,
    ...document.locationOfKey([...path, key]),
    ...suggestion(key, known, "keys"),
  };
}

/** Keys in `variants` beside axes. */
const beside = new Set(["exclude", "require", "named"]);

/** In `variants` a mapping is a kernel, everything else an axis. */
function unknownAxis(path: Path, schema: JsonSchema, document: ArcDocument): Diagnostic {
  const key = String(path.at(-1));
  const known = Object.keys(schema.properties ?? {}).filter((name) => !beside.has(name));
  return {
    severity: "error",
    code: "unknown-axis",
    message: `\`${key}\` is neither an axis nor a kernel with axes of its own`,
    ...document.locationOfKey(path),
    ...suggestion(key, known, "axes"),
  };
}

function unknownValue(
  value: unknown,
  allowed: readonly unknown[],
  what: string,
): [string, string | undefined] {
  const message = `${what} cannot be \`${String(value)}\``;
  return [message, suggestion(String(value), allowed.map(String), "values").remedy];
}

function unknownKind(error: ErrorObject, path: Path, document: ArcDocument): Diagnostic {
  const branches = (error.parentSchema as JsonSchema | undefined)?.oneOf ?? [];
  const kinds = branches.map((branch) => String(branch.properties?.kind?.const));
  const value: unknown = error.params.tagValue;
  if (value === undefined) {
    return {
      severity: "error",
      code: "missing-key",
      message: `${describe(path)} needs \`kind\``,
      ...document.locationOfKey(path),
      remedy: `add \`kind:\` with one of ${listOf(kinds)}`,
    };
  }
  return {
    severity: "error",
    code: "unknown-kind",
    message: `\`${String(value)}\` is no kind of target`,
    ...document.locationOf([...path, "kind"]),
    ...suggestion(String(value), kinds, "kinds"),
  };
}

function suggestion(word: string, known: readonly string[], plural: string): { remedy?: string } {
  if (known.length === 0) return {};
  const near = nearest(word, known);
  const all = known.length === 1 ? `write ${listOf(known)}` : `the ${plural} are ${listOf(known)}`;
  return { remedy: near === undefined ? all : `did you mean \`${near}\`? ${all}` };
}

const listOf = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(", ");

function typeWords(schema: JsonSchema): string {
  if (schema.enum !== undefined) return `one of ${listOf(schema.enum.map(String))}`;
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  return types.map(typeWord).join(" or ");
}

function typeWord(type: string): string {
  const words: Record<string, string> = {
    array: "a list",
    object: "a mapping of keys to values",
    string: "text",
    number: "a number",
    integer: "a whole number",
    boolean: "`true` or `false`",
    null: "empty",
  };
  return words[type] ?? type;
}

function dataWords(data: unknown): string {
  if (data === null || data === undefined) return "empty";
  if (Array.isArray(data)) return "a list";
  if (typeof data === "object") return "a mapping";
  if (typeof data === "string") return `the text \`${data}\``;
  return `\`${String(data)}\``;
}

function typeRemedy(schema: JsonSchema, data: unknown, path: Path): string | undefined {
  if (path.length === 0)
    return "write the keys `arc`, `project`, `sources` and `targets`, as `arc init` does";
  if (data === null || data === undefined) return "give it a value, or leave the key out";
  if (typeof data === "object") return undefined;
  if (schema.type === "array") {
    const text = String(data).trim();
    // In lists of files they are patterns or parts of names.
    if (path.at(-1) === "run" && /[|&;<>$*?()'"`\\]/.test(text))
      return `write \`[sh, -c, ${JSON.stringify(text)}]\` for a shell's words`;
    return `write \`[${text.split(/\s+/).join(", ")}]\``;
  }
  if (schema.type === "string") return `write \`"${String(data)}"\``;
  return undefined;
}

function describe(path: Path): string {
  if (path.length === 0) return "arc.yaml";
  return `\`${path.map((part, i) => (typeof part === "number" ? `[${part}]` : i === 0 ? part : `.${part}`)).join("")}\``;
}

/** Converts a JSON pointer. */
function pathOf(pointer: string): Path {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
