/**
 * Compiles a file of authored kernels with the compiler of its device: makes the code that devices load, and lists the
 * names of the kernels in it.
 */
import { existsSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type {
  Action,
  Address,
  Site,
  Step,
  StepContext,
  StepResult,
  ToolIdentity,
} from "../../../core/build/model/action.ts";
import type { AuthoredKernels } from "../../../core/compiler/driver/authored-kernels.ts";
import { findKind } from "../../../targets/registry.ts";
import type { AuthoredCall, TargetOptions } from "../../../targets/shared/kind/kind.ts";
import { codeDigest } from "../../inputs/code-digest.ts";
import { optionsOf } from "../../inputs/options.ts";
import { toolResult } from "../../tools/tool-result.ts";

interface AuthoredRequest {
  readonly address: Address;
  readonly kernels: AuthoredKernels;
  /** Options for its kind of device. */
  readonly options: TargetOptions;
  /** Absent: it is not installed. */
  readonly tool: ToolIdentity | undefined;
}

interface Options {
  readonly device: AuthoredKernels["device"];
  readonly options: TargetOptions;
  readonly file: string;
  readonly kernels: readonly string[];
}

const stepOptions = optionsOf<Options>();

/** Lines of the image's manifest with the kernels' names in the code. */
export const symbolLines = "symbols";

/** Left out if there is no compiler, or it only checks. */
export const code = "code";

export function authoredCall(device: string, options: TargetOptions): AuthoredCall {
  const authored = findKind(device)?.authored?.(options);
  if (authored === undefined) throw new Error(`the author of a program writes no kernels for ${device}`);
  return authored;
}

/**
 * The text for compilers. A file's text starts with its position, so that messages refer to its lines. A kernel inside
 * the program's source has none, because the position would change with every edit above it: there the site maps lines
 * back.
 */
export function compiledText({ place, text, site }: AuthoredKernels): {
  readonly text: string;
  readonly site?: Site;
} {
  if (place !== undefined) return { text: `#line 1 ${JSON.stringify(place)}\n${text}` };
  const code: string[] = [];
  const lines: [number, string, number, number][] = [];
  let [file, line] = ["", 0];
  for (const one of text.split("\n")) {
    const [, number, name] = /^#line (\d+) "(.*)"$/.exec(one) ?? [];
    if (number === undefined || name === undefined) {
      lines.push([code.push(one), file, line++, 1]);
      continue;
    }
    file = name;
    line = Number(number);
  }
  return { text: code.join("\n"), site: { ...site, lines, verbatim: true } };
}

export function authoredAction({ address, kernels, options, tool }: AuthoredRequest): Action {
  const { device, file } = kernels;
  const { extension } = authoredCall(device, options);
  const { text, site } = compiledText(kernels);
  return {
    address,
    step: authoredStep.name,
    title: `compile ${kernels.place ?? `${kernels.kernels[0]} of ${file}`} for ${device}`,
    ...(site && { site }),
    options: stepOptions.write({ device, options, file: kernels.place ?? file, kernels: kernels.kernels }),
    ...(tool && { tools: [tool] }),
    inputs: [{ name: `kernel.${extension}`, from: { text } }],
    outputs: [
      { name: symbolLines, kind: "file" },
      { name: code, kind: "file", optional: true },
    ],
  };
}

export const authoredStep: Step = {
  name: "authored",
  digest: codeDigest("authored"),
  run,
  typicalSeconds: 1,
};

async function run(context: StepContext): Promise<StepResult> {
  const { readFile, rm } = await import("node:fs/promises");
  const { device, options, file, kernels } = stepOptions.read(context.action);
  const { tool, args, payload, symbols, otherwise } = authoredCall(device, options);
  const [source] = context.action.inputs;
  const [found] = context.action.tools ?? [];
  if (found === undefined || source === undefined) {
    await context.writeOutput(symbolLines, "");
    if (otherwise !== undefined)
      context.log(`${file} is compiled by ${otherwise} when the program runs: ${tool.program} is not here\n`);
    return { ok: true };
  }
  await discoverBackEnds(context, found.name, tool.backEnds ?? []);
  const ran = await context.spawn({
    argv: [found.name, ...args(source.name, code)],
    passEnv: ["CUDA_HOME", "ROCM_PATH", "HIP_PATH"],
  });
  const verdict = toolResult(context, {
    code: "kernel-compiler",
    name: found.name,
    exitCode: ran.code,
    messages: `${ran.stdout.toString("utf8")}${ran.stderr.toString("utf8")}`,
    fact: true,
  });
  if (!verdict.ok) return verdict;
  const output = context.output(code);
  const compiled = await readFile(output, "latin1");
  if (payload === undefined) await rm(output);
  const names = [...new Set([...compiled.matchAll(symbols)].map((match) => match[1] ?? ""))];
  const called = kernels.map((kernel) => ({ kernel, symbol: names.find((name) => isNameOf(kernel, name)) }));
  const missing = called.find(({ symbol }) => symbol === undefined);
  if (missing) return notThere(missing.kernel, file, names);
  await context.writeOutput(
    symbolLines,
    called.map(({ kernel, symbol }) => `symbol ${kernel} ${symbol}\n`).join(""),
  );
  return verdict;
}

/** Whether a symbol is the function's plain name, or its C++ mangled name outside namespaces and classes. */
const isNameOf = (kernel: string, symbol: string): boolean =>
  symbol === kernel || symbol.startsWith(`_Z${kernel.length}${kernel}`);

/** For instances of templates only the name is shown. */
function notThere(kernel: string, file: string, symbols: readonly string[]): StepResult {
  const names = symbols.map((symbol) => {
    const [, length, rest = ""] = /^_Z(\d+)(.*)$/.exec(symbol) ?? [];
    return length === undefined ? symbol : rest.slice(0, Number(length));
  });
  const message = `there is no kernel '${kernel}' in ${file}, and a task is to run it`;
  return {
    ok: false,
    fact: true,
    message,
    diagnostics: [
      {
        severity: "error",
        code: "kernel-missing",
        message,
        loc: { file, line: 1, col: 1 },
        remedy:
          names.length > 0
            ? `write name(...) with one that it has: ${names.join(", ")}`
            : "write one into it",
      },
    ],
  };
}

/** Reports the programs that the tool starts as discovered inputs, as they decide the result, too. */
async function discoverBackEnds(
  context: StepContext,
  program: string,
  backEnds: readonly string[],
): Promise<void> {
  const { stdout } = await context.spawn({ argv: ["/bin/sh", "-c", `command -v ${program}`] });
  const place = stdout.toString("utf8").trim();
  if (!existsSync(place)) return;
  const beside = dirname(realpathSync(place));
  for (const file of backEnds.map((name) => resolve(beside, name)))
    if (existsSync(file)) context.discover(file);
}
