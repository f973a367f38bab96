/** An example's loops as a programmer writes them for the cores of one machine: OpenMP instead of OpenACC. */

/** The source with OpenMP's directives for threads. */
export function byHand(source) {
  return source
    .replaceAll(/^[ \t]*#pragma acc (?:.*\\\n)*.*$/gm, (pragma) => threads(pragma))
    .replace(counts, sums);
}

/** Rows go to threads; the loop inside is left to the vector units. Data and order are the machine's already. */
function threads(pragma) {
  const reductions = (pragma.match(/reduction\([^)]*\)/g) ?? []).join(" ");
  if (/acc parallel loop/.test(pragma)) return `#pragma omp parallel for schedule(static) ${reductions}`;
  if (/acc loop vector/.test(pragma)) return `#pragma omp simd ${reductions}`;
  return /acc atomic/.test(pragma) ? "#pragma omp atomic" : "";
}

/** Bins that all threads count into: each thread has its own, which are added up. */
const counts =
  /(#pragma omp parallel for schedule\(static\)) (\n.*\n)#pragma omp atomic\n(\s*(\w+)\[.*\]\+\+;)/;
const sums = "$1 reduction(+:$4[0:BINS])$2$3";
