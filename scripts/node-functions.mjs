/**
 * Calls what a small build calls of Node's own modules, so that it is compiled in a snapshot that is made afterwards:
 * they come without compiled code. What is left out is compiled when it is called.
 */
import { setMaxListeners } from "node:events";
import * as fs from "node:fs";
import * as os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

export function callNodeFunctions() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "arc-warm-"));
  try {
    files(folder);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
  bytes();
  signals();
  rest();
}

function files(folder) {
  const [one, two] = [`${folder}/one`, `${folder}/two`];
  fs.writeFileSync(one, "text", { mode: 0o644 });
  fs.writeFileSync(two, Buffer.from("text"), { mode: 0o555, flag: "wx" });
  fs.existsSync(one);
  fs.statSync(`${folder}/none`, { throwIfNoEntry: false });
  fs.lstatSync(one, { throwIfNoEntry: false });
  fs.fstatSync(0).isCharacterDevice();
  fs.statSync(folder).isDirectory();
  fs.mkdirSync(`${folder}/inner/folder`, { recursive: true });
  fs.mkdirSync(`${folder}/other`);
  fs.rmdirSync(`${folder}/other`);
  fs.readdirSync(folder);
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) entry.isDirectory();
  for (const encoding of [undefined, "utf8", "latin1"]) fs.readFileSync(one, encoding);
  const file = fs.openSync(one, "a+", 0o644);
  fs.writeSync(file, "text");
  fs.writeSync(file, Buffer.from("text"), 0, 4);
  fs.readSync(file, Buffer.allocUnsafe(8), 0, 8, 0);
  fs.readSync(file, new Float64Array(1), 0, 4, 0);
  fs.readFileSync(file);
  fs.ftruncateSync(file, 0);
  fs.closeSync(file);
  fs.renameSync(one, two);
  fs.linkSync(two, one);
  fs.rmSync(one, { force: true });
  fs.rmSync(one, { force: true });
  fs.unlinkSync(two);
  fs.readlinkSync("/proc/self/ns/pid");
  refused(() => fs.readFileSync(one));
  refused(() => fs.openSync(one, "r"));
}

function bytes() {
  const some = Buffer.alloc(8);
  some.writeUInt32LE(some.readUInt32LE(0), 4);
  const all = Buffer.concat([some, Buffer.from("text", "utf8"), Buffer.from(some)]);
  for (const encoding of ["utf8", "latin1", "hex"]) all.toString(encoding, 0, 8);
  all.write("00", 0, "hex");
  all.equals(some);
  all.subarray(4).copy(some);
  for (const sought of [0, "text", some]) all.indexOf(sought, 1);
  all.lastIndexOf(some, 3);
  Buffer.from(new Float64Array(1).buffer, 0, 8);
  Buffer.allocUnsafeSlow(8).fill(0);
}

function signals() {
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const listener = () => {};
  signal.addEventListener("abort", listener, { once: true });
  signal.removeEventListener("abort", listener);
  if (signal.aborted) listener();
}

function rest() {
  path.relative(path.resolve("one", "../two"), path.join("/one", "two"));
  path.dirname(path.normalize(`/one/../${path.basename("/two")}`));
  path.isAbsolute("one");
  os.availableParallelism();
  os.totalmem();
  os.hostname();
  os.endianness();
  process.hrtime();
  process.hrtime.bigint();
  process.kill(process.pid, 0);
  refused(() => process.kill(2 ** 30, 0));
  clearInterval(setInterval(() => {}, 1000));
  clearTimeout(setTimeout(() => {}, 1000));
  setTimeout(() => {}, 1).unref();
  for (const ms of [1, 2, 2]) setTimeout(() => {}, ms);
  const listener = () => {};
  process.on("SIGHUP", listener);
  process.removeListener("SIGHUP", listener);
  parseArgs({
    args: ["-j2", "one"],
    options: { jobs: { type: "string", short: "j" } },
    allowPositionals: true,
    strict: false,
  });
  // Which forgets the folder that this process is in: Node remembers it once it was asked.
  process.chdir(process.cwd());
}

function refused(call) {
  try {
    call();
  } catch (error) {
    String(error.code);
  }
}
