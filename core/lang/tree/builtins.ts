/** Result types of gcc's builtin functions, which no header declares. */
import type { CType } from "./ast.ts";
import { usualArithmetic } from "./integers.ts";
import {
  BOOL,
  CHAR_POINTER,
  calleeType,
  canonical,
  compatible,
  complexOf,
  DOUBLE,
  elementType,
  FLOAT,
  floatType,
  INT,
  intType,
  isInteger,
  LDOUBLE,
  LLONG,
  LONG,
  SIZE,
  UINT,
  ULLONG,
  USHORT,
  unqualified,
  VOID,
  VOID_POINTER,
} from "./types.ts";

const BUILTIN = /^(?:__builtin_|__sync_|__atomic_|__c11_atomic_|__scoped_atomic_)/;

export function isBuiltinName(name: string): boolean {
  return BUILTIN.test(name);
}

const names = (text: string): readonly string[] => text.split(" ");

/** Functions of libm and their `f`, `l` variants: the suffix decides. */
const MATH = new Set(
  names(
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh drem erf erfc exp exp10 exp2 expm1 fabs fdim floor fma fmax fmin fmod frexp gamma hypot j0 j1 jn ldexp lgamma log log10 log1p log2 logb modf nan nans nearbyint nextafter nexttoward pow pow10 powi remainder remquo rint round scalb scalbln scalbn significand sin sinh sqrt tan tanh tgamma trunc y0 y1 yn huge_val inf roundeven cabs carg cimag creal",
  ),
);
const COMPLEX_MATH = new Set(
  names(
    "cacos cacosh casin casinh catan catanh ccos ccosh cexp clog clog10 conj cpow cproj csin csinh csqrt ctan ctanh cexpi",
  ),
);

const FIXED = new Map<string, CType>();
const fixed = (type: CType, list: string): void => {
  for (const name of names(list)) FIXED.set(name, type);
};
fixed(
  VOID,
  "abort exit _exit _Exit trap unreachable va_start va_end va_copy return longjmp prefetch clear_padding object_size_void unwind_init eh_return stack_restore bzero init_trampoline ia32_pause ia32_emms ia32_mfence ia32_lfence ia32_sfence ia32_clflush ia32_ldmxcsr cpu_init free __clear_cache clear_cache",
);
fixed(
  VOID_POINTER,
  "alloca alloca_with_align malloc calloc realloc aligned_alloc memcpy memmove memset mempcpy memchr return_address frame_address extract_return_addr apply apply_args assume_aligned stack_save adjust_trampoline launder __memcpy_chk __memmove_chk __memset_chk __mempcpy_chk dwarf_cfa thread_pointer",
);
fixed(
  CHAR_POINTER,
  "strcpy strncpy strcat strncat stpcpy stpncpy strchr strrchr strstr strpbrk strdup strndup index rindex FILE FUNCTION __strcpy_chk __strncpy_chk __strcat_chk __strncat_chk __stpcpy_chk",
);
fixed(SIZE, "strlen strspn strcspn object_size dynamic_object_size strnlen");
fixed(LONG, "expect expect_with_probability labs lrint lround lceil lfloor lrintf lroundf lrintl lroundl");
fixed(LLONG, "llabs llrint llround llrintf llroundf llrintl llroundl");
fixed(USHORT, "bswap16");
fixed(UINT, "bswap32");
fixed(intType("ulong"), "bswap64 ia32_rdtsc");
fixed(intType("uint128"), "bswap128");
fixed(
  BOOL,
  "add_overflow sub_overflow mul_overflow add_overflow_p sub_overflow_p mul_overflow_p sadd_overflow saddl_overflow saddll_overflow uadd_overflow uaddl_overflow uaddll_overflow ssub_overflow ssubl_overflow ssubll_overflow usub_overflow usubl_overflow usubll_overflow smul_overflow smull_overflow smulll_overflow umul_overflow umull_overflow umulll_overflow",
);
fixed(ULLONG, "ia32_xgetbv");

/**
 * The type of a call of builtin `name`. Unknown names return int, except machine-specific vector builtins, which return
 * the type of their first argument.
 */
export function builtinResult(name: string, args: readonly CType[]): CType {
  const [first] = args;
  if (name === "__builtin_tgmath") return tgmathResult(args);
  if (name.startsWith("__sync_")) return syncResult(name.slice(7), first);
  if (name.startsWith("__builtin_")) return namedResult(name.slice(10), args);
  return atomicResult(name.replace(/^__(c11_|scoped_)?atomic_/, ""), first, args);
}

function namedResult(name: string, args: readonly CType[]): CType {
  const [first] = args;
  const known = FIXED.get(name);
  if (known) return known;
  if (name === "complex") {
    const part = first && canonical(first);
    return complexOf(part?.kind === "float" ? part.name : "double");
  }
  const math = mathResult(name);
  if (math) return math;
  if (
    name.startsWith("ia32_") ||
    /^(shuffle|convertvector|shufflevector|speculation_safe_value|nontemporal_load)/.test(name)
  ) {
    return first ? unqualified(canonical(first).kind === "pointer" ? INT : first) : INT;
  }
  return INT;
}

const SUFFIXED: readonly (readonly [string, CType])[] = [
  ["f128", floatType("float128")],
  ["f64x", floatType("float64x")],
  ["f32x", floatType("float32x")],
  ["f64", floatType("float64")],
  ["f32", floatType("float32")],
  ["f16", floatType("float16")],
  ["q", floatType("float128")],
  ["f", FLOAT],
  ["l", LDOUBLE],
  ["", DOUBLE],
];

function mathResult(name: string): CType | undefined {
  for (const [suffix, type] of SUFFIXED) {
    if (!name.endsWith(suffix)) continue;
    const base = suffix === "" ? name : name.slice(0, -suffix.length);
    if (MATH.has(base)) return type;
    if (COMPLEX_MATH.has(base) && type.kind === "float") return complexOf(type.name);
  }
  return undefined;
}

function syncResult(name: string, pointer: CType | undefined): CType {
  if (name.startsWith("bool_")) return BOOL;
  if (name === "synchronize" || name.startsWith("lock_release")) return VOID;
  return unqualified((pointer && elementType(pointer)) ?? INT);
}

function atomicResult(name: string, pointer: CType | undefined, args: readonly CType[]): CType {
  if (/^(compare_exchange|test_and_set|always_lock_free|is_lock_free)/.test(name)) return BOOL;
  if (/^(store|clear|thread_fence|signal_fence|init)/.test(name)) return VOID;
  // The generic forms `__atomic_load(p, ret, order)` and `__atomic_exchange(p, v, ret, order)` return nothing.
  if ((name === "load" && args.length === 3) || (name === "exchange" && args.length === 4)) return VOID;
  return unqualified((pointer && elementType(pointer)) ?? INT);
}

/** `__builtin_tgmath(functions..., arguments...)` has the type that the function it calls returns. */
function tgmathResult(args: readonly CType[]): CType {
  const chosen = args[tgmathFunction(args)];
  return unqualified((chosen && calleeType(chosen)?.ret) ?? DOUBLE);
}

/** Index of the argument it calls: the variants for real and complex types come first; the value arguments decide. */
export function tgmathFunction(args: readonly CType[]): number {
  const values = args
    .filter((arg) => !calleeType(arg))
    .map((arg) => (isInteger(arg) ? DOUBLE : unqualified(arg)));
  const common = values.reduce((a, b) => usualArithmetic(a, b) ?? a, values[0] ?? DOUBLE);
  const taking = (paramType: CType) =>
    args.findIndex((arg) => calleeType(arg)?.params.some((p) => compatible(unqualified(p.type), paramType)));
  const real = taking(common);
  const seen = canonical(common);
  return Math.max(0, real >= 0 || seen.kind !== "float" ? real : taking(complexOf(seen.name)));
}
