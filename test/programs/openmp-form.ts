/** Sources of examples with their OpenACC directives in OpenMP's words. */

const words: readonly (readonly [RegExp, string])[] = [
  [/#pragma acc parallel loop\b/g, "#pragma omp target teams distribute parallel for"],
  [/#pragma acc wait\b/g, "#pragma omp taskwait"],
  [/#pragma acc data\b/g, "#pragma omp target data"],
  [/\bpresent\(/g, "map(present, tofrom: "],
  [/\bcopy\(/g, "map(tofrom: "],
  [/\bcreate\(/g, "map(alloc: "],
];

/** Throws where a directive would stay OpenACC's. */
export function inOpenMp(source: string): string {
  const made = words.reduce((text, [from, to]) => text.replaceAll(from, to), source);
  if (/#pragma acc/.test(made)) throw new Error("a directive has no OpenMP form here");
  return made;
}
