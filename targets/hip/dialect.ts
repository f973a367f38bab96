/** HIP C++ as accepted by AMD's clang. Wavefronts have 32 or 64 lanes: shuffles are confined to 32 of them. */
import { gpuDialect } from "../shared/print/gpu.ts";
import { inClang } from "../shared/print/gpu-builtins.ts";

export const hip = gpuDialect({
  reserved: /^(hip[A-Z_]\w*|__(hip|ockl|ocml|llvm|amdgcn)_\w+)$/,
  deviceTypes: [3, 5],
  head: ["#include <hip/hip_runtime.h>"],
  trap: "__builtin_trap()",
  clock: [],
  assertFail: { name: "__assert_fail", head: [] },
  builtin: inClang,
  half: {
    isDevice: "__HIP_DEVICE_COMPILE__",
    value: "_Float16 own; memcpy(&own, &h, sizeof own); return (float)own;",
    of: "const _Float16 own = (_Float16)x; unsigned short h; memcpy(&h, &own, sizeof h); return h;",
  },
  shuffle: (way, value, lane) => `__shfl${way === "sync" ? "" : `_${way}`}(${value}, ${lane}, 32)`,
  // In HIP the second argument has another meaning.
  bounds: (items) => `${items}`,
  // Missing in some versions of its headers.
  lacksAtomic: (op, word) => (op === "max" || op === "min") && word === "long long",
});
