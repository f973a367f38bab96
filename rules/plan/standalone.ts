/**
 * A translated program as a folder that builds without arc: host code, kernels, the runtime's sources, a Makefile and a
 * CMakeLists.txt. A script assembles images from the kernels, so that kernels can be edited there.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { hostThreadsMark } from "../../core/ir/model/host-threads.ts";
import { findKind, kinds } from "../../targets/registry.ts";
import { image } from "../../targets/shared/kind/launch.ts";
import { openmpOption } from "../tools/compiler.ts";
import { runtimeFiles, runtimeFolder } from "../tools/runtime-files.ts";
import type { TranslatedKernel } from "./whole-program.ts";

export interface StandaloneUnit {
  /** Name as the user gave it. */
  readonly file: string;
  readonly host: string;
  readonly kernels: readonly TranslatedKernel[];
  /** The preprocessed text: its line markers name the headers that the program needs. */
  readonly preprocessed: string;
}

/** The folder's files by path, or why the folder cannot be made. */
type Standalone = { readonly files: ReadonlyMap<string, string> } | { readonly error: string };

interface Recipe {
  /** Name of the image's payload as in IMAGE.md. */
  readonly payload: string;
  readonly extension: string;
  readonly options: string;
  /** Command that makes the payload from a kernel's text; absent: the text is the payload. */
  readonly command?: (source: string, output: string) => string;
  readonly tool: string;
}

/** Kinds whose kernels are compiled by a single compiler, or by the driver itself. */
export const standaloneKinds = kinds
  .map(({ kind }) => kind)
  .filter((kind) => ["host", "opencl", "cuda", "hip"].includes(kind));

/**
 * `folders`: absolute folders of -I options; `flags`: other preprocessor options; `cwd`: the folder that file names are
 * relative to.
 */
export function standalone(
  kind: string,
  units: readonly StandaloneUnit[],
  {
    folders,
    flags,
    cwd,
  }: { readonly folders: readonly string[]; readonly flags: readonly string[]; readonly cwd: string },
): Standalone {
  const files = new Map<string, string>();
  const names = new Set<string>();
  for (const { file, host } of units) {
    const name = path.basename(file);
    if (names.has(name)) return { error: `two sources are called ${name}` };
    names.add(name);
    files.set(`src/${name}`, host);
  }
  for (const { file, preprocessed } of units) {
    const source = path.resolve(cwd, file);
    for (const header of headersOf(preprocessed)) {
      const at = path.resolve(cwd, header);
      if (at === source) continue;
      const inside = [path.dirname(source), ...folders]
        .map((folder) => path.relative(folder, at))
        .filter((relative) => !relative.startsWith("..") && !path.isAbsolute(relative))
        .sort((a, b) => a.length - b.length)[0];
      if (inside === undefined)
        return { error: `${header} stands neither beside ${file} nor in a folder of -I` };
      const text = readFileSync(at, "utf8");
      const known = files.get(`src/${inside}`);
      if (known !== undefined && known !== text) return { error: `two headers are called ${inside}` };
      files.set(`src/${inside}`, text);
    }
  }
  const regions = [...new Map(units.flatMap((unit) => unit.kernels).map((k) => [k.region, k])).values()];
  const recipe = recipeOf(kind, [...new Set(regions.flatMap(({ links = [] }) => links))]);
  const backend = findKind(kind)?.device({}).backend ?? kind;
  for (const kernel of regions) {
    const head = { backend, target: kind, variant: "default", options: recipe.options };
    const text = Buffer.from(image(head, [kernel.manifest], [])).toString("utf8");
    files.set(`kernels/${kernel.region}.head`, text.replace(/end\n$/, ""));
    files.set(`kernels/${kernel.region}.${recipe.extension}`, kernel.text);
  }
  // The C compiler's own library has these routines.
  const threads = flags.includes(openmpOption) ? [] : ["serial/openmp_threads.c"];
  for (const name of [
    ...runtimeFiles("src", ".c"),
    ...runtimeFiles("src", ".h"),
    ...runtimeFiles("include", ".h"),
    ...threads,
  ])
    files.set(`runtime/${name}`, readFileSync(path.join(runtimeFolder, name), "utf8"));
  const list = regions.map((kernel) => kernel.region);
  files.set("images.c", registration(kind, list));
  files.set("image.sh", imageScript);
  const program = path.basename(units[0]?.file ?? "program", ".c");
  const sources = [...names];
  const library = threads.length > 0 ? "" : `${openmpOption} `;
  const own = threads.length > 0 ? flags : [...flags, `-D${hostThreadsMark}`];
  files.set("Makefile", makefile(program, sources, list, recipe, own.map(inMakefile).join(" "), library));
  files.set("CMakeLists.txt", cmake(program, sources, list, recipe, own.map(inCMake).join(" "), library));
  return { files };
}

/** A word of a command in a make variable: quoted for the shell, then for make. */
function inMakefile(word: string): string {
  const shell = /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
  return shell.replaceAll("$", "$$$$").replaceAll("#", "\\#");
}

/** A word as an argument of a CMake command, whose lists are divided by semicolons. */
const inCMake = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `"${word.replace(/[\\"$]/g, "\\$&").replaceAll(";", "\\\\;")}"`;

/** `links`: further arguments, which are for all kernels here. */
function recipeOf(kind: string, links: readonly string[]): Recipe {
  const toolchain = findKind(kind)?.toolchain({});
  const payload = toolchain?.payloads[0];
  if (!toolchain || !payload) throw new Error(`there is no target kind ${kind}`);
  const { call } = payload;
  const common = {
    payload: payload.kind,
    extension: toolchain.extension,
    options: toolchain.driverOptions ?? "",
  };
  if (!call || !("program" in call.tool)) return { ...common, tool: "" };
  const { program } = call.tool;
  const objects = "{objects}";
  return {
    ...common,
    tool: program === "cc" ? "" : program,
    command: (source, output) =>
      [
        program === "cc" ? "$(CC)" : "$(KERNEL_COMPILER)",
        ...(call.takesRuntimeHeaders ? ["-I$(HERE)runtime/include"] : []),
        ...call.args(source, output, objects).flatMap((word) => (word === objects ? links : [word])),
      ].join(" "),
  };
}

/** Files that are not system headers, from line markers without flag 3; `<arc>` names are the runtime's own. */
export function headersOf(preprocessed: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [, name = "", flags = ""] of preprocessed.matchAll(/^# \d+ "([^"]+)"([ \d]*)$/gm))
    if (!/\b3\b/.test(flags) && !name.startsWith("<")) found.add(name);
  return found;
}

function registration(kind: string, regions: readonly string[]): string {
  const bytes = regions.map(
    (
      region,
      i,
    ) => `__asm__(".section .rodata\\n.balign 16\\narc_image_${i}:\\n.incbin \\"images/${region}.arci\\"\\n"
        "arc_image_${i}_end:\\n.previous");
extern const char arc_image_${i}[] __attribute__((visibility("hidden")));
extern const char arc_image_${i}_end[] __attribute__((visibility("hidden")));
`,
  );
  const calls = regions.map(
    (_, i) =>
      `  arc_register_image("${kind}", "default", arc_image_${i}, (unsigned long)(arc_image_${i}_end - arc_image_${i}));\n`,
  );
  return `/* The program's kernels, which the runtime is told of before main. */
void arc_register_image(const char *, const char *, const void *, unsigned long);
${bytes.join("")}__attribute__((constructor)) static void register_images(void) {
${calls.join("")}}
`;
}

const imageScript = `#!/bin/sh
# image.sh HEAD KIND PAYLOAD IMAGE: what the runtime loads, made of a description and a kernel.
set -e
mkdir -p "$(dirname "$4")"
{
  cat "$1"
  printf 'payload %s %d\\nend\\n' "$2" "$(wc -c < "$3")"
  cat "$3"
} > "$4"
`;

function makefile(
  program: string,
  sources: readonly string[],
  regions: readonly string[],
  recipe: Recipe,
  flags: string,
  library: string,
): string {
  const { payload, extension, command, tool } = recipe;
  const artifact = command ? `build/%.${payload}` : `kernels/%.${extension}`;
  const compile = command
    ? `build/%.${payload}: kernels/%.${extension}\n\t@mkdir -p build\n\t${command("$<", "$@")}\n\n`
    : "";
  return `# Builds ${program} without arc.
PROGRAM = ${program}
CC = cc
CFLAGS = -O2
RUNTIME_FLAGS = -O2
CPPFLAGS = ${flags}
${tool === "" ? "" : `KERNEL_COMPILER = ${tool}\n`}HERE =
LDLIBS = ${library}-lpthread -ldl -lm
SOURCES = ${sources.map((name) => `src/${name}`).join(" ")}
IMAGES = ${regions.map((region) => `images/${region}.arci`).join(" ")}
RUNTIME = $(shell find runtime -name '*.c')
OBJECTS = $(SOURCES:%.c=build/%.o) $(RUNTIME:%.c=build/%.o) build/images.o

$(PROGRAM): $(OBJECTS)
	$(CC) $(LDFLAGS) -o $@ $(OBJECTS) $(LDLIBS)

build/src/%.o: src/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -w $(CPPFLAGS) -D_OPENACC=202211 -Isrc -Iruntime/include -c $< -o $@

build/runtime/%.o: runtime/%.c
	@mkdir -p $(@D)
	$(CC) -std=c11 $(RUNTIME_FLAGS) -Iruntime/include -Iruntime/src -c $< -o $@

build/images.o: images.c $(IMAGES)
	@mkdir -p build
	$(CC) -O1 -w -c images.c -o $@

${compile}images/%.arci: kernels/%.head ${artifact}
	sh image.sh $< ${payload} $(word 2,$^) $@

clean:
	rm -rf build images $(PROGRAM)

.PHONY: clean
.SECONDARY:
`;
}

function cmake(
  program: string,
  sources: readonly string[],
  regions: readonly string[],
  recipe: Recipe,
  flags: string,
  library: string,
): string {
  const { payload, extension, command, tool } = recipe;
  const here = `\${CMAKE_CURRENT_SOURCE_DIR}`;
  const binary = `\${CMAKE_CURRENT_BINARY_DIR}`;
  const kernel = `${here}/kernels/\${region}.${extension}`;
  const output = command ? `${binary}/\${region}.${payload}` : kernel;
  const line = command?.(kernel, output)
    .replace("$(CC)", `\${CMAKE_C_COMPILER}`)
    .replace("$(KERNEL_COMPILER)", tool)
    .replaceAll("$(HERE)", `${here}/`);
  return `# Builds ${program} without arc.
cmake_minimum_required(VERSION 3.13)
project(${program} C)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_EXTENSIONS ON)
file(GLOB_RECURSE runtime ${here}/runtime/*.c)
foreach(region ${regions.join(" ")})
${line ? `  add_custom_command(OUTPUT ${output} DEPENDS ${kernel}\n    COMMAND ${line} VERBATIM)\n` : ""}  add_custom_command(OUTPUT ${binary}/images/\${region}.arci DEPENDS ${here}/kernels/\${region}.head ${output}
    COMMAND sh ${here}/image.sh ${here}/kernels/\${region}.head ${payload} ${output} ${binary}/images/\${region}.arci VERBATIM)
  list(APPEND images ${binary}/images/\${region}.arci)
endforeach()
set_source_files_properties(images.c PROPERTIES OBJECT_DEPENDS "\${images}" COMPILE_OPTIONS "-Wa,-I${binary}")
add_executable(${program} ${sources.map((name) => `src/${name}`).join(" ")} images.c \${runtime})
target_include_directories(${program} PRIVATE src runtime/include runtime/src)
target_compile_options(${program} PRIVATE -w ${flags} -D_OPENACC=202211)
target_link_libraries(${program} PRIVATE ${library}pthread dl m)
`;
}
