/*
 * arc_host_items.h: the work-items of a group as coroutines of the group's thread, for kernels with barriers. Each item
 * runs up to its next barrier, then the next item does. Between barriers they therefore run one after the other, which
 * is allowed, and group memory is local to the thread.
 */
#ifndef ARC_HOST_ITEMS_H
#define ARC_HOST_ITEMS_H
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#if !defined __x86_64__ && !defined __aarch64__
#include <ucontext.h>
#endif

typedef void arc_item_body(long item, void *arguments);

/* Where a coroutine resumes: the top of its stack, which holds its registers. */
struct arc_coroutine {
#if defined __x86_64__ || defined __aarch64__
  void *top;
#else
  ucontext_t context;
#endif
};

struct arc_items {
  struct arc_coroutine back, *each;
  char *stacks;
  long room, running;
  char *done;
  arc_item_body *body;
  void *arguments;
};

static _Thread_local struct arc_items arc_items;

enum { arc_stack_bytes = 256 << 10 };

#if defined __x86_64__ || defined __aarch64__
/* Pushes the callee-saved registers, switches stacks, and pops them from the other stack. */
void arc_switch(void **from, void *to) __asm__("arc_switch_stacks") __attribute__((visibility("hidden")));
#if defined __x86_64__
__asm__(".text\n.hidden arc_switch_stacks\n.weak arc_switch_stacks\n.type arc_switch_stacks,@function\n"
        "arc_switch_stacks:\n"
        "pushq %rbp\npushq %rbx\npushq %r12\npushq %r13\npushq %r14\npushq %r15\n"
        "movq %rsp, (%rdi)\nmovq %rsi, %rsp\n"
        "popq %r15\npopq %r14\npopq %r13\npopq %r12\npopq %rbx\npopq %rbp\nret\n");
enum { arc_saved_words = 6, arc_return_word = 6 };
#else
__asm__(".text\n.hidden arc_switch_stacks\n.weak arc_switch_stacks\n.type arc_switch_stacks,%function\n"
        "arc_switch_stacks:\n"
        "sub sp, sp, #160\n"
        "stp x19, x20, [sp, #0]\nstp x21, x22, [sp, #16]\nstp x23, x24, [sp, #32]\nstp x25, x26, [sp, #48]\n"
        "stp x27, x28, [sp, #64]\nstp x29, x30, [sp, #80]\n"
        "stp d8, d9, [sp, #96]\nstp d10, d11, [sp, #112]\nstp d12, d13, [sp, #128]\nstp d14, d15, [sp, #144]\n"
        "mov x9, sp\nstr x9, [x0]\nmov sp, x1\n"
        "ldp x19, x20, [sp, #0]\nldp x21, x22, [sp, #16]\nldp x23, x24, [sp, #32]\nldp x25, x26, [sp, #48]\n"
        "ldp x27, x28, [sp, #64]\nldp x29, x30, [sp, #80]\n"
        "ldp d8, d9, [sp, #96]\nldp d10, d11, [sp, #112]\nldp d12, d13, [sp, #128]\nldp d14, d15, [sp, #144]\n"
        "add sp, sp, #160\nret\n");
enum { arc_saved_words = 20, arc_return_word = 11 };
#endif
#endif

static void arc_yield(struct arc_items *items) {
#if defined __x86_64__ || defined __aarch64__
  arc_switch(&items->each[items->running].top, items->back.top);
#else
  swapcontext(&items->each[items->running].context, &items->back.context);
#endif
}

static void arc_resume(struct arc_items *items) {
#if defined __x86_64__ || defined __aarch64__
  arc_switch(&items->back.top, items->each[items->running].top);
#else
  swapcontext(&items->back.context, &items->each[items->running].context);
#endif
}

/* All items of the group reach the same barrier. */
static void arc_barrier(void) { arc_yield(&arc_items); }

static void arc_item_start(void) {
  struct arc_items *items = &arc_items;
  items->body(items->running, items->arguments);
  items->done[items->running] = 1;
  for (;;) arc_yield(items);
}

static void arc_prepare(struct arc_items *items, long item, long guard) {
  char *stack = items->stacks + item * (long)arc_stack_bytes;
#if defined __x86_64__ || defined __aarch64__
  (void)guard;
  uintptr_t *top = (uintptr_t *)(stack + arc_stack_bytes);
  /* As after a call: at function entry the stack pointer is 8 bytes below a multiple of 16 on x86-64. */
  top -= 4 + arc_saved_words;
  for (int i = 0; i < arc_saved_words; i++) top[i] = 0;
  top[arc_return_word] = (uintptr_t)arc_item_start;
  if (arc_return_word == arc_saved_words) top[arc_return_word + 1] = 0;
  items->each[item].top = top;
#else
  getcontext(&items->each[item].context);
  items->each[item].context.uc_stack.ss_sp = stack + guard;
  items->each[item].context.uc_stack.ss_size = (size_t)(arc_stack_bytes - guard);
  makecontext(&items->each[item].context, arc_item_start, 0);
#endif
}

/* Stacks stay with their thread for its next groups. */
static void arc_make_room(struct arc_items *items, long count, long guard) {
  if (items->room >= count) return;
  if (items->room) {
    munmap(items->stacks, (size_t)items->room * arc_stack_bytes);
    free(items->each);
    free(items->done);
  }
  items->room = count;
  items->stacks = (char *)mmap(NULL, (size_t)count * arc_stack_bytes, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  items->each = (struct arc_coroutine *)malloc((size_t)count * sizeof *items->each);
  items->done = (char *)malloc((size_t)count);
  if (items->stacks == (char *)MAP_FAILED || !items->each || !items->done) {
    fprintf(stderr, "arc: no memory for the stacks of a team of %ld threads\n", count);
    abort();
  }
  for (long i = 0; i < count; i++) mprotect(items->stacks + i * (long)arc_stack_bytes, (size_t)guard, PROT_NONE);
}

/* Runs all items of a group to their ends. */
static void arc_run_items(long count, arc_item_body *body, void *arguments) {
  struct arc_items *items = &arc_items;
  const long guard = sysconf(_SC_PAGESIZE);
  arc_make_room(items, count, guard);
  items->body = body;
  items->arguments = arguments;
  for (long i = 0; i < count; i++) {
    items->done[i] = 0;
    arc_prepare(items, i, guard);
  }
  for (long left = count; left > 0;)
    for (long i = 0; i < count; i++) {
      if (items->done[i]) continue;
      items->running = i;
      arc_resume(items);
      left -= items->done[i];
    }
}

#endif
