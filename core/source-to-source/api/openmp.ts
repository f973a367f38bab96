/** OpenACC API calls as OpenMP's (OpenACC 3.3, chapter 3; OpenMP 5.0, sections 3.2 and 3.6; CCAMP's Table 14). */
import { evaluateInteger } from "../../lang/index.ts";
import type { OpenMpVersion } from "../model/source.ts";
import type { Queues } from "../openmp/queues.ts";
import { CannotSay } from "../sites/rewrite.ts";
import type { ApiCall } from "./calls.ts";
import { sectionOf } from "./sections.ts";

/** An expression that replaces the call, or lines that replace its statement. */
export type Replaced =
  | {
      readonly expr: string;
      /** The expression begins before the call. */
      readonly start?: number;
      readonly because?: string;
    }
  | { readonly lines: readonly string[]; readonly because?: string };

const device = "omp_get_default_device()";
const host = "omp_get_initial_device()";

type Say = (call: ApiCall, args: readonly string[], queues: Queues) => Replaced;

const calls: Readonly<Record<string, Say>> = {
  acc_set_device_num: (_, [number = "0", type = ""]) =>
    type === "acc_device_host"
      ? { expr: `omp_set_default_device(${host})` }
      : { expr: `omp_set_default_device(${number})`, because: "OpenMP counts devices of all types together" },
  acc_get_device_num: () => ({
    expr: device,
    because: "OpenMP counts devices of all types together",
  }),
  acc_get_num_devices: (call, [type = ""]) => {
    if (type === "acc_device_host") return { expr: "1" };
    if (type === "acc_device_not_host" || type === "acc_device_default")
      return { expr: "omp_get_num_devices()" };
    throw cannot(call, "OpenMP counts devices of all types together", "ask for acc_device_not_host");
  },
  acc_on_device: (call, [type = ""]) => {
    if (type === "acc_device_host") return { expr: "omp_is_initial_device()" };
    if (type === "acc_device_not_host") return { expr: "!omp_is_initial_device()" };
    throw cannot(call, "OpenMP knows the host and devices, no types of them", "ask for acc_device_not_host");
  },
  acc_init: () => ({ lines: [], because: "OpenMP initialises devices when they are first used" }),
  acc_malloc: (_, [size = "0"]) => ({ expr: `omp_target_alloc(${size}, ${device})` }),
  acc_free: (_, [pointer = "0"]) => ({ expr: `omp_target_free(${pointer}, ${device})` }),
  acc_is_present: (call, [pointer = "", size = ""]) => {
    if (call.args?.[1] && evaluateInteger(call.args[1]) === 1n)
      return { expr: `omp_target_is_present(${pointer}, ${device})` };
    const both = (at: string): string => `omp_target_is_present(${at}, ${device})`;
    if (!isPure(pointer) || !isPure(size))
      throw cannot(
        call,
        "OpenMP asks for one byte, and this is a question about several",
        "put the pointer and the size into variables first",
      );
    return {
      expr: `(${both(pointer)} && ${both(`(const char *)(${pointer}) + (${size}) - 1`)})`,
      because: "OpenMP asks for one byte: the first and the last are asked for",
    };
  },
  acc_memcpy_to_device: (_, [to = "", from = "", size = ""]) => ({
    expr: `omp_target_memcpy(${to}, ${from}, ${size}, 0, 0, ${device}, ${host})`,
  }),
  acc_memcpy_from_device: (_, [to = "", from = "", size = ""]) => ({
    expr: `omp_target_memcpy(${to}, ${from}, ${size}, 0, 0, ${host}, ${device})`,
  }),
  acc_memcpy_device: (_, [to = "", from = "", size = ""]) => ({
    expr: `omp_target_memcpy(${to}, ${from}, ${size}, 0, 0, ${device}, ${device})`,
  }),
  acc_map_data: (_, [from = "", to = "", size = ""]) => ({
    expr: `omp_target_associate_ptr(${from}, ${to}, ${size}, 0, ${device})`,
  }),
  acc_unmap_data: (_, [pointer = ""]) => ({ expr: `omp_target_disassociate_ptr(${pointer}, ${device})` }),
  acc_copyin: (call, args) => moved(call, args, "target enter data map(to: ", ")"),
  acc_create: (call, args) => moved(call, args, "target enter data map(alloc: ", ")"),
  acc_copyout: (call, args) => moved(call, args, "target exit data map(from: ", ")"),
  acc_delete: (call, args) => moved(call, args, "target exit data map(release: ", ")"),
  acc_delete_finalize: (call, args) => moved(call, args, "target exit data map(delete: ", ")"),
  acc_update_device: (call, args) => moved(call, args, "target update to(", ")"),
  acc_update_self: (call, args) => moved(call, args, "target update from(", ")"),
  acc_wait: (call, [text = ""], queues) => {
    const element = queues.element(call.args?.[0], text, call.loc, undefined);
    return { lines: element === undefined ? [] : [`#pragma omp taskwait depend(inout: ${element})`] };
  },
  acc_wait_all: () => ({ lines: ["#pragma omp taskwait"] }),
  acc_wait_async: (call, [waited = "", queue = ""], queues) => {
    const [one, other] = [0, 1].map((i) =>
      queues.element(call.args?.[i], [waited, queue][i], call.loc, undefined),
    );
    if (one === undefined || other === undefined) return { lines: [] };
    return { lines: [`#pragma omp task depend(in: ${one}) depend(inout: ${other})`, ";"] };
  },
  acc_copyin_async: (call, args, queues) => moved(call, args, "target enter data map(to: ", ")", queues),
  acc_create_async: (call, args, queues) => moved(call, args, "target enter data map(alloc: ", ")", queues),
  acc_copyout_async: (call, args, queues) => moved(call, args, "target exit data map(from: ", ")", queues),
  acc_delete_async: (call, args, queues) => moved(call, args, "target exit data map(release: ", ")", queues),
  acc_update_device_async: (call, args, queues) => moved(call, args, "target update to(", ")", queues),
  acc_update_self_async: (call, args, queues) => moved(call, args, "target update from(", ")", queues),
};

const aliases: Readonly<Record<string, string>> = {
  acc_present_or_copyin: "acc_copyin",
  acc_pcopyin: "acc_copyin",
  acc_present_or_create: "acc_create",
  acc_pcreate: "acc_create",
  acc_update_host: "acc_update_self",
  acc_async_wait: "acc_wait",
  acc_async_wait_all: "acc_wait_all",
};

/** API names that are not called: device types passed as arguments. */
const values = /^acc_(device_\w+|async_\w+|device_t)$/;

export const isApiName = (name: string): boolean => /^acc_[a-z]/.test(name);

/** Undefined: the name is inside the arguments of another call, which is replaced. Throws `CannotSay`. */
export function callInOpenMp(
  call: ApiCall,
  inside: boolean,
  queues: Queues,
  version: OpenMpVersion,
): Replaced | undefined {
  if (inside && values.test(call.name)) return undefined;
  if (call.name === "acc_deviceptr" && call.list) {
    if (version === "5.1") return { expr: `omp_get_mapped_ptr(${call.list[0] ?? "0"}, ${device})` };
    throw cannot(call, "OpenMP 5.0 has no counterpart of 'acc_deviceptr'", "translate with --openmp 5.1");
  }
  const say = calls[aliases[call.name] ?? call.name];
  if (!say || !call.list)
    throw cannot(
      call,
      `OpenMP has no counterpart of '${call.name}'`,
      "write the program without it, or keep it in a source of its own",
    );
  const replaced = say(call, call.list, queues);
  if ("lines" in replaced && call.statementEnd === undefined)
    throw cannot(
      call,
      `'${call.name}' is a directive in OpenMP, which has no value`,
      "write the call as a statement of its own, inside braces",
    );
  return replaced;
}

const cannot = ({ loc }: ApiCall, message: string, remedy: string): CannotSay =>
  new CannotSay(loc, message, remedy);

/** Without calls or side effects, so that it may be evaluated twice. */
const isPure = (text: string): boolean =>
  !/\w\s*\(|\+\+|--|[^=!<>]=(?!=)/.test(text.replace(/\bsizeof\s*\(/g, "("));

function moved(
  call: ApiCall,
  [pointer = "", size = "", queue]: readonly string[],
  before: string,
  after: string,
  queues?: Queues,
): Replaced {
  const [object, bytes] = call.args ?? [];
  const section = object && bytes ? sectionOf(object, pointer, bytes, size) : undefined;
  const element = queues?.element(call.args?.[2], queue, call.loc, undefined);
  const order = element === undefined ? "" : ` nowait depend(inout: ${element})`;
  const wait = queues?.ifSync(call.args?.[2], queue, call.loc, undefined) ?? [];
  const because = "a directive is OpenMP's form of this call";
  if (section !== undefined)
    return { lines: [`#pragma omp ${before}${section}${after}${order}`, ...wait], because };
  const part = unusedIn(`${pointer} ${size}`);
  return {
    lines: [
      "{",
      `char *${part} = (char *)(${pointer});`,
      `#pragma omp ${before}${part}[0:${size}]${after}${order}`,
      "}",
      ...wait,
    ],
    because: `${because}, which takes objects and elements: a pointer to the bytes is one`,
  };
}

/** A name for the pointer to the bytes that the text does not mention. */
function unusedIn(text: string): string {
  let name = "bytes_of";
  while (new RegExp(`\\b${name}\\b`).test(text)) name += "_";
  return name;
}
