/**
 * The kernels of many regions as one text: a compiler that is started for each, or reads its headers for each, takes ten
 * times as long.
 */
import type { TranslatedKernel } from "../../../core/compiler/driver/kernel-texts.ts";

/** What an image needs of a kernel. */
export type Kernel = Pick<TranslatedKernel, "region" | "text" | "manifest">;

/**
 * Kernels whose texts differ in the name of their region alone share the first one's: functions that differ in what the
 * host does have the same kernels. Texts stand once, manifests are those of all regions.
 */
export function distinct(kernels: readonly Kernel[]): {
  readonly texts: readonly Kernel[];
  readonly manifests: readonly string[];
} {
  const known = new Map<string, Kernel>();
  const manifests = kernels.map((kernel) => {
    const named = (text: string, name: string) =>
      text.replaceAll(new RegExp(`\\b${kernel.region}`, "g"), name);
    const nameless = named(kernel.text, "REGION");
    const first = known.get(nameless) ?? kernel;
    known.set(nameless, first);
    return named(kernel.manifest, first.region).replace(/^region .*$/m, `region ${kernel.region}`);
  });
  return { texts: [...known.values()], manifests };
}

const INCLUDE = /^#include .*\n/gm;

/** What a text declares outside of its functions: types by their tags and names, functions and variables. */
const DECLARED = [
  /^(?:struct|union|enum) (\w+) \{/gm,
  /^typedef .*?\b(\w+)(?:\[.*)?;$/gm,
  /^(?!__kernel|__attribute__|typedef)\w.*?\b(\w+)\(/gm,
  /^(?:static|__constant|const)\b.*?\b(\w+)(?:\[.*?)?(?: =.*|;)$/gm,
];

/** All in one text: what several of them declare gets a name of its own in each but the first. */
export function joined(kernels: readonly Kernel[]): string {
  const includes = new Set(kernels.flatMap(({ text }) => text.match(INCLUDE) ?? []));
  const taken = new Set<string>();
  const parts = kernels.map(({ region, text }) => {
    const own = text.replace(INCLUDE, "");
    const declared = new Set(DECLARED.flatMap((of) => [...own.matchAll(of)].map((m) => m[1] as string)));
    const anew = [...declared].filter((name) => taken.has(name));
    for (const name of declared) taken.add(name);
    return [
      ...anew.map((name) => `#define ${name} ${name}_of_${region}\n`),
      own,
      ...anew.map((name) => `#undef ${name}\n`),
    ].join("");
  });
  return [...includes, ...parts].join("");
}
