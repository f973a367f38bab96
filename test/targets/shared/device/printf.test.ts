/** Formats of printf for languages that know fewer lengths than C. */
import { describe, expect, it } from "vitest";
import { translateKernels } from "../../../../core/compiler/driver/translate.ts";
import { cudaEmitter } from "../../../../targets/cuda/emit.ts";
import { openclEmitter } from "../../../../targets/opencl/emit.ts";

const file = "main.c";
const printing = (call: string) => `
typedef unsigned long size_t;
int printf(const char *, ...);
int main(void) {
  size_t n = 4;
#pragma acc parallel loop
  for (int i = 0; i < 4; i++)
    ${call};
}`;

function printed(emitter: typeof cudaEmitter, call = lengths): string | undefined {
  const { kernels } = translateKernels({ file, text: printing(call) }, emitter);
  return /printf\(.*\);/.exec(kernels[0]?.text ?? "")?.[0];
}

const lengths = 'printf("%5zu %-*td %jd %lld 0x%llx %hhd %%zu\\n", n, 4, 5l, 6l, 7LL, 0x8ull, i)';

describe("printf in a region", () => {
  it("uses l for z, t and j in CUDA, whose printf takes %zu as 32 bits, and converts bytes, since it has no hh", () => {
    expect(printed(cudaEmitter)).toContain(
      '"%5lu %-*ld %ld %lld 0x%llx %d %%zu\\n", n, 4, 5l, 6l, 7LL, 0x8ull, (signed char)i',
    );
  });

  it("uses l for ll as well in OpenCL, where long long has 128 bits or does not exist", () => {
    expect(printed(openclEmitter)).toContain(
      '"%5lu %-*ld %ld %ld 0x%lx %hhd %%zu\\n", n, 4, 5l, 6l, 7l, 0x8ul, ',
    );
  });

  it("reads conversions that begin in one literal and end in the next, as the macros of <inttypes.h> make them", () => {
    const call = 'printf("%" "hhu %%" " %" "l" "d %hhd\\n", i, 5l, i)';
    expect(printed(cudaEmitter, call)).toContain('"%u %%" " %ld %d\\n", (unsigned char)i');
    expect(printed(openclEmitter, 'printf("%" "lld\\n", 7LL)')).toBe('printf("%ld\\n", 7l);');
  });
});
