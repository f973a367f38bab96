/* opencl_api.c: opens the OpenCL library. */
#define _POSIX_C_SOURCE 200809L
#include "backend/opencl/opencl_api.h"
#include "report/error.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct arc_opencl_api api;
static bool good;
static char *problem;

#define FIND(result, name, parameters)                                     \
  {                                                                        \
    void *symbol = dlsym(library, #name);                                  \
    if (!symbol && !problem) problem = arc_copy_string("it lacks " #name); \
    memcpy(&api.name, &symbol, sizeof symbol);                             \
  }

static void open_library(void) {
  // PoCL 3.1 tells the vectoriser that no loop between barriers carries a dependence, and then loses stores.
  setenv("POCL_WORK_GROUP_METHOD", "loops", 0);
  const char *name = getenv("ARC_OPENCL_LIBRARY");
  void *library = dlopen(name && *name ? name : "libOpenCL.so.1", RTLD_NOW | RTLD_GLOBAL);
  if (!library) {
    problem = arc_copy_string(dlerror());
    return;
  }
  ARC_OPENCL_FUNCTIONS(FIND)
  void *with_il = dlsym(library, "clCreateProgramWithIL");
  memcpy(&api.clCreateProgramWithIL, &with_il, sizeof with_il);
  good = !problem;
}

const struct arc_opencl_api *arc_opencl_api(void) {
  pthread_once(&once, open_library);
  if (!good) arc_because("the OpenCL library cannot be used: %s", problem);
  return good ? &api : NULL;
}

const char *arc_opencl_error(cl_int code) {
  static const struct {
    cl_int code;
    const char *name;
  } names[] = {
      {-1, "CL_DEVICE_NOT_FOUND"},
      {-2, "CL_DEVICE_NOT_AVAILABLE"},
      {-3, "CL_COMPILER_NOT_AVAILABLE"},
      {-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
      {-5, "CL_OUT_OF_RESOURCES"},
      {-6, "CL_OUT_OF_HOST_MEMORY"},
      {-11, "CL_BUILD_PROGRAM_FAILURE"},
      {-14, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
      {-30, "CL_INVALID_VALUE"},
      {-33, "CL_INVALID_DEVICE"},
      {-34, "CL_INVALID_CONTEXT"},
      {-36, "CL_INVALID_COMMAND_QUEUE"},
      {-38, "CL_INVALID_MEM_OBJECT"},
      {-42, "CL_INVALID_BINARY"},
      {-43, "CL_INVALID_BUILD_OPTIONS"},
      {-44, "CL_INVALID_PROGRAM"},
      {-46, "CL_INVALID_KERNEL_NAME"},
      {-48, "CL_INVALID_KERNEL"},
      {-49, "CL_INVALID_ARG_INDEX"},
      {-50, "CL_INVALID_ARG_VALUE"},
      {-51, "CL_INVALID_ARG_SIZE"},
      {-52, "CL_INVALID_KERNEL_ARGS"},
      {-54, "CL_INVALID_WORK_GROUP_SIZE"},
      {-55, "CL_INVALID_WORK_ITEM_SIZE"},
      {-61, "CL_INVALID_BUFFER_SIZE"},
      {-63, "CL_INVALID_GLOBAL_WORK_SIZE"},
      {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].code == code) return names[i].name;
  return "an OpenCL error";
}
