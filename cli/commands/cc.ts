/** `arc cc`: a drop-in C compiler that honours directives. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import path from "node:path";
import { compilerCommand } from "../../rules/tools/compiler.ts";
import { whoAnswer, whoOption } from "../../rules/tools/leads-to-arc.ts";
import { type Call, type Status, status } from "../call/call.ts";
import { UsageError } from "../call/usage-error.ts";
import { parseCompilerCall, plainWords } from "../cc/arguments.ts";
import { Driver } from "../cc/driver.ts";
import { refuseForeignOptions, refuseLostOptions } from "../cc/foreign-options.ts";
import { refuseForeignDirectives } from "../cc/foreign-sources.ts";
import { withLinkedRegions } from "../cc/linked-regions.ts";
import { targetsOf } from "../cc/target.ts";
import { missingSource } from "../project/sources/missing-source.ts";

export async function run(call: Call): Promise<Status> {
  const socket = call.env.ARC_RESIDENT_SOCKET;
  if (socket === undefined) return compile(call, plainCompiler);
  const { serve } = await import("../resident/server.ts");
  return serve(socket, call.signal, compile);
}

/** `plain` runs the C compiler for what is not for arc, with the caller's own streams. */
async function compile(call: Call, plain: (call: Call) => Status): Promise<Status> {
  if (call.positionals.includes(whoOption)) {
    call.out(`${whoAnswer}\n`);
    return status.done;
  }
  const parsed = withLinkedRegions(parseCompilerCall(call.positionals), call.cwd);
  const targets = targetsOf(parsed.targets);
  const options = parsed.words.flatMap(({ kind, text }) => (kind === "option" ? text.slice(0, 1) : []));
  refuseForeignOptions(options, parsed.directives);
  const compiler = compilerCommand(call.env);
  refuseForeignDirectives(parsed, [compiler.program, ...compiler.args], call.cwd);
  const hasInputs = parsed.words.some(
    (word) => word.kind === "source" || word.kind === "foreign" || word.kind === "input",
  );
  const hasSources = parsed.words.some((word) => word.kind === "source");
  // Without directives, or with nothing for arc to do (`--version`, assembling), run only the C compiler.
  if (!(parsed.directives || parsed.linksRegions) || !hasInputs || (!hasSources && parsed.stage !== "link"))
    return plain(call);
  for (const { kind, text } of parsed.words) {
    const [file = ""] = text;
    if (kind !== "source" || file === "-" || existsSync(path.resolve(call.cwd, file))) continue;
    throw missingSource(file, call.cwd);
  }
  if (hasSources && parsed.stage !== "preprocess") refuseLostOptions(options, call.err);
  const driver = new Driver(call, parsed, targets);
  try {
    if (parsed.stage === "preprocess") return driver.preprocess();
    if (parsed.stage !== "link") {
      const { length } = parsed.words.filter((word) => word.kind === "source");
      if (parsed.output !== undefined && length > 1) {
        throw new UsageError(
          `-o ${parsed.output} cannot take ${length} results`,
          "compile one file at a time, or leave -o out",
        );
      }
      return await driver.compile();
    }
    return await driver.link();
  } finally {
    await driver.close();
  }
}

function plainCompiler(call: Call): Status {
  const { program, args } = compilerCommand(call.env);
  // The rest is for other languages and the linker; host threads are handled by the compiler.
  const own = plainWords(call.positionals);
  const {
    status: code,
    signal,
    error,
  } = spawnSync(program, [...args, ...own], { stdio: "inherit", env: { ...call.env } });
  if (error !== undefined) {
    throw new UsageError(
      `${program} cannot be started: ${error.message}`,
      "install a C compiler (Debian: apt-get install gcc libc6-dev)",
    );
  }
  return code ?? (signal === null ? status.failed : 128 + constants.signals[signal]);
}
