/* pocl-library FROM TO: PoCL's library of built-in functions without its debug information, and without the functions
   of vectors, half numbers, images, generic pointers and rounded conversions, which no kernel of arc calls but for two conversions. PoCL reads
   the whole library for every program that it builds: of the full one, for two thirds of the time. A kernel that needs
   a missing function does not build. */
#include <stdio.h>
#include <string.h>

/* LLVM's C interface, of the library that PoCL itself uses; its headers are another package. */
typedef struct LLVMOpaqueContext *LLVMContextRef;
typedef struct LLVMOpaqueMemoryBuffer *LLVMMemoryBufferRef;
typedef struct LLVMOpaqueModule *LLVMModuleRef;
typedef struct LLVMOpaqueValue *LLVMValueRef;
typedef struct LLVMOpaqueUse *LLVMUseRef;
LLVMContextRef LLVMGetGlobalContext(void);
int LLVMCreateMemoryBufferWithContentsOfFile(const char *path, LLVMMemoryBufferRef *buffer, char **message);
int LLVMParseBitcodeInContext2(LLVMContextRef context, LLVMMemoryBufferRef buffer, LLVMModuleRef *module);
int LLVMWriteBitcodeToFile(LLVMModuleRef module, const char *path);
unsigned LLVMStripModuleDebugInfo(LLVMModuleRef module);
LLVMValueRef LLVMGetFirstFunction(LLVMModuleRef module);
LLVMValueRef LLVMGetNextFunction(LLVMValueRef function);
const char *LLVMGetValueName2(LLVMValueRef value, size_t *length);
LLVMUseRef LLVMGetFirstUse(LLVMValueRef value);
void LLVMDeleteFunction(LLVMValueRef function);

/* Parts of names, mangled ones among them: Dv is a vector, Dh a half. Functions that others call stay. */
static const char *const unneeded[] = {"Dv",     "Dh",         "CLgeneric", "ocl_image", "pixel", "vload", "vstore",
                                       "shuffle", "async_work", "_sat",      "_rte",      "_rtz",  "_rtp",  "_rtn",
                                       "Sleef_",  "gammak",     "gammafk"};

static int is_unneeded(const char *name) {
  for (unsigned k = 0; k < sizeof unneeded / sizeof *unneeded; k++)
    if (strstr(name, unneeded[k])) return !strstr(name, "_cl_vload_halfm") && !strstr(name, "_cl_vstore_half_rtefm");
  return 0;
}

static int delete_unneeded(LLVMModuleRef module) {
  int deleted = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f; f = next) {
    size_t length;
    next = LLVMGetNextFunction(f);
    if (LLVMGetFirstUse(f) || !is_unneeded(LLVMGetValueName2(f, &length))) continue;
    LLVMDeleteFunction(f);
    deleted++;
  }
  return deleted;
}

int main(int argc, char **argv) {
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef module;
  char *message = "";
  if (argc != 3) return 2;
  if (LLVMCreateMemoryBufferWithContentsOfFile(argv[1], &buffer, &message) ||
      LLVMParseBitcodeInContext2(LLVMGetGlobalContext(), buffer, &module)) {
    fprintf(stderr, "%s: cannot be read as LLVM bitcode %s\n", argv[1], message);
    return 1;
  }
  LLVMStripModuleDebugInfo(module);
  /* Functions that only deleted ones call become unneeded in turn. */
  while (delete_unneeded(module) > 0) continue;
  return LLVMWriteBitcodeToFile(module, argv[2]);
}
