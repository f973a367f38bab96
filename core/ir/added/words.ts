/** Classifies a pragma by its words alone, since additions are inserted before any directive is parsed. */
import type { Pragma, PragmaToken } from "../../lang/tree/ast.ts";

type Words = Pick<Pragma, "tokens">;

const spelled = ({ tokens }: Words, from: number, to: number): string =>
  tokens
    .slice(from, to)
    .map(({ text }: PragmaToken) => text)
    .join(" ");

export const languageOf = (words: Words): string => spelled(words, 0, 1);

/** Starts work on a device, which makes it a region. */
export function startsWork(words: Words): boolean {
  const [language, first] = [languageOf(words), spelled(words, 1, 2)];
  if (language === "acc") return first === "parallel" || first === "kernels" || first === "serial";
  return language === "omp" && first === "target" && !/^(data|enter|exit|update)$/.test(spelled(words, 2, 3));
}

/** Stands alone: it does not apply to the statement after it. */
export function standsAlone(words: Words): boolean {
  const [language, spelling] = [languageOf(words), spelled(words, 1, 3)];
  if (language === "acc")
    return /^(update|wait|enter|exit|init|shutdown|set|cache|declare|routine)\b/.test(spelling);
  if (language === "omp")
    return /^(target (update|enter|exit)|barrier|task(wait|yield)|flush|depobj|error|nothing|interop)\b/.test(
      spelling,
    );
  return language === "oss" && /^taskwait\b/.test(spelling);
}

const SHARES = /^(loop|for|simd|distribute|taskloop|unroll|tile)$/;
const NAME =
  /^(parallel|kernels|serial|target|teams|masked|master|loop|for|simd|distribute|taskloop|unroll|tile)$/;

/** The words of a combined directive's name, without clauses. */
function nameWords({ tokens }: Words): readonly string[] {
  const words = tokens.slice(1).map(({ text }) => text);
  const end = words.findIndex((word) => !NAME.test(word));
  return end < 0 ? words : words.slice(0, end);
}

/** In messages: `acc parallel loop`. */
export const nameOf = (words: Words): string => spelled(words, 0, Math.max(2, 1 + nameWords(words).length));

/** Distributes the iterations of a loop: `loop`, `parallel loop`, `target teams distribute`. */
export const sharesLoop = (words: Words): boolean =>
  isOfLanguage(words) && nameWords(words).some((word) => SHARES.test(word));

/**
 * The order of a statement's directives: standalone ones, data constructs, compute constructs, loop directives.
 * Hints may come anywhere after data constructs.
 */
export function rankOf(words: Words): number {
  if (standsAlone(words)) return 0;
  if (/^(acc (data|host_data)|omp target data)\b/.test(spelled(words, 0, 3))) return 1;
  return belongsToLoop(words) ? 3 : 2;
}

/** Applies to loops only. */
export const belongsToLoop = (words: Words): boolean =>
  !isOfLanguage(words) || sharesLoop(words) || spelled(words, 1, 2) === "atomic";

const isOfLanguage = (words: Words): boolean => /^(acc|omp|oss)$/.test(languageOf(words));
