/** OpenMP device routines as OpenACC calls (OpenMP 5.0, sections 3.2 and 3.6; OpenACC 3.3, chapter 3). */
import type { RoleOf } from "../sites/device-numbers.ts";
import { CannotSay } from "../sites/rewrite.ts";
import type { ApiCall } from "./calls.ts";
import type { Replaced } from "./openmp.ts";

const isDefault = (text: string | undefined): boolean => text === "omp_get_default_device()";
const isHost = (text: string | undefined): boolean => text === "omp_get_initial_device()";

type Say = (call: ApiCall, args: readonly string[]) => Replaced;

const calls: Readonly<Record<string, Say>> = {
  omp_set_default_device: (call, [number = "0"]) => {
    if (!number.includes("omp_get_initial_device"))
      return { expr: `acc_set_device_num(${number}, acc_get_device_type())` };
    if (isHost(number)) return { expr: "acc_set_device_type(acc_device_host)" };
    throw cannot(
      call,
      "the host has no number among OpenACC's devices",
      "write omp_get_initial_device() alone",
    );
  },
  omp_get_default_device: () => ({ expr: "acc_get_device_num(acc_get_device_type())" }),
  omp_get_num_devices: () => ({ expr: "acc_get_num_devices(acc_device_not_host)" }),
  omp_get_initial_device: () => ({
    expr: "acc_get_num_devices(acc_device_not_host)",
    because: "the host's number is the one behind the last device's (OpenMP 5.1, section 1.2.6)",
  }),
  omp_is_initial_device: ({ negation }) =>
    negation === undefined
      ? { expr: "acc_on_device(acc_device_host)" }
      : { expr: "acc_on_device(acc_device_not_host)", start: negation },
  omp_target_alloc: (call, [size = "0", device]) => onDevice(call, device, `acc_malloc(${size})`),
  omp_target_free: (call, [pointer = "0", device]) => onDevice(call, device, `acc_free(${pointer})`),
  omp_target_is_present: (call, [pointer = "0", device]) =>
    onDevice(call, device, `acc_is_present((void *)(${pointer}), 1)`),
  omp_get_mapped_ptr: (call, [pointer = "0", device]) =>
    onDevice(call, device, `acc_deviceptr((void *)(${pointer}))`),
  omp_target_memcpy: (
    call,
    [to = "", from = "", size = "", toAt = "0", fromAt = "0", toDevice, fromDevice],
  ) => {
    if (call.statementEnd === undefined)
      throw cannot(call, "OpenACC's copies have no result", "write the call as a statement of its own");
    const at = (pointer: string, offset: string): string =>
      offset === "0" ? pointer : `(char *)(${pointer}) + (${offset})`;
    const list = `(${at(to, toAt)}, ${at(from, fromAt)}, ${size})`;
    if (isDefault(toDevice) && isHost(fromDevice)) return { expr: `acc_memcpy_to_device${list}` };
    if (isHost(toDevice) && isDefault(fromDevice)) return { expr: `acc_memcpy_from_device${list}` };
    if (isDefault(toDevice) && isDefault(fromDevice)) return { expr: `acc_memcpy_device${list}` };
    throw cannot(
      call,
      "OpenACC copies between the host and the device that is chosen",
      "write omp_get_default_device() and omp_get_initial_device() as devices",
    );
  },
  omp_target_associate_ptr: (call, [host = "", device = "", size = "", offset = "0", number]) => {
    if (call.statementEnd === undefined)
      throw cannot(call, "acc_map_data has no result", "write the call as a statement of its own");
    const pointer = offset === "0" ? device : `(char *)(${device}) + (${offset})`;
    return onDevice(call, number, `acc_map_data(${host}, ${pointer}, ${size})`);
  },
  omp_target_disassociate_ptr: (call, [host = "", number]) => {
    if (call.statementEnd === undefined)
      throw cannot(call, "acc_unmap_data has no result", "write the call as a statement of its own");
    return onDevice(call, number, `acc_unmap_data(${host})`);
  },
};

/** Only routines about devices are translated; those for host threads stay OpenMP's. */
export const isDeviceRoutine = (name: string): boolean =>
  /^omp_(target_\w+|[gs]et_default_device|get_num_devices|get_initial_device|is_initial_device|get_device_num|get_mapped_ptr)$/.test(
    name,
  );

/** Undefined: the name is inside the arguments of another call, which is replaced. Throws `CannotSay`. */
export function callInOpenAcc(call: ApiCall, inside: boolean, roleOf: RoleOf): Replaced | undefined {
  if (inside && /^omp_get_(default|initial)_device$/.test(call.name)) return undefined;
  const say = calls[call.name];
  // A variable that holds the number of the chosen device, or of the host, is as good as the routine that gave it.
  const role = (i: number): string | undefined => {
    const found = roleOf(call.args?.[i]);
    return found && `${found}()`;
  };
  if (say && call.list)
    return say(
      call,
      call.list.map((text, i) => role(i) ?? text),
    );
  throw cannot(
    call,
    `OpenACC has no counterpart of '${call.name}'`,
    "write the program without it, or keep it in a source of its own",
  );
}

function onDevice(call: ApiCall, device: string | undefined, expr: string): Replaced {
  if (isDefault(device)) return { expr };
  throw cannot(
    call,
    `OpenACC's '${expr.slice(0, expr.indexOf("("))}' is about the device that is chosen`,
    "write omp_get_default_device() as the device",
  );
}

const cannot = ({ loc }: ApiCall, message: string, remedy: string): CannotSay =>
  new CannotSay(loc, message, remedy);
