/** Checks what a schema cannot: that names refer to something and paths exist. */
import type { ArcFile, KindSchema } from "../contract/arc-schema.ts";
import { foreignOption } from "../contract/foreign-options.ts";
import { linksStatically, lostOption, staticLink } from "../contract/lost-options.ts";
import type { Project } from "../contract/project.ts";
import type { Axis } from "../document/axis.ts";
import type { Diagnostic } from "../document/diagnostic.ts";
import type { ArcDocument, Path } from "../document/document.ts";
import { Findings } from "../document/findings.ts";
import type { Scalar } from "../document/json-schema.ts";
import type { ListFolder } from "../document/patterns.ts";
import { resolveActions } from "./actions.ts";
import { bytes, resolveCache, resolveExecutors } from "./executors.ts";
import { MadeFiles, Reachable } from "./reachable.ts";
import { resolveRuns, resolveVerify } from "./runs.ts";
import { resolveKernels, resolveTargets } from "./targets.ts";

interface ResolveContext {
  readonly document: ArcDocument;
  readonly file: string;
  readonly root: string;
  readonly kinds: readonly KindSchema[];
  readonly axes: readonly Axis[];
  readonly steps: readonly string[];
  /** Whether a path relative to the root exists. */
  readonly exists: (name: string) => boolean;
  readonly list: ListFolder;
}

/** `project` is meaningful only if no diagnostic is an error. */
export function resolveProject(
  file: ArcFile,
  { document, root, kinds, axes, steps, exists, list, ...context }: ResolveContext,
): { readonly project: Project; readonly diagnostics: readonly Diagnostic[] } {
  const found = new Findings(document);
  const made = new MadeFiles(Object.values(file.actions ?? {}));
  const reachable = new Reachable(found, made, exists, list, root);
  checkSources(file, found, reachable);
  checkOptions(file, found);
  const actions = resolveActions(file, document, found, reachable);
  const kernels = resolveKernels(file, found);
  const targets = resolveTargets(file, kernels, { kinds, axes }, found);
  const runs = resolveRuns(file, document, reachable);
  const cache = resolveCache(file, found);
  const project: Project = {
    name: file.project,
    file: context.file,
    root,
    sources: file.sources ?? [],
    host: file.host ?? [],
    cflags: file.cflags ?? [],
    include: file.include ?? [],
    defines: Object.entries(file.defines ?? {}).flatMap(([name, value]) => defineOption(name, value)),
    ldflags: file.ldflags ?? [],
    libs: file.libs ?? [],
    envFrom: file["env-from"] ?? [],
    passEnv: file["pass-env"] ?? [],
    kernels,
    targets,
    actions,
    runs,
    verify: resolveVerify(file, runs, found),
    ...(file.budgets && { budgets: file.budgets }),
    ...(file.check && { watched: typeof file.check === "object" ? file.check : {} }),
    executors: resolveExecutors(file, steps, found),
    ...(cache === undefined ? {} : { cache }),
    store: storeOf(file),
  };
  return { project, diagnostics: found.diagnostics };
}

function checkSources(file: ArcFile, found: Findings, reachable: Reachable): void {
  const { sources = [], host = [], include = [] } = file;
  for (const [i, name] of sources.entries()) checkSource(name, ["sources", i], found, reachable);
  for (const [i, name] of host.entries()) {
    checkSource(name, ["host", i], found, reachable);
    if (!sources.includes(name)) continue;
    const remedy = "keep it in `sources` if it has directives, else in `host`";
    found.error(["host", i], "bad-value", `\`${name}\` stands in \`sources\` too`, remedy);
  }
  for (const [i, name] of include.entries()) {
    if (reachable.exists(name)) continue;
    found.warn(["include", i], "missing-file", `there is no folder \`${name}\``);
  }
  if (file.targets !== undefined && sources.length + host.length === 0) {
    const remedy = "list the C files in `sources`";
    found.errorAtKey(["targets"], "missing-key", "there is nothing to build for these targets", remedy);
  }
}

/**
 * Refuses options of other compilers: arc honours directives without a switch, and `targets` lists the devices. Refuses
 * options whose results would be lost.
 */
function checkOptions({ cflags = [], ldflags = [] }: ArcFile, found: Findings): void {
  for (const [key, options] of Object.entries({ cflags, ldflags }))
    for (const [i, option] of options.entries()) {
      const lost = linksStatically(option) ? staticLink : lostOption(option);
      if (lost) {
        const report = lost.isOnlyLog ? found.warn.bind(found) : found.error.bind(found);
        report([key, i], "lost-option", `\`${option}\`: ${lost.why}`, lost.remedy);
      }
      const foreign = foreignOption(option);
      if (!foreign) continue;
      found.error(
        [key, i],
        "foreign-option",
        `\`${option}\` is an option of ${foreign.of}, and would choose no device here`,
        foreign.asks === "host-threads"
          ? "write `-fopenmp` instead"
          : "leave it out, and name the devices in `targets`, such as `gpu: { kind: cuda }`",
      );
    }
}

function checkSource(name: string, at: Path, found: Findings, reachable: Reachable): void {
  if (/[*?]/.test(name) && !reachable.exists(name)) {
    found.error(at, "missing-file", `there is no \`${name}\``, "name each file: only `inputs` take patterns");
  } else if (!/\.[^./]+$/.test(name)) {
    found.error(
      at,
      "bad-value",
      `\`${name}\` is no C file`,
      "name the files themselves, such as `src/main.c`",
    );
  } else reachable.check(name, at);
}

function storeOf(file: ArcFile): Project["store"] {
  if (file.store === undefined) return {};
  if (typeof file.store === "string") return { path: file.store };
  const { path: folder, limit } = file.store;
  return {
    ...(folder === undefined ? {} : { path: folder }),
    ...(limit === undefined ? {} : { limit: bytes(limit) }),
  };
}

function defineOption(name: string, value: Scalar): readonly string[] {
  if (value === false) return [];
  return [value === true ? `-D${name}` : `-D${name}=${value}`];
}
