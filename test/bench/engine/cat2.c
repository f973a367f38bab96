/* The benches' action: writes the first half of both inputs to the output. Static, so that starting it costs little. */
#include <fcntl.h>
#include <unistd.h>

int main(int argc, char **argv) {
  char bytes[65536];
  if (argc != 4) return 2;
  int out = open(argv[3], O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (out < 0) return 1;
  for (int input = 1; input < 3; input++) {
    int in = open(argv[input], O_RDONLY);
    long count = in < 0 ? -1 : read(in, bytes, sizeof bytes);
    if (count < 0) return 1;
    /* A different half each time, so that no two actions make the same. */
    for (long at = 0; at < count; at++) bytes[at] += (char)(at % (input + 1));
    if (write(out, bytes + (input - 1) * (count / 2), count / 2) < 0) return 1;
    close(in);
  }
  return 0;
}
