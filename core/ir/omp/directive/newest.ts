/** Clauses that OpenMP 6.0 gives to directives of earlier versions, and that arc does not carry out. */

/** By the construct, of those that a combined directive is made of. */
export const newestClauses: Readonly<Record<string, string>> = {
  target: "default device_type",
  parallel: "message safesync severity",
  distribute: "induction",
  for: "induction",
  simd: "induction",
  taskloop: "induction",
  scan: "init_complete",
  nothing: "apply",
  data: "affinity allocate default depend detach firstprivate in_reduction mergeable nogroup nowait priority private replayable shared threadset transparent untied",
};

/** What to write instead. */
const remedies: Readonly<Record<string, string>> = {
  apply: "write the loops that the directive makes, with directives of their own",
  default: "name the variables in clauses, or write defaultmap",
  device_type: "leave it out: the construct runs on the host where 'if' or 'device' says so",
  induction: "compute the value from the loop's variable",
  init_complete: "write what it initializes in front of the loop",
  message: "compare omp_get_num_threads() with the number inside of the construct",
  safesync: "leave it out, and let no thread wait for what another one stores",
  severity: "compare omp_get_num_threads() with the number inside of the construct",
};

const ofTargetData = "write 'target data' without it, and the clause on the constructs inside";

export const newestOf = (words: readonly string[]): readonly string[] =>
  words.flatMap((word) => (newestClauses[word] ?? "").split(" ").filter(Boolean));

export const newestRemedy = (directive: string, clause: string): string =>
  directive === "target data" ? ofTargetData : (remedies[clause] ?? "leave it out");
