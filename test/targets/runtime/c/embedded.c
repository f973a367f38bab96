/* An image inside the program: -DIMAGE="..." is the file whose bytes are registered by a constructor. */
#include "check.h"

__asm__(".section .rodata\n"
        ".globl image_start, image_end\n"
        "image_start: .incbin \"" IMAGE "\"\n"
        "image_end: .byte 0\n"
        ".previous\n");
extern const unsigned char image_start[], image_end[];

__attribute__((constructor)) static void registered(void) {
  arc_register_image("cpu", "default", image_start, (size_t)(image_end - image_start));
}

/* declare: mapped before main does anything. */
static int table[100] = {1, 2, 3};
__attribute__((constructor)) static void declared(void) {
  static const arc_site site = {"embedded.c", 20, "declare"};
  static const arc_item item = ITEM(COPYIN, table, 100);
  arc_declare(&site, 1, &item);
}

int main(void) {
  CHECK(acc_is_present(table, sizeof table));
  add(table, 100, 5, ARC_SYNC);
  acc_update_self(table, sizeof table);
  CHECK(table[0] == 6 && table[99] == 5);
  acc_delete(table, sizeof table); /* does not undo a declare */
  CHECK(acc_is_present(table, sizeof table));
  puts("right");
  return 0;
}
