/* Calls of `arc cc` by a resident compiler. */
#include <stdbool.h>

enum { UNANSWERED = -1 };

/*
 * Has a resident compiler run `arc ARGUMENT...` and returns its exit status, or UNANSWERED if the caller has to run it,
 * of which nothing was done or told then. If there is none yet one is started for the calls to come, by `start`, which
 * becomes it; `script` is arc.cjs.
 */
int ask_resident(const char *script, char **arguments, void (*start)(char *script));
