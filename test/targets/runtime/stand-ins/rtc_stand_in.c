/*
 * A stand-in for libnvrtc.so and libhiprtc.so, for the stand-in drivers: it compiles kernels by g++ into what these load.
 * Threads of a block run one after the other. RTC is the prefix of the functions, CODE what they call machine code.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define JOINED(a, b) a##b
#define NAMED(a, b) JOINED(a, b)
#define F(name) NAMED(RTC, name)

struct program {
  char *source, *name, *code;
  char kernel[64], lowered[80], log[8192];
  size_t size;
};

static const char before[] =
    "#include <cstddef>\n#include <utility>\n#define __global__\n#define __device__ static\n"
    "struct dim { unsigned x, y, z; };\nstatic dim threadIdx, blockIdx, blockDim, gridDim;\n";
static const char behind[] =
    "\ntemplate <class... A, std::size_t... I>\n"
    "static void start(void (*f)(A...), void **p, std::index_sequence<I...>) { f(*(A *)p[I]...); }\n"
    "template <class... A> static void launch(void (*f)(A...), void **p, const unsigned *g, const unsigned *b) {\n"
    "  gridDim = {g[0], g[1], g[2]}, blockDim = {b[0], b[1], b[2]};\n"
    "  for (unsigned i = 0; i < g[0] * g[1] * g[2]; i++)\n"
    "    for (unsigned j = 0; j < b[0] * b[1] * b[2]; j++) {\n"
    "      blockIdx = {i %% g[0], i / g[0] %% g[1], i / g[0] / g[1]};\n"
    "      threadIdx = {j %% b[0], j / b[0] %% b[1], j / b[0] / b[1]};\n"
    "      start(f, p, std::index_sequence_for<A...>());\n"
    "    }\n"
    "}\n"
    "extern \"C\" void lowered_%1$s(void **p, const unsigned *g, const unsigned *b) { launch(&%1$s, p, g, b); }\n"
    "struct table { unsigned list[32]; };\n"
    "template <class... A> static constexpr table listed(void (*)(A...)) { return {{sizeof(A)..., 0}}; }\n"
    "extern \"C\" { extern const table lowered_%1$s_sizes; const table lowered_%1$s_sizes = listed(&%1$s); }\n";

int F(CreateProgram)(struct program **program, const char *source, const char *name, int count, const char **headers,
                     const char **names) {
  (void)headers, (void)names;
  *program = calloc(1, sizeof **program);
  (*program)->source = strdup(source);
  (*program)->name = strdup(name);
  return count != 0;
}
int F(DestroyProgram)(struct program **program) {
  free((*program)->source);
  free((*program)->name);
  free((*program)->code);
  free(*program);
  return 0;
}
int F(AddNameExpression)(struct program *program, const char *name) {
  snprintf(program->kernel, sizeof program->kernel, "%s", name);
  return 0;
}
int F(CompileProgram)(struct program *program, int count, const char **options) {
  for (int i = 0; i < count; i++)
    if (strncmp(options[i], "-I", 2) && strncmp(options[i], "-D", 2) && strcmp(options[i], "--gpu-architecture=sm_90")) return 5;
  const char *folder = getenv("TMPDIR");
  char path[4096], command[9000];
  snprintf(path, sizeof path, "%s/arc-rtc-XXXXXX", folder ? folder : "/tmp");
  if (close(mkstemp(path))) return 1;
  snprintf(command, sizeof command, "g++ -std=c++17 -w -shared -fPIC -Wl,-Bsymbolic -x c++ - -o %s 2>%s.log", path, path);
  FILE *pipe = popen(command, "w");
  fputs(before, pipe);
  fprintf(pipe, "#line 1 \"%s\"\n%s", program->name, program->source);
  fprintf(pipe, behind, program->kernel);
  int failed = pclose(pipe) != 0;
  snprintf(command, sizeof command, "%s.log", path);
  FILE *log = fopen(command, "r");
  program->log[fread(program->log, 1, sizeof program->log - 1, log)] = 0;
  fclose(log);
  unlink(command);
  FILE *file = fopen(path, "rb");
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  program->size = size + sizeof size;
  program->code = malloc(program->size);
  memcpy(program->code, &size, sizeof size);
  if (fread(program->code + sizeof size, 1, size, file) != size) failed = 1;
  fclose(file);
  unlink(path);
  return failed ? 6 : 0;
}
int F(GetProgramLogSize)(struct program *program, size_t *size) { return *size = strlen(program->log) + 1, 0; }
int F(GetProgramLog)(struct program *program, char *log) { return strcpy(log, program->log), 0; }
int F(GetLoweredName)(struct program *program, const char *name, const char **lowered) {
  snprintf(program->lowered, sizeof program->lowered, "lowered_%s", name);
  return *lowered = program->lowered, 0;
}
int F(NAMED(NAMED(Get, CODE), Size))(struct program *program, size_t *size) { return *size = program->size, 0; }
int F(NAMED(Get, CODE))(struct program *program, char *code) { return memcpy(code, program->code, program->size), 0; }
