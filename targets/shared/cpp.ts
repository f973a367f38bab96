/** What kernel languages that are C++ share. */
import type { CType, Expr } from "../../core/lang/ast.ts";
import { canonical, isPointer, printDecl } from "../../core/lang/index.ts";
import type { LoweredRegion } from "./device.ts";
import { orderedInitialisers } from "./initialisers.ts";

/** Words that C has no need to reserve. */
export const cppWords: readonly string[] = (
  "alignas alignof and and_eq asm bitand bitor bool catch char8_t char16_t char32_t class compl concept consteval constexpr " +
  "constinit const_cast co_await co_return co_yield decltype delete dynamic_cast explicit export false friend mutable namespace " +
  "new noexcept not not_eq nullptr operator or or_eq private protected public reinterpret_cast requires static_assert static_cast " +
  "template this thread_local throw true try typeid typename using virtual wchar_t xor xor_eq"
).split(" ");

/** The region without what C++ does not take from C. */
export function inCpp(region: LoweredRegion): LoweredRegion {
  return {
    ...region,
    functions: region.functions.map((f) => ({ ...f, body: orderedInitialisers(f.body) })),
    kernels: region.kernels.map((k) => ({ ...k, body: k.body.map(orderedInitialisers) })),
  };
}

/** C converts void pointers silently, C++ does not. Undefined for any other expression. */
export function fromVoidPointer(e: Expr, print: (e: Expr) => string): string | undefined {
  if (e.kind !== "cast" || !e.implicit || !isPointer(e.to) || isVoidPointer(e.to)) return undefined;
  return isVoidPointer(e.arg.type) ? `((${printDecl(e.to, "")})${print(e.arg)})` : undefined;
}

function isVoidPointer(type: CType): boolean {
  const pointer = canonical(type);
  return pointer.kind === "pointer" && canonical(pointer.to).kind === "void";
}
