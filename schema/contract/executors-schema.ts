/** The parts of arc.yaml's schema about where actions run and the shared cache. */
import { durationPattern } from "../document/duration.ts";
import { sizePattern } from "../document/size.ts";

/** A size in bytes. */
export const size = (description: string) =>
  ({
    description: `${description}, in bytes or with a unit: \`20 GB\``,
    anyOf: [
      { type: "integer", minimum: 1 },
      { type: "string", pattern: sizePattern, patternMeaning: "a size such as `500 MB` or `20 GiB`" },
    ],
  }) as const;

/** A duration in seconds. */
export const duration = (description: string) =>
  ({
    description: `${description}, in seconds or with a unit: \`2 h\``,
    anyOf: [
      { type: "number", exclusiveMinimum: 0 },
      {
        type: "string",
        pattern: durationPattern,
        patternMeaning: "a length of time such as `90 s` or `2 h`",
      },
    ],
  }) as const;

/** Name of an environment variable: secrets are never in arc.yaml itself. */
const variable = (description: string) =>
  ({
    description,
    type: "string",
    pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
    patternMeaning: "the name of an environment variable, never the secret itself",
  }) as const;

export const executorNames = ["local", "slurm"] as const;
export type ExecutorName = (typeof executorNames)[number];

const limits = {
  timeout: duration("time after which a process that has no limit of its own has failed"),
  jobs: { description: "actions at a time; `-j` wins over it for this machine", type: "integer", minimum: 1 },
} as const;

export const executors = {
  description: "where actions run; `--executor` wins over it",
  type: "object",
  properties: {
    local: {
      description: "this machine",
      type: "object",
      properties: {
        ...limits,
        memory: size("memory for running actions, as far as they say what they need"),
        "memory-limit": size("address space of each process that has no limit of its own"),
        tokens: {
          description: "licences or devices there are, by name",
          type: "object",
          additionalProperties: { type: "integer", minimum: 0 },
        },
      },
      additionalProperties: false,
    },
    slurm: {
      description: "a Slurm cluster, whose nodes share the store's file system",
      type: "object",
      properties: {
        ...limits,
        steps: {
          description: "the kinds of step that run there; `command` is the project's own actions",
          type: "array",
          items: { type: "string", minLength: 1 },
          uniqueItems: true,
        },
        partition: { description: "as in `sbatch --partition`", type: "string", minLength: 1 },
        account: { description: "as in `sbatch --account`", type: "string", minLength: 1 },
        qos: { description: "as in `sbatch --qos`", type: "string", minLength: 1 },
        options: {
          description: "further options of sbatch and salloc",
          type: "array",
          items: { type: "string", minLength: 1 },
        },
        tokens: {
          description: "what Slurm calls licences and devices: `{ fpga: gres:fpga }`; default: its licences",
          type: "object",
          additionalProperties: {
            type: "string",
            pattern: "^(license|gres):.+$",
            patternMeaning: "`license:NAME` or `gres:NAME`",
          },
        },
        allocation: {
          description: "CPUs that are kept for steps which took less than half a minute before",
          type: "integer",
          minimum: 0,
        },
      },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
} as const;

export const cache = {
  description:
    "results shared with others, and how results are checked; `--remote-cache` and ARC_REMOTE_CACHE win over it",
  type: "object",
  properties: {
    remote: {
      description: "address of a server that speaks Bazel's HTTP cache protocol, such as `arc cache serve`",
      type: "string",
      pattern: "^(https?|grpcs?)://[^@\\s/]+(/[^@\\s]*)?$",
      patternMeaning: "an http, https, grpc or grpcs address without user and password",
    },
    mode: {
      description: "whether results made here are sent there; others should only read",
      enum: ["read", "readwrite"],
      default: "read",
    },
    "token-from": variable("environment variable with the token to send (default: ARC_REMOTE_CACHE_TOKEN)"),
    "headers-from": {
      description: "further headers, each with the environment variable that has its value",
      type: "object",
      additionalProperties: variable("environment variable with the header's value"),
    },
    "key-from": variable(
      "environment variable with a key: results are signed with it, and taken only if they are",
    ),
    certificates: { description: "file with certificates to trust, in PEM", type: "string", minLength: 1 },
    check: {
      description:
        "share of results from the store and from others that are run again and compared, to find actions that are not deterministic; default: none",
      type: "string",
      pattern: "^(100|\\d{1,2}(\\.\\d+)?) ?%$",
      patternMeaning: "a percentage such as `1%`",
    },
    timeout: duration("time for an answer; after three without one the build continues without the server"),
  },
  additionalProperties: false,
} as const;
