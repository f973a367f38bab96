/** The clause `data`: one data item of a node. */

import { stripImplicit } from "../../lang/tree/build.ts";
import { rootOf } from "../analysis/access.ts";
import { accesses, type DataItem, mappings, type SectionDim, sharings } from "../model/ir.ts";
import { type Clause, enclosed, type Speller } from "./clause.ts";
import type { Cursor } from "./cursor.ts";

const modifiers = [
  "zero",
  "readonly",
  "finalize",
  "ifPresent",
  "alwaysIn",
  "alwaysOut",
  "inPart",
  "capture",
] as const;

const pipes = ["buffer", "in", "out"] as const;

const visibilities = ["implicit", "implicit-sharing", "implicit-mapping"] as const;

const words = [...modifiers, ...pipes.map((p) => `pipe-${p}` as const), ...visibilities];

/** The object of an item whose variable the body declares later. */
export interface OwnName {
  readonly ownName: string;
}

function visibility({ sharing, mapping }: DataItem): readonly string[] {
  if (sharing.vis === mapping.vis) return sharing.vis === "implicit" ? ["implicit"] : [];
  return [sharing.vis === "implicit" ? "implicit-sharing" : "implicit-mapping"];
}

/**
 *     data(object [start:length]... ["as" own]: sharing mapping access flag...)
 *     data("as" own [start:length]...: ...)
 *
 * `own` is a variable of the region, which its body declares first. A property without `implicit` stands in
 * a clause of the user's.
 */
function itemText(i: DataItem, spell: Speller): string {
  const dims = i.section.map((d) => dimensionText(d, spell));
  const itself = i.object.kind === "ident" && i.object.sym === i.sym;
  const text = spell.expr(i.object);
  const object = ["ident", "member", "index"].includes(i.object.kind) ? text : `(${text})`;
  const before = i.own && itself && spell.detail === "all" ? "as " : "";
  const after = i.own && !itself ? ` as ${spell.name(i.sym)}` : "";
  const flags = [
    ...modifiers.filter((m) => i.mapping[m]),
    ...(i.mapping.pipe ? [`pipe-${i.mapping.pipe}`] : []),
    ...(spell.detail === "all" ? visibility(i) : []),
  ];
  const properties = [i.sharing.is, i.mapping.is, i.access, ...flags].join(" ");
  return `data(${before}${object}${dims.join("")}${after}: ${properties})`;
}

/** A section that begins at the first element says so, but where the text is read back as it was. */
export const dimensionText = (d: SectionDim, spell: Speller): string =>
  `[${d.start ? spell.expr(d.start) : spell.detail === "all" ? "" : "0"}:${d.length ? spell.expr(d.length) : ""}${d.stride ? `:${spell.expr(d.stride)}` : ""}]`;

export function dimension(at: Cursor): SectionDim {
  const start = at.peek()?.text === ":" ? undefined : at.expr();
  at.expect(":");
  const length = at.peek()?.text === "]" ? undefined : at.expr();
  const stride = at.accept(":") ? at.expr() : undefined;
  at.expect("]");
  return { ...(start && { start }), ...(length && { length }), ...(stride && { stride }) };
}

/**
 * The object of the item: a variable of the program, one that the body will declare, or a value without a name, for
 * which the body will declare one.
 */
function subject(at: Cursor): (Pick<DataItem, "object"> & Partial<Pick<DataItem, "sym">>) | OwnName {
  if (at.peek()?.text === "as" && at.peek(1)?.kind === "ident") {
    at.word("as");
    return { ownName: at.word("a name") };
  }
  const { loc } = at;
  const object = stripImplicit(at.object());
  if (object.kind === "compound" && at.peek()?.text === "as") return { object };
  const sym = rootOf(object)?.sym;
  if (sym?.kind !== "var" && sym?.kind !== "param")
    return at.fail("not-a-variable", "this is not a variable", "name a variable, or a part of one", loc);
  return { object, sym };
}

function readItem(at: Cursor): Partial<DataItem> & Partial<OwnName> {
  const { loc, position } = at;
  const of = subject(at);
  const section: SectionDim[] = [];
  while (at.accept("[")) section.push(dimension(at));
  const written = at.since(position);
  const own = at.accept("as") ? { ownName: at.word("a name") } : {};
  at.expect(":");
  const sharing = at.choice(sharings, "sharing");
  const is = at.choice(mappings, "mapping");
  const access = at.choice(accesses, "access");
  const flags = new Set<string>();
  while (at.peek()?.text !== ")") flags.add(at.choice(words, "property of a data item"));
  const pipe = pipes.find((p) => flags.has(`pipe-${p}`));
  const vis = (of: "sharing" | "mapping") =>
    flags.has("implicit") || flags.has(`implicit-${of}`) ? "implicit" : "explicit";
  return {
    ...of,
    ...own,
    section,
    written,
    sharing: { is: sharing, vis: vis("sharing") },
    mapping: {
      is,
      vis: vis("mapping"),
      ...Object.fromEntries(modifiers.filter((m) => flags.has(m)).map((m) => [m, true])),
      ...(pipe && { pipe }),
    },
    access,
    loc,
  };
}

export const items: Clause = {
  key: "data",
  repeats: true,
  print: (node, spell) => (node.items as readonly DataItem[]).map((i) => itemText(i, spell)),
  read: (at, node) => {
    const item = enclosed(at, () => readItem(at));
    node.items = [...((node.items as readonly unknown[] | undefined) ?? []), item];
  },
};
