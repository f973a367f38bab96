/** Files that npm packages of WebAssembly tools bring along for them. */
import { packageEntry } from "./wasm-tools.ts";

type Tree = { readonly [name: string]: Tree | string | URL };

/**
 * Text files of a package of YoWASP's, by new names. The tool sees a tree of files of its own, which the package holds
 * as a module.
 */
export async function packageFiles(
  name: string,
  wanted: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const names = Object.entries(wanted);
  if (names.length === 0) return {};
  const [, tool = ""] = name.split("/");
  const module: { readonly filesystem: Tree } = await import(
    new URL(`resources-${tool}.js`, packageEntry(name)).href
  );
  return Object.fromEntries(
    names.map(([as, path]) => {
      let found: Tree[string] | undefined = module.filesystem;
      for (const part of path.split("/"))
        found = typeof found === "object" && !(found instanceof URL) ? found[part] : undefined;
      if (typeof found !== "string") throw new Error(`${name} has no file ${path}`);
      return [as, found];
    }),
  );
}
