/**
 * `begin declare variant`: the functions up to its end are variants of the functions with the same name (OpenMP 5.2,
 * section 7.5.5).
 *
 *     #pragma omp begin declare variant match(device={kind(nohost)})
 *     int f(void) { return 2; }
 *     #pragma omp end declare variant
 *
 *     =>   int f_variant(void) { return 2; }
 *          #pragma omp declare variant(f_variant) match(device={kind(nohost)})
 *          int f(void);
 */
import { itemAt } from "../../../checked/access.ts";
import { baseOfVariant } from "../../../lang/index.ts";
import type {
  Diagnostic,
  External,
  Loc,
  Pragma,
  PragmaToken,
  TranslationUnit,
} from "../../../lang/tree/ast.ts";

interface Unblocked {
  readonly unit: TranslationUnit;
  /** Location of the first block. */
  readonly at?: Loc;
  readonly diagnostics: readonly Diagnostic[];
}

const begins = (e: External): e is Pragma => words(e) === "omp begin declare variant";
const ends = (e: External): e is Pragma => words(e) === "omp end declare variant";

const words = (e: External): string =>
  e.kind === "pragma"
    ? e.tokens
        .slice(0, 4)
        .map(({ text }) => text)
        .join(" ")
    : "";

export function withoutVariantBlocks(unit: TranslationUnit): Unblocked {
  const first = unit.externals.find((e) => begins(e) || ends(e));
  if (!first) return { unit, diagnostics: [] };
  const externals: External[] = [];
  const diagnostics: Diagnostic[] = [];
  let block: Pragma | undefined;
  const complain = ({ span }: External, message: string, remedy: string): void => {
    diagnostics.push({ severity: "error", code: "variant-block", loc: span.start, message, remedy });
  };
  for (const e of unit.externals) {
    if (begins(e)) {
      if (block) complain(e, "'begin declare variant' stands inside another one", "end that one before");
      block = e;
    } else if (ends(e)) {
      if (!block)
        complain(
          e,
          "'end declare variant' ends nothing",
          "write 'begin declare variant' before the functions",
        );
      block = undefined;
    } else externals.push(e, ...(block ? declaring(unit, block, e) : []));
  }
  if (block)
    complain(
      block,
      "'begin declare variant' has no end",
      "write '#pragma omp end declare variant' behind the functions",
    );
  return { unit: { ...unit, externals }, at: first.span.start, diagnostics };
}

/** Declares the variant with a directive on the base function. */
function declaring({ scope }: TranslationUnit, block: Pragma, e: External): readonly External[] {
  const name = e.kind === "function" ? baseOfVariant(e.sym.name) : undefined;
  const base = name === undefined ? undefined : scope.lookup(name);
  if (e.kind !== "function" || base?.kind !== "function") return [];
  const { loc } = itemAt(block.tokens, 1);
  const punct = (text: string): PragmaToken => ({ kind: "punct", text, loc });
  const tokens: readonly PragmaToken[] = [
    ...[block.tokens[0], block.tokens[2], block.tokens[3]].flatMap((t) => t ?? []),
    punct("("),
    { kind: "ident", text: e.sym.name, loc },
    punct(")"),
    ...block.tokens.slice(4),
  ];
  const pragma: Pragma = { ...block, tokens, scope };
  const declared = { type: base.type, storage: base.storage };
  return [
    pragma,
    { kind: "decl", decls: [{ sym: base, span: e.span, declared }], defines: [], span: e.span },
  ];
}
