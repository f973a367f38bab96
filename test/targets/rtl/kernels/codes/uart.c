/* A UART as a state machine: frames of start, data, parity and stop bits out of samples. */
enum state { IDLE, START, DATA, PARITY, STOP };
void work(const unsigned char *line, unsigned char *out, int *errors) {
#pragma acc serial copyin(line[0:250]) copy(out[0:32], errors[0:1])
  {
    enum state s = IDLE;
    int bits = 0, n = 0, bad = 0;
    unsigned char shift = 0, parity = 0;
    for (int t = 0; t < 250; t++) {
      unsigned char rx = line[t] >> 5 & 1;
      switch (s) {
      case IDLE:
        if (!rx) s = START;
        break;
      case START:
        bits = 0;
        parity = 0;
        s = DATA;
        /* fall through */
      case DATA:
        shift = shift >> 1 | rx << 7;
        parity ^= rx;
        if (++bits == 8) s = PARITY;
        break;
      case PARITY:
        if (rx != parity) bad++;
        s = STOP;
        break;
      case STOP:
        if (rx && n < 32) out[n++] = shift;
        else bad += 100;
        s = IDLE;
      }
    }
    *errors = bad;
  }
}
