/** arc.yaml as JSON Schema. The types in project.ts and the schema file for editors both derive from it. */
import { type Axis, axisSchema, valueSchema } from "../document/axis.ts";
import type { FromSchema, JsonSchema } from "../document/json-schema.ts";
import { cache, duration, executorNames, executors, size } from "./executors-schema.ts";

const strings = (description: string) =>
  ({ description, type: "array", items: { type: "string", minLength: 1 } }) as const;

const paths = (description: string) =>
  ({ description, type: "array", items: { type: "string", minLength: 1 }, uniqueItems: true }) as const;

const environment = {
  description: "environment variables, added to PATH",
  type: "object",
  additionalProperties: { type: ["string", "number"] },
} as const;

/** An action's own folder for temporary files is never that of others. */
const variables = (description: string) =>
  ({
    description,
    type: "array",
    items: {
      type: "string",
      pattern: "^(?!TMPDIR$)[A-Za-z_][A-Za-z0-9_]*$",
      patternMeaning: "the name of an environment variable other than TMPDIR",
    },
    uniqueItems: true,
  }) as const;

const name = {
  pattern: "^[A-Za-z][A-Za-z0-9_.-]*$",
  patternMeaning: "a name: a letter, then letters, digits, `_`, `.`, `-`",
} as const;

const kernel = {
  description: "a name for one compute region",
  type: "object",
  properties: {
    source: { description: "the file of `sources` that holds it", type: "string", minLength: 1 },
    function: { description: "the function that holds it", type: "string", minLength: 1 },
    region: { description: "which region of the function, counted from 1", type: "integer", minimum: 1 },
    add: {
      description: "clauses for the region's directive, as if they stood behind its own: `vector_length(64)`",
      type: "string",
      pattern: "^[A-Za-z_][^#\\n]*$",
      patternMeaning: "clauses of a directive",
    },
  },
  required: ["source", "function"],
  additionalProperties: false,
} as const;

const action = {
  description: "a command of the project's own, cached like every other step",
  type: "object",
  properties: {
    run: {
      description: "the program and its arguments; there is no shell",
      type: "array",
      items: { type: ["string", "number"] },
      minItems: 1,
    },
    inputs: paths(
      "files and folders it reads, or patterns: `data/*.csv`, `src/**/*.v`; it sees nothing else of the project",
    ),
    outputs: {
      ...paths("files it writes; a folder ends in `/`"),
      minItems: 1,
    },
    env: environment,
    "env-from": variables("variables that it gets from arc's environment; another value is another result"),
    "pass-env": variables(
      "variables that it gets from arc's environment and that decide no result: where a licence is, a proxy",
    ),
    tools: {
      description:
        "programs that its command calls in turn, with the arguments that print their versions: " +
        "`{ vivado: [-version] }`; a new version is a new result",
      type: "object",
      additionalProperties: { type: "array", items: { type: "string" } },
    },
    stdout: { description: "the output that takes what it prints", type: "string", minLength: 1 },
    deterministic: {
      description: "it writes the same bytes whenever it reads the same bytes",
      type: "boolean",
      default: false,
    },
    timeout: duration("time after which it has failed"),
    cpu: { description: "processor cores it keeps busy", type: "integer", minimum: 1 },
    memory: size("memory it needs"),
    "memory-limit": size("address space of each of its processes, after which it has failed"),
    executor: { description: "where it runs; `--executor` wins over it", enum: executorNames },
    finish: {
      description: "it takes so long that `arc watch` lets it finish though a newer save made it stale",
      type: "boolean",
      default: false,
    },
    tokens: {
      description: "licences or devices it holds, by name",
      type: "object",
      additionalProperties: { type: "integer", minimum: 1 },
    },
  },
  required: ["run", "outputs"],
  additionalProperties: false,
} as const;

/** Element types of raw arrays, in the byte order of the machine. */
const elementType = {
  description: "element type of a raw array, compared number by number",
  enum: ["f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"],
} as const;

const run = {
  description: "one way to run the program",
  type: "object",
  properties: {
    args: { description: "command line arguments", type: "array", items: { type: ["string", "number"] } },
    env: environment,
    stdin: { description: "file to read from standard input", type: "string", minLength: 1 },
    inputs: paths("files it reads besides those that its arguments name, or patterns: `data/*.csv`"),
    outputs: {
      description: "files it writes, to be compared by `arc verify`",
      type: "array",
      items: {
        anyOf: [
          { type: "string", minLength: 1 },
          {
            type: "object",
            properties: { file: { type: "string", minLength: 1 }, type: elementType },
            required: ["file", "type"],
            additionalProperties: false,
          },
        ],
      },
    },
    status: {
      description: "the exit status of a run that is right",
      type: "integer",
      minimum: 0,
      maximum: 255,
    },
    timeout: duration("time after which it has failed"),
  },
  additionalProperties: false,
} as const;

const verify = {
  description: "how the program is compared with the serial one",
  type: "object",
  properties: {
    run: {
      description: "which of `runs`; absent: all of them",
      anyOf: [
        { type: "string", minLength: 1 },
        { type: "array", items: { type: "string", minLength: 1 }, minItems: 1, uniqueItems: true },
      ],
    },
    tolerance: {
      description: "how far numbers may differ: |a - b| <= abs + rel * |serial|",
      type: "object",
      properties: { rel: { type: "number", minimum: 0 }, abs: { type: "number", minimum: 0 } },
      additionalProperties: false,
    },
    ignore: strings("regular expressions; what they match is left out of the comparison (times)"),
    strict: { description: "what could not be run here is a failure", type: "boolean", default: false },
  },
  additionalProperties: false,
} as const;

const check = {
  description:
    "whether the program is made so that `ARC_CHECK=kernels,transfers` can watch it; its host code is larger and slower",
  anyOf: [
    { type: "boolean" },
    {
      type: "object",
      properties: {
        tolerance: {
          description:
            "how far a kernel's numbers may differ from the host's, relative; default 1e-6, of float 1e-4",
          type: "number",
          minimum: 0,
        },
      },
      additionalProperties: false,
    },
  ],
} as const;

const budgets = {
  description: "what `arc report --budgets` fails for",
  type: "object",
  properties: {
    baseline: {
      description: "what `arc report --all --json` wrote earlier: a file, or `REV:FILE` of git",
      type: "string",
      minLength: 1,
    },
    fail: {
      ...strings("`clock drops 5 %`, `fpga cycles rise 2 %`, `fpga:sw2 area above 80 %`"),
      minItems: 1,
    },
  },
  required: ["fail"],
  additionalProperties: false,
} as const;

const store = {
  description: "where results are kept; `--store` and `ARC_STORE` win over it",
  anyOf: [
    { type: "string", minLength: 1 },
    {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1 },
        limit: size("size to stay below"),
      },
      additionalProperties: false,
    },
  ],
} as const;

/** Properties common to all projects; `arcSchema` adds `targets` and `variants`. */
const fixedProperties = {
  arc: { description: "version of this file's format", const: 1 },
  project: { description: "name of the project and of the program", type: "string", ...name },
  sources: paths("C files with directives: translated for every target"),
  host: paths("C files without directives: compiled as they are"),
  cflags: strings("options for the C compiler"),
  include: paths("folders to search for headers"),
  defines: {
    description: "macros; `true` defines the name alone",
    type: "object",
    propertyNames: { pattern: "^[A-Za-z_]\\w*(\\(.*\\))?$", patternMeaning: "the name of a macro" },
    additionalProperties: { type: ["string", "number", "boolean"] },
  },
  ldflags: strings("options for linking"),
  libs: strings("libraries to link, as in `-l`"),
  "env-from": variables(
    "variables that all commands and tools get from arc's environment; another value is another result",
  ),
  "pass-env": variables(
    "variables that all commands and tools get from arc's environment and that decide no result: `XILINXD_LICENSE_FILE`",
  ),
  kernels: { type: "object", propertyNames: name, additionalProperties: kernel },
  actions: { type: "object", propertyNames: name, additionalProperties: action },
  runs: { type: "object", propertyNames: name, additionalProperties: run },
  verify,
  check,
  budgets,
  executors,
  cache,
  store,
} as const;

const base = {
  type: "object",
  properties: fixedProperties,
  required: ["arc", "project"],
  additionalProperties: false,
} as const satisfies JsonSchema;

/** The file after validation, before names are resolved. */
export type ArcFile = FromSchema<typeof base> & {
  readonly targets?: Readonly<Record<string, TargetEntry>>;
  readonly variants?: VariantsEntry;
};
export type TargetEntry = {
  readonly kind: string;
  readonly variants?: VariantsEntry;
  readonly images?: readonly (readonly string[])[];
  readonly [option: string]: unknown;
};
/** Arrays and scalars are axes, mappings are kernels; `exclude`, `require` and `named` keep their meaning. */
export type VariantsEntry = Readonly<Record<string, unknown>>;
export type KernelEntry = FromSchema<typeof kernel>;
export type ActionEntry = FromSchema<typeof action>;
export type RunEntry = FromSchema<typeof run>;
export type ElementType = FromSchema<typeof elementType>;

/** The part of a target kind that arc.yaml needs. */
export interface KindSchema {
  readonly kind: string;
  readonly description: string;
  /** Options next to `kind:`. */
  readonly options: { readonly [key: string]: JsonSchema };
  readonly required?: readonly string[];
  /** One image holds many kernels, so a project may group them. */
  readonly sharesImages?: true;
  /** Checks for options that are valid alone but conflict with each other. */
  conflict?(options: Readonly<Record<string, unknown>>): OptionConflict | undefined;
}

interface OptionConflict {
  /** The option to report. */
  readonly option: string;
  readonly message: string;
  readonly why: string;
  readonly remedy: string;
}

/** The complete schema for the kinds and axes of this build of arc. */
export function arcSchema(kinds: readonly KindSchema[], axes: readonly Axis[]): JsonSchema {
  // Defined once for all targets: repeated for each, it would be most of the schema.
  const variants = { $ref: "#/definitions/variants" };
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "arc.yaml",
    description: "a project that arc builds",
    definitions: { variants: variantsSchema(axes) },
    ...base,
    properties: {
      ...fixedProperties,
      targets: {
        description: "what to build for",
        type: "object",
        propertyNames: name,
        minProperties: 1,
        additionalProperties: {
          type: "object",
          discriminator: { propertyName: "kind" },
          required: ["kind"],
          oneOf: kinds.map((kind) => targetSchema(kind, variants)),
        },
      },
      variants,
    },
  };
}

function targetSchema(kind: KindSchema, variants: JsonSchema): JsonSchema {
  return {
    description: kind.description,
    type: "object",
    properties: {
      kind: { const: kind.kind },
      variants,
      ...(kind.sharesImages && {
        images: {
          description: "kernels that share one load of the device; one more image holds all others",
          type: "array",
          items: { type: "array", items: { type: "string", minLength: 1 }, minItems: 1 },
        },
      }),
      ...kind.options,
    },
    required: ["kind", ...(kind.required ?? [])],
    additionalProperties: false,
  };
}

/** Title of the schema for keys in `variants` that are not axes. */
export const kernelAxes = "axes of one kernel";

function variantsSchema(axes: readonly Axis[]): JsonSchema {
  const properties = Object.fromEntries(axes.map((axis) => [axis.key, axisSchema(axis)]));
  const exclude: JsonSchema = {
    description: "combinations to leave out",
    type: "array",
    items: { type: "object", properties, additionalProperties: false, minProperties: 1 },
  };
  const require = {
    ...strings("what must hold between axes: `unroll <= window`, `model == swi => window >= 2`"),
    minItems: 1,
  };
  const own = (additionalProperties: JsonSchema | false): JsonSchema => ({
    type: "object",
    properties: Object.fromEntries(axes.map((axis) => [axis.key, valueSchema(axis.values)])),
    additionalProperties,
  });
  const named: JsonSchema = {
    description: "names for choices: `{ fast: { window: 4 } }`; other axes have their defaults",
    type: "object",
    propertyNames: name,
    additionalProperties: own({ title: kernelAxes, ...own(false) }),
  };
  return {
    description: "axes of variation: all combinations are built, minus `exclude`",
    type: "object",
    properties: { ...properties, exclude, require, named },
    additionalProperties: {
      title: kernelAxes,
      type: "object",
      properties: { ...properties, exclude, require },
      additionalProperties: false,
    },
  };
}
