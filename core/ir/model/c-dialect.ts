/**
 * Options with which a C compiler changes what a program means. Kernels are compiled by other compilers: each option is
 * carried over, or refused, or named.
 */

/**
 * What becomes of an option. `kept`: kernels of every kind follow it. `host`: those do that the program's own compiler
 * compiles, others are refused. `refused`: arc itself computes with the usual layouts and texts. `named`: other kernels
 * go without it, with a warning.
 */
type Fate = "kept" | "host" | "refused" | "named";

interface Meaning {
  readonly on: RegExp;
  readonly off?: RegExp;
  readonly fate: Fate;
  /** What the option says, after "with which". */
  readonly says: string;
}

export const WRAPS = /^-f(wrapv|no-strict-overflow)$/;
export const APART = /^-ffp-contract=off$/;
export const UNSIGNED_CHAR = /^-f(unsigned-char|no-signed-char)$/;

/** As for gcc, the last of the options that switch the same thing counts. */
const meanings: readonly Meaning[] = [
  {
    on: WRAPS,
    off: /^-f(no-wrapv|strict-overflow|trapv)$/,
    fate: "kept",
    says: "signed integers wrap",
  },
  { on: APART, off: /^-ffp-contract=/, fate: "kept", says: "products and sums round one by one" },
  {
    on: UNSIGNED_CHAR,
    off: /^-f(signed-char|no-unsigned-char)$/,
    fate: "kept",
    says: "'char' has no sign",
  },
  {
    on: /^-ftrapv$/,
    off: /^-f(no-trapv|wrapv|no-strict-overflow)$/,
    fate: "host",
    says: "a program ends where a signed integer overflows",
  },
  {
    on: /^-f(unsigned-bitfields|no-signed-bitfields)$/,
    off: /^-f(signed-bitfields|no-unsigned-bitfields)$/,
    fate: "host",
    says: "bit-fields of plain 'int' have no sign",
  },
  {
    on: /^-fsingle-precision-constant$/,
    off: /^-fno-single-precision-constant$/,
    fate: "host",
    says: "floating-point constants are 'float'",
  },
  { on: /^-fshort-wchar$/, off: /^-fno-short-wchar$/, fate: "host", says: "'wchar_t' has 16 bits" },
  { on: /^-fshort-enums$/, off: /^-fno-short-enums$/, fate: "refused", says: "enumerations are short" },
  {
    on: /^-fpack-struct(=\d+)?$/,
    off: /^-fno-pack-struct$/,
    fate: "refused",
    says: "members of structures are not aligned",
  },
  {
    on: /^-mms-bitfields$/,
    off: /^-mno-ms-bitfields$/,
    fate: "refused",
    says: "bit-fields lie as Microsoft's compiler lays them",
  },
  {
    on: /^-fsso-struct=big-endian$/,
    off: /^-fsso-struct=/,
    fate: "refused",
    says: "members of structures have the other byte order",
  },
  {
    on: /^-f(wide-)?exec-charset=(?!utf-?8$)/i,
    off: /^-f(wide-)?exec-charset=/,
    fate: "refused",
    says: "strings are in another character set",
  },
  { on: /^-m(32|x32|16)$/, off: /^-m64$/, fate: "refused", says: "pointers have not 64 bits" },
  {
    on: /^-mlong-double-(64|128)$/,
    off: /^-mlong-double-80$/,
    fate: "refused",
    says: "'long double' has another size",
  },
  {
    on: /^-fno-strict-aliasing$/,
    off: /^-fstrict-aliasing$/,
    fate: "named",
    says: "memory may be accessed by pointers of any type",
  },
  {
    on: /^-ftrivial-auto-var-init=(zero|pattern)$/,
    off: /^-ftrivial-auto-var-init=/,
    fate: "named",
    says: "variables without initializer have a value",
  },
  { on: /^-fsanitize=/, off: /^-fno-sanitize=all$/, fate: "named", says: "the program checks itself" },
  {
    on: /^-frounding-math$/,
    off: /^-fno-rounding-math$/,
    fate: "named",
    says: "the program may change how numbers round",
  },
  {
    on: /^-mfpmath=(?!sse$)/,
    off: /^-mfpmath=sse$/,
    fate: "named",
    says: "intermediate results have more digits",
  },
];

/** Those of a compiler's options that change what the program means, one for each meaning. */
export const dialectOptions = (options: readonly string[]): readonly string[] =>
  meanings.flatMap(({ on, off }) => {
    const last = options.findLast((word) => on.test(word) || off?.test(word));
    return last !== undefined && on.test(last) ? [last] : [];
  });

/** The macro by which preprocessed texts (`cc -E -dD`) say with which of these options they are to be compiled. */
const mark = "ARC_C_DIALECT";

export function dialectMark(options: readonly string[]): readonly string[] {
  const words = dialectOptions(options);
  return words.length === 0 ? [] : [`-D${mark}=${words.join(" ")}`];
}

const marked = new RegExp(`^#define ${mark} (.*)$`, "m");

/** What compilers define where `char` has no sign: for ARM by default, elsewhere by option. */
const unsignedChar = "#define __CHAR_UNSIGNED__ 1\n";

/** gcc's own words in sources: `#pragma GCC optimize("wrapv")`, `__attribute__((optimize("no-strict-aliasing")))`. */
const optimizing = /(?:#[ \t]*pragma[ \t]+GCC[ \t]+|\b__|\(|\s|,)optimize(?:__)?[ \t]*\(([^)]*)\)/g;

/** Of a source after `cc -E -dD`. What it says anywhere holds for all of it: elsewhere it does no harm. */
export function dialectOf(text: string): readonly string[] {
  const passed = marked.exec(text)?.[1]?.split(" ") ?? [];
  const given = text.includes(unsignedChar) ? dialectOptions([...passed, "-funsigned-char"]) : passed;
  if (!text.includes("optimize")) return given;
  const said = [...text.matchAll(optimizing)]
    .flatMap(([, words = ""]) =>
      [...words.matchAll(/"([^"]*)"/g)].flatMap(([, word = ""]) => word.split(",")),
    )
    .map((word) => (word.startsWith("-") ? word : `-f${word}`));
  return said.length === 0 ? given : dialectOptions([...given, ...said]);
}

/** What becomes of each option, for messages. */
export const meaningOf = (option: string): Pick<Meaning, "fate" | "says"> | undefined =>
  meanings.find(({ on }) => on.test(option));
