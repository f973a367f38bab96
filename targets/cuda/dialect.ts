/** CUDA C++ as accepted by nvcc. */
import { gpuDialect } from "../shared/print/gpu.ts";
import { inCuda } from "../shared/print/gpu-builtins.ts";

/** Mask of all lanes of a warp. */
const all = "0xffffffffu";

export const cuda = gpuDialect({
  reserved: /^((cuda|cudaroc)[A-Z1-3]\w*|(cuda|nv)_\w+)$/,
  deviceTypes: [3, 4],
  head: [],
  trap: "__trap()",
  // nvcc and NVRTC use different names for it.
  assertFail: {
    name: "arc_assert_fail",
    head: [
      "#ifdef __CUDACC_RTC__",
      "#define arc_assert_fail(what, file, line, function) __assertfail(what, file, line, function, 1)",
      "#else",
      "#define arc_assert_fail __assert_fail",
      "#endif",
    ],
  },
  builtin: inCuda,
  shuffle: (way, value, lane, active = all) =>
    `__shfl${way === "sync" ? "" : `_${way}`}_sync(${active}, ${value}, ${lane})`,
  bounds: (items, resident) => (resident ? `${items}, ${resident}` : `${items}`),
  lacksAtomic: () => false,
});
