/** What kind of directive a pragma is, by its words alone: additions are put beside others before any is read. */
import type { Pragma, PragmaToken } from "../../lang/tree/ast.ts";

type Words = Pick<Pragma, "tokens">;

const spelled = ({ tokens }: Words, from: number, to: number): string =>
  tokens
    .slice(from, to)
    .map(({ text }: PragmaToken) => text)
    .join(" ");

export const languageOf = (words: Words): string => spelled(words, 0, 1);

/** Starts work on a device: what counts as a region. */
export function startsWork(words: Words): boolean {
  const [language, first] = [languageOf(words), spelled(words, 1, 2)];
  if (language === "acc") return first === "parallel" || first === "kernels" || first === "serial";
  return language === "omp" && first === "target" && !/^(data|enter|exit|update)$/.test(spelled(words, 2, 3));
}

/** Is for the place where it stands, not for the statement behind it. */
export function standsAlone(words: Words): boolean {
  const [language, said] = [languageOf(words), spelled(words, 1, 3)];
  if (language === "acc")
    return /^(update|wait|enter|exit|init|shutdown|set|cache|declare|routine)\b/.test(said);
  if (language === "omp")
    return /^(target (update|enter|exit)|barrier|task(wait|yield)|flush|depobj|error|nothing|interop)\b/.test(
      said,
    );
  return language === "oss" && /^taskwait\b/.test(said);
}

const SHARES = /^(loop|for|simd|distribute|taskloop|unroll|tile)$/;
const NAME =
  /^(parallel|kernels|serial|target|teams|masked|master|loop|for|simd|distribute|taskloop|unroll|tile)$/;

/** Says how the iterations of a loop are shared out: `loop`, `parallel loop`, `target teams distribute`. */
export function sharesLoop({ tokens }: Words): boolean {
  const words = tokens.slice(1).map(({ text }) => text);
  const end = words.findIndex((word) => !NAME.test(word));
  const name = end < 0 ? words : words.slice(0, end);
  return isOfLanguage({ tokens }) && name.some((word) => SHARES.test(word));
}

/** Belongs directly in front of a loop, behind directives that are about more than the loop. */
export const belongsToLoop = (words: Words): boolean =>
  !isOfLanguage(words) ||
  /^(loop|for|simd|distribute|taskloop|unroll|tile|atomic)$/.test(spelled(words, 1, 2));

const isOfLanguage = (words: Words): boolean => /^(acc|omp|oss)$/.test(languageOf(words));
