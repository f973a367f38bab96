/** OpenMP's directives for the host's own threads: those that arc leaves to the C compiler. */
import type { Diagnostic, Pragma } from "../../lang/tree/ast.ts";

/** Code means the same without these: they speak of lanes, or one thread has nothing to do there, or they are read elsewhere. */
const ofNoThread =
  /^(simd|declare|begin|end|target|metadirective|assume|assumes|nothing|error|allocate|taskwait|taskyield|flush|depobj|dispatch)\b/;

export const makesHostThreads = (pragma: Pragma): boolean =>
  pragma.tokens[0]?.text === "omp" && !ofNoThread.test(pragma.tokens[1]?.text ?? "declare");

/** A warning, where the C compiler will not honour them. */
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

/** `declare mapper`: every clause that it concerns says by itself what is moved. */
const declaresMapper = ({ tokens }: Pragma): boolean =>
  ["omp", "declare", "mapper"].every((word, i) => tokens[i]?.text === word);

/** What a program promises of itself: nothing is made of it, and older compilers stop at it. */
const assumes = ({ tokens }: Pragma): boolean =>
  tokens[0]?.text === "omp" &&
  /^(assumes|(begin|end) assumes)\b/.test(
    tokens
      .slice(1, 3)
      .map(({ text }) => text)
      .join(" "),
  );

/** The directive `allocate`, where variables may stand in memory like any other: older compilers do not know it. */
const allocates = ({ tokens }: Pragma): boolean =>
  tokens[0]?.text === "omp" &&
  tokens[1]?.text === "allocate" &&
  !tokens.some(({ text }) => text === "align" || /^omp_(?!default_mem|null)\w+_alloc(ator)?$/.test(text));

/** A variant for calls under `dispatch`: these are arc's, and older compilers do not know it. */
export const isOfDispatch = ({ tokens }: Pragma): boolean =>
  ["omp", "declare", "variant"].every((word, i) => tokens[i]?.text === word) &&
  tokens.some(({ text }) => /^(dispatch|adjust_args|append_args)$/.test(text));

/** What is arc's alone, or nobody's, wherever it stands. */
export const isArcsAlone = (pragma: Pragma): boolean =>
  allocates(pragma) ||
  isOfDispatch(pragma) ||
  declaresTarget(pragma) ||
  declaresMapper(pragma) ||
  requiresOfDevices(pragma) ||
  assumes(pragma);

/** What the program requires of devices, which is arc's to give: C compilers know some of it, and give none. */
const requiresOfDevices = ({ tokens }: Pragma): boolean =>
  tokens[0]?.text === "omp" &&
  tokens[1]?.text === "requires" &&
  !tokens
    .slice(2)
    .every(({ text }) => /^(atomic_default_mem_order|relaxed|seq_cst|acq_rel|[(),])$/.test(text));

/** Tells arc's `omp.h` that the C compiler has a better one, and translations that these directives are honoured. */
export const hostThreadsMark = "ARC_HOST_OPENMP";

/** Whether the C compiler honours them in a source, which is what `cc -E -dD` made of it. */
export const honoursHostThreads = (text: string): boolean => text.includes(`\n#define ${hostThreadsMark} `);
