/** Data files in npm packages of WebAssembly tools. */
import { packageEntry } from "./wasm-tools.ts";

type Tree = { readonly [name: string]: Tree | string | URL };

/**
 * Text files of a YoWASP package, under new names. The tool sees a file tree of its own, which the package stores as a
 * module.
 */
export async function packageFiles(
  name: string,
  requested: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const names = Object.entries(requested);
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
