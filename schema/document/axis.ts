/** Axes of variation as data: each pass with an axis describes it here; schema and names follow from that. */
import type { JsonSchema, Scalar } from "./json-schema.ts";

export interface Axis {
  /** Name in arc.yaml: `window`. */
  readonly key: string;
  /** What it chooses, in one sentence; used as the editor's help and in the table in docs. */
  readonly description: string;
  readonly values:
    | readonly Scalar[]
    | { readonly minimum: number; readonly maximum: number }
    | { readonly words: readonly string[]; readonly pattern: string };
  /** The value in a project that does not mention the axis. */
  readonly default: Scalar;
  /**
   * The short form in variant names. Words are values that stand for themselves (`nd`, `swi`) and appear even for the
   * default. A string is the name of a switch that is on (`coll`) or the prefix of a number (`sw` in `sw16`), and is
   * left out for the default. Absent: `key=value`.
   */
  readonly token?: string | { readonly words: true };
  /** Target kinds that honour the axis; absent: all. For others it is projected away with a note. */
  readonly targets?: readonly string[];
  /**
   * The target option that the axis stands for, chosen for the whole target. The default leaves the option unchanged.
   */
  readonly option?: string;
}

/** One value per axis key. A missing key means the axis's default. */
export type Assignment = Readonly<Record<string, Scalar>>;

export function axisSchema(axis: Axis): JsonSchema {
  const value = valueSchema(axis.values);
  return {
    description: axis.description,
    default: axis.default,
    anyOf: [value, { type: "array", items: value, minItems: 1, uniqueItems: true }],
  };
}

/** Schema for one value of an axis. */
export function valueSchema(values: Axis["values"]): JsonSchema {
  if (isListed(values)) return { enum: values };
  if ("minimum" in values) return { type: "integer", minimum: values.minimum, maximum: values.maximum };
  const form = spelled(values).source;
  return {
    type: "string",
    pattern: form,
    patternMeaning: `${values.words.join(", ")} or of the form ${values.pattern}`,
  };
}

/** The regular expression for values of an axis with words and a pattern. */
export const spelled = ({
  words,
  pattern,
}: {
  readonly words: readonly string[];
  readonly pattern: string;
}): RegExp => new RegExp(`^(${[...words, pattern].join("|")})$`);

export function isListed(values: Axis["values"]): values is readonly Scalar[] {
  return Array.isArray(values);
}

/** Ambiguities in an axis table, with which names could not be parsed back; empty if there are none. */
export function checkAxes(axes: readonly Axis[]): readonly string[] {
  const problems: string[] = [];
  const owner = new Map<string, string>();
  for (const axis of axes) {
    if (!/^[a-z][a-z0-9-]*$/.test(axis.key)) problems.push(`axis key \`${axis.key}\` is not kebab-case`);
    for (const token of fixedTokens(axis)) {
      if (!/^[a-z][a-z0-9]*$/.test(token) || token === "x" || token === "default") {
        problems.push(`\`${token}\` of axis \`${axis.key}\` cannot stand in a variant name`);
      }
      const other = owner.get(token);
      if (other !== undefined) problems.push(`axes \`${other}\` and \`${axis.key}\` share \`${token}\``);
      owner.set(token, axis.key);
    }
  }
  return problems;
}

function fixedTokens(axis: Axis): readonly string[] {
  if (axis.token === undefined) return [];
  if (typeof axis.token === "object") return isListed(axis.values) ? axis.values.map(String) : ["?"];
  return [axis.token];
}
