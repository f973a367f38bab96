/**
 * A resident compiler: it answers calls of `arc cc`, one after another, with the code that V8 optimised for those before.
 * The launcher starts one where ARC_RESIDENT=1 is set, in a session of its own, and leads a call to it whose user, limits
 * and namespaces are the same. Each call gets the caller's folder, variables and umask; what it prints goes to the caller.
 */
import { rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { keepTreesOf } from "../../core/compiler/driver/read-source.ts";
import { parseArguments } from "../call/arguments.ts";
import { type Call, type Status, status } from "../call/call.ts";
import { surroundingsOf } from "../call/surroundings.ts";
import { reportError } from "../project/report-error.ts";
import { frame, frameOf, nothing, parseRequest, type Request, statusFrame } from "./frames.ts";

/** Without a call for so long it ends. */
const IDLE_MINUTES = 10;
/** With more memory than this, in bytes, it ends after a call. */
const MOST_MEMORY = 1 << 30;
/**
 * Calls rarely read what earlier ones did, except that a link follows the compilation of a small program. In characters
 * of preprocessed text.
 */
const KEPT_TEXT = 200_000;
/** V8's default; the snapshot's start flags are for processes that end soon. */
const OPTIMISE_AFTER = 135_168;

/** Runs a call of `arc cc`; `plain` is for calls that need the caller's own streams. */
type Compile = (call: Call, plain: () => never) => Promise<Status>;

class Declined extends Error {}

/** Until it was idle for long, or `signal` is aborted. */
export async function serve(socket: string, signal: AbortSignal, compile: Compile): Promise<Status> {
  keepTreesOf(KEPT_TEXT);
  setFlagsFromString(`--interrupt-budget=${OPTIMISE_AFTER}`);
  // Nothing of it is for the calls: their variables replace them.
  const minutes = Number(process.env.ARC_RESIDENT_MINUTES) || IDLE_MINUTES;
  await new Promise<void>((resolve) => {
    let last = Promise.resolve();
    let open = 0;
    const server = createServer({ allowHalfOpen: true });
    const end = () => server.close(() => resolve());
    let idle = setTimeout(end, minutes * 60_000);
    server.on("connection", (caller) => {
      clearTimeout(idle);
      open += 1;
      last = last
        .then(() => answer(caller, compile))
        .finally(() => {
          open -= 1;
          if (open > 0) return;
          if (process.memoryUsage.rss() > MOST_MEMORY) end();
          else idle = setTimeout(end, minutes * 60_000);
        });
    });
    server.on("error", () => resolve());
    signal.addEventListener("abort", end, { once: true });
    // The lock that the launcher left to this process says that no other is alive: a dead one left it.
    rmSync(socket, { force: true });
    server.listen(socket);
  });
  return status.done;
}

/** Never fails: a caller that is gone, or whose request is damaged, gets no answer. */
async function answer(caller: Socket, compile: Compile): Promise<void> {
  caller.on("error", () => caller.destroy());
  const interrupt = new AbortController();
  try {
    const request = await readRequest(caller);
    // The caller closes its side to interrupt the call.
    caller.on("end", () => interrupt.abort());
    caller.on("close", () => interrupt.abort());
    caller.resume();
    caller.write(frameOf(frame.begun, nothing));
    const result = await runCall(request, caller, interrupt.signal, compile);
    caller.end(result === undefined ? frameOf(frame.declined, nothing) : statusFrame(result));
  } catch {
    caller.destroy();
  } finally {
    // Folders in use cannot be unmounted.
    process.chdir("/");
  }
}

function readRequest(caller: Socket): Promise<Request> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    const onData = (piece: Buffer): void => {
      pieces.push(piece);
      try {
        const request = parseRequest(Buffer.concat(pieces));
        if (request === undefined) return;
        caller.off("data", onData);
        resolve(request);
      } catch (error) {
        reject(error);
      }
    };
    caller.on("data", onData);
    caller.once("close", () => reject(new Error("the caller is gone")));
  });
}

/** Undefined if only a process with the caller's streams can do it. */
async function runCall(
  request: Request,
  caller: Socket,
  signal: AbortSignal,
  compile: Compile,
): Promise<Status | undefined> {
  const { cwd, args, env, stdout, stderr } = request;
  takeOn(request);
  const around = surroundingsOf({
    cwd,
    env,
    write: (output, text) => caller.write(frameOf(output, Buffer.from(text, "utf8"))),
    stderr,
    outColumns: () => stdout?.columns,
  });
  try {
    return await compile({ ...around, ...parseArguments(args), args, signal }, () => {
      throw new Declined();
    });
  } catch (error) {
    if (error instanceof Declined) return undefined;
    return reportError(error, args.includes("--json"), around);
  }
}

/** What parts of arc and of Node ask the process itself for. */
function takeOn({ cwd, env, umask }: Request): void {
  process.chdir(cwd);
  process.umask(umask);
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (process.env[name] !== value) process.env[name] = value;
}
