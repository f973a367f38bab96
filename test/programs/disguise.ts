/**
 * The same program under other names and with its sums and products the other way round: no pass may go by how a
 * program is written. Renamed: every variable, function and type of the source. Re-ordered: the operands of + and *.
 * Re-associated: a + b + c as a + (b + c), for integers and reals.
 */
import { execFileSync } from "node:child_process";
import { isArithmetic, mapStmt, parse, print } from "../../core/lang/index.ts";
import type { Expr, Pragma, PragmaToken, Symbol, TranslationUnit } from "../../core/lang/tree/ast.ts";
import { binary, stripImplicit } from "../../core/lang/tree/build.ts";

/** Source text to source text; the result has no includes left. */
export function disguised(source: string, file: string): string {
  const text = execFileSync("gcc", ["-E", "-dD", "-D_OPENACC=202211", "-x", "c", "-"], {
    input: `# 1 "${file}"\n${source}`,
    encoding: "utf8",
  });
  const { unit } = parse(text, { file });
  const own = (sym: Symbol): boolean => sym.span.start.file === file && sym.name !== "main";
  const names = new Set<string>();
  const rename = (sym: Symbol): string | undefined => {
    if (!own(sym)) return undefined;
    names.add(sym.name);
    return `other_${sym.name}`;
  };
  const turned = turn(unit);
  // Twice, since directives may precede some of the names they use.
  print(turned, { name: rename });
  const defines = source.match(/^[ \t]*#[ \t]*(define|undef|ifn?def|endif|else)\b.*$/gm) ?? [];
  return `${defines.join("\n")}\n${print(turned, { name: rename, pragma: (p) => [`#pragma ${words(p, names)}`] })}`;
}

/** Names within parentheses are the program's; those outside are the directive's. */
function words({ tokens }: Pragma, names: ReadonlySet<string>): string {
  let depth = 0;
  const spelled = (t: PragmaToken): string => {
    if (t.text === "(") depth++;
    if (t.text === ")") depth--;
    return depth > 0 && t.kind === "ident" && names.has(t.text) ? `other_${t.text}` : t.text;
  };
  return tokens
    .map((t) => `${t.spaced ? " " : ""}${spelled(t)}`)
    .join("")
    .trim();
}

function turn(unit: TranslationUnit): TranslationUnit {
  const externals = unit.externals.map((e) =>
    e.kind === "function" ? { ...e, body: mapStmt(e.body, { expr: turned }) } : e,
  );
  return { ...unit, externals } as TranslationUnit;
}

function turned(e: Expr): Expr {
  if (e.kind !== "binary" || (e.op !== "+" && e.op !== "*")) return e;
  if (!isArithmetic(e.left.type) || !isArithmetic(e.right.type)) return e;
  const left = stripImplicit(e.left);
  if (e.op === "+" && left.kind === "binary" && left.op === "+" && isArithmetic(left.left.type))
    return binary("+", left.left, binary("+", left.right, e.right));
  return binary(e.op, e.right, e.left);
}
