/** The part of JSON Schema (draft 7) that describes arc.yaml, and the TypeScript types that follow from it. */

export type Scalar = string | number | boolean;

export interface JsonSchema {
  readonly $schema?: string;
  readonly $id?: string;
  /** Reference to a definition, `#/definitions/NAME`; then all other keywords are ignored. */
  readonly $ref?: string;
  readonly definitions?: { readonly [name: string]: JsonSchema };
  readonly title?: string;
  readonly description?: string;
  readonly type?: TypeName | readonly TypeName[];
  readonly const?: Scalar;
  readonly enum?: readonly Scalar[];
  readonly default?: unknown;
  readonly pattern?: string;
  /** The meaning of `pattern`, in words; not a JSON Schema keyword, and ignored by editors. */
  readonly patternMeaning?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: { readonly [key: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly minProperties?: number;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  /** OpenAPI's tag of a `oneOf`: the property that decides which branch applies. */
  readonly discriminator?: { readonly propertyName: string };
}

type TypeName = "string" | "number" | "integer" | "boolean" | "array" | "object" | "null";

/** The type of values that `S` admits, derived so that types and schema cannot diverge. */
export type FromSchema<S> = S extends { readonly const: infer C }
  ? C
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly anyOf: readonly (infer B)[] } | { readonly oneOf: readonly (infer B)[] }
      ? FromSchema<B>
      : S extends { readonly type: readonly (infer T)[] }
        ? FromType<T, S>
        : S extends { readonly type: infer T }
          ? FromType<T, S>
          : unknown;

type FromType<T, S> = T extends "string"
  ? string
  : T extends "number" | "integer"
    ? number
    : T extends "boolean"
      ? boolean
      : T extends "null"
        ? null
        : T extends "array"
          ? readonly (S extends { readonly items: infer I } ? FromSchema<I> : unknown)[]
          : T extends "object"
            ? FromObject<S>
            : never;

type FromObject<S> = S extends { readonly properties: infer P }
  ? {
      readonly [K in keyof P as K extends Required<S> ? K : never]: FromSchema<P[K]>;
    } & { readonly [K in keyof P as K extends Required<S> ? never : K]?: FromSchema<P[K]> }
  : S extends { readonly additionalProperties: infer A extends object }
    ? { readonly [key: string]: FromSchema<A> }
    : { readonly [key: string]: unknown };

type Required<S> = S extends { readonly required: readonly (infer R)[] } ? R : never;
