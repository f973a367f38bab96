/** OpenMP directives for the host's own threads, which arc leaves to the C compiler. */
import type { Diagnostic, Pragma } from "../../lang/tree/ast.ts";

/** Directives that do not need threads: they concern lanes, have no effect with one thread, or are read elsewhere. */
const ofNoThread =
  /^(simd|declare|begin|end|target|metadirective|assume|assumes|nothing|error|allocate|taskwait|taskyield|flush|depobj|dispatch)\b/;

export const makesHostThreads = (pragma: Pragma): boolean =>
  pragma.tokens[0]?.text === "omp" && !ofNoThread.test(pragma.tokens[1]?.text ?? "declare");

/** A warning if the C compiler will not implement them. */
export function unhonoured(pragma: Pragma): Diagnostic {
  const words = pragma.tokens.slice(1, 3).map(({ text }) => text);
  const name = words.join(" ") === "parallel for" ? "parallel for" : words[0];
  return {
    severity: "warning",
    code: "host-threads",
    loc: pragma.tokens[1]?.loc ?? pragma.span.start,
    message: `'${name}' is for the host's own threads, and is not honoured: this code runs with one thread`,
    why: "arc makes code for devices of OpenMP's 'target' constructs; the C compiler reads the others only when asked to",
    remedy: "give -fopenmp to `arc cc`, or write `cflags: [-fopenmp]` in arc.yaml",
  };
}

/** `declare target`, its `begin` and its `end`. */
export const declaresTarget = (pragma: Pragma): boolean => {
  const [space, ...words] = pragma.tokens.slice(0, 4).map(({ text }) => text);
  return space === "omp" && /^((begin|end) )?declare target\b/.test(words.join(" "));
};

/** `declare mapper`: its effect is expanded into the clauses that it applies to. */
const declaresMapper = ({ tokens }: Pragma): boolean =>
  ["omp", "declare", "mapper"].every((word, i) => tokens[i]?.text === word);

/** `groupprivate`: teams of regions have copies, which arc declares. */
const isGroupPrivate = ({ tokens }: Pragma): boolean =>
  tokens[0]?.text === "omp" && tokens[1]?.text === "groupprivate";

/** Promises of the program: arc does not use them, and older compilers reject them. */
const assumes = ({ tokens }: Pragma): boolean =>
  tokens[0]?.text === "omp" &&
  /^(assumes|(begin|end) assumes)\b/.test(
    tokens
      .slice(1, 3)
      .map(({ text }) => text)
      .join(" "),
  );

/**
 * The directive `allocate`: older compilers reject it, and where variables are placed changes no result. Allocators of
 * the program's own are the compiler's; alignments become attributes (core/ir/omp/host/allocate.ts).
 */
const allocates = ({ tokens }: Pragma): boolean =>
  tokens[0]?.text === "omp" &&
  tokens[1]?.text === "allocate" &&
  tokens.every(({ text }, i) => text !== "allocator" || predefined.test(tokens[i + 2]?.text ?? ""));

const predefined =
  /^omp_((default|large_cap|const|high_bw|low_lat|cgroup|pteam|thread)_mem_alloc|null_allocator)$/;

/** A variant for calls under `dispatch`: arc handles these, and older compilers reject them. */
export const isOfDispatch = ({ tokens }: Pragma): boolean =>
  ["omp", "declare", "variant"].every((word, i) => tokens[i]?.text === word) &&
  tokens.some(({ text }) => /^(dispatch|adjust_args|append_args)$/.test(text));

/** Directives that arc handles or ignores itself, wherever they appear. */
export const isArcsAlone = (pragma: Pragma): boolean =>
  allocates(pragma) ||
  isOfDispatch(pragma) ||
  declaresTarget(pragma) ||
  declaresMapper(pragma) ||
  isGroupPrivate(pragma) ||
  requiresOfDevices(pragma) ||
  assumes(pragma);

/** Requirements on devices, which arc fulfils: C compilers know some of them, but fulfil none. */
const requiresOfDevices = ({ tokens }: Pragma): boolean =>
  tokens[0]?.text === "omp" &&
  tokens[1]?.text === "requires" &&
  !tokens
    .slice(2)
    .every(({ text }) => /^(atomic_default_mem_order|relaxed|seq_cst|acq_rel|[(),])$/.test(text));

/**
 * Tells arc's `omp.h` that the C compiler provides a better one, and translations that these directives are
 * implemented.
 */
export const hostThreadsMark = "ARC_HOST_OPENMP";

/** Whether the C compiler implements them for this source, the output of `cc -E -dD`. */
export const honoursHostThreads = (text: string): boolean => text.includes(`\n#define ${hostThreadsMark} `);
