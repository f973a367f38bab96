/* expression.c: parsing and evaluating postfix expressions over int64. */
#include "image/expression.h"
#include "report/error.h"
#include <stdlib.h>
#include <string.h>

enum operation {
  CONSTANT,
  TRIP,
  ITERATION,
  ARGUMENT,
  NUM_GANGS,
  NUM_WORKERS,
  VECTOR_LENGTH,
  COMPUTE_UNITS,
  MAX_GROUP,
  DEVICE_NUMBER,
  LAST_GROUP,
  GRID_X,
  GRID_Y,
  GRID_Z,
  ADD,
  SUBTRACT,
  MULTIPLY,
  DIVIDE,
  REMAINDER,
  CEILDIV,
  MINIMUM,
  MAXIMUM,
  CHOOSE
};

struct arc_step {
  enum operation operation;
  int64_t value; /* CONSTANT: itself; TRIP, ITERATION, ARGUMENT: which */
};

static const struct {
  const char *word;
  enum operation operation;
} words[] = {
    {"ng", NUM_GANGS}, {"nw", NUM_WORKERS},  {"vl", VECTOR_LENGTH}, {"cu", COMPUTE_UNITS},
    {"mg", MAX_GROUP}, {"gx", GRID_X},       {"gy", GRID_Y},        {"gz", GRID_Z},
    {"dn", DEVICE_NUMBER}, {"lg", LAST_GROUP},
    {"+", ADD},        {"-", SUBTRACT},      {"*", MULTIPLY},       {"/", DIVIDE},
    {"%", REMAINDER},  {"ceildiv", CEILDIV}, {"min", MINIMUM},      {"max", MAXIMUM},
    {"?", CHOOSE},
};

enum { deepest = 32, longest_word = 20 /* -9223372036854775808 */ };

static bool integer(const char *word, int64_t *value) {
  const char *digits = word[0] == '-' ? word + 1 : word;
  if (!*digits) return false;
  uint64_t magnitude = 0, limit = (uint64_t)INT64_MAX + (word[0] == '-');
  for (; *digits; digits++) {
    if (*digits < '0' || *digits > '9') return false;
    uint64_t digit = (uint64_t)(*digits - '0');
    if (magnitude > (limit - digit) / 10) return false;
    magnitude = magnitude * 10 + digit;
  }
  *value = (int64_t)(word[0] == '-' ? 0 - magnitude : magnitude);
  return true;
}

static bool parse_word(const char *word, struct arc_step *step) {
  if (integer(word, &step->value)) {
    step->operation = CONSTANT;
    return true;
  }
  if (word[0] == 't' && word[1] != '-' && integer(word + 1, &step->value) && step->value < 64) {
    step->operation = TRIP;
    return true;
  }
  if (word[0] == 'n' && word[1] != '-' && integer(word + 1, &step->value) && step->value < arc_deepest_loop) {
    step->operation = ITERATION;
    return true;
  }
  if (word[0] == 'a' && word[1] != '-' && integer(word + 1, &step->value)) {
    step->operation = ARGUMENT;
    return true;
  }
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strcmp(word, words[i].word) == 0) {
      step->operation = words[i].operation;
      return true;
    }
  }
  return false;
}

static size_t operands(enum operation operation) { return operation < ADD ? 0 : operation == CHOOSE ? 3 : 2; }

bool arc_expression_parse(struct arc_expression *expression, const char *text, size_t length,
                          const char **why) {
  *expression = (struct arc_expression){0};
  size_t held = 0, at = 0;
  while (at < length) {
    if (text[at] == ' ') {
      at++;
      continue;
    }
    size_t end = at;
    while (end < length && text[end] != ' ') end++;
    char word[longest_word + 1];
    struct arc_step step = {0};
    *why = "a word is not a number, name or operator";
    if (end - at > longest_word) goto wrong;
    memcpy(word, text + at, end - at);
    word[end - at] = 0;
    if (!parse_word(word, &step)) goto wrong;
    size_t taken = operands(step.operation);
    *why = "an operator has too few operands";
    if (held < taken) goto wrong;
    held += 1 - taken;
    *why = "it is nested too deeply";
    if (held > deepest) goto wrong;
    if (held > expression->depth) expression->depth = held;
    if (step.operation == TRIP && expression->ntrips <= (size_t)step.value)
      expression->ntrips = (size_t)step.value + 1;
    if (step.operation >= GRID_X && step.operation <= GRID_Z) expression->uses_grid = true;
    expression->steps = arc_resize(expression->steps, (expression->count + 1) * sizeof step);
    expression->steps[expression->count++] = step;
    at = end;
  }
  *why = held ? "it leaves more than one value" : "it is empty";
  if (held == 1) return true;
wrong:
  arc_expression_free(expression);
  return false;
}

static int64_t divide(int64_t a, int64_t b) {
  if (b == 0) return 0;
  return b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

static int64_t binary(enum operation operation, int64_t a, int64_t b) {
  switch (operation) {
  case ADD: return (int64_t)((uint64_t)a + (uint64_t)b);
  case SUBTRACT: return (int64_t)((uint64_t)a - (uint64_t)b);
  case MULTIPLY: return (int64_t)((uint64_t)a * (uint64_t)b);
  case DIVIDE: return divide(a, b);
  case REMAINDER: return b == 0 || b == -1 ? 0 : a % b;
  case CEILDIV: {
    int64_t quotient = divide(a, b);
    bool inexact = b != 0 && b != -1 && a % b != 0;
    return quotient + (inexact && (a < 0) == (b < 0));
  }
  case MINIMUM: return a < b ? a : b;
  default: return a > b ? a : b;
  }
}

/* As a signed number: larger counts could not be completed by any kernel anyway. */
static int64_t argument(int64_t which, const struct arc_scope *scope) {
  if ((size_t)which >= scope->narguments) return 0;
  const arc_arg *passed = &scope->arguments[which];
  int8_t byte = 0;
  int16_t half = 0;
  int32_t word = 0;
  int64_t wide = 0;
  if (passed->kind != ARC_ARG_VALUE || !passed->host) return 0;
  switch (passed->size) {
  case sizeof byte: return memcpy(&byte, passed->host, sizeof byte), byte;
  case sizeof half: return memcpy(&half, passed->host, sizeof half), half;
  case sizeof word: return memcpy(&word, passed->host, sizeof word), word;
  case sizeof wide: return memcpy(&wide, passed->host, sizeof wide), wide;
  default: return 0;
  }
}

static int64_t named(enum operation operation, int64_t value, const struct arc_scope *scope) {
  switch (operation) {
  case CONSTANT: return value;
  case TRIP: return (size_t)value < scope->ntrips ? scope->trips[value] : 0;
  case ITERATION: return scope->iterations[value];
  case ARGUMENT: return argument(value, scope);
  case NUM_GANGS: return scope->num_gangs;
  case NUM_WORKERS: return scope->num_workers;
  case VECTOR_LENGTH: return scope->vector_length;
  case COMPUTE_UNITS: return scope->compute_units;
  case MAX_GROUP: return scope->max_group;
  case DEVICE_NUMBER: return scope->device_number;
  case LAST_GROUP: return scope->last_group;
  default: return scope->grid[operation - GRID_X];
  }
}

int64_t arc_expression_value(const struct arc_expression *expression, const struct arc_scope *scope) {
  if (expression->count == 1) return named(expression->steps->operation, expression->steps->value, scope);
  int64_t held[deepest];
  size_t n = 0;
  for (size_t i = 0; i < expression->count; i++) {
    const struct arc_step *step = &expression->steps[i];
    if (step->operation < ADD) {
      held[n++] = named(step->operation, step->value, scope);
    } else if (step->operation == CHOOSE) {
      n -= 2;
      held[n - 1] = held[n - 1] ? held[n] : held[n + 1];
    } else {
      n--;
      held[n - 1] = binary(step->operation, held[n - 1], held[n]);
    }
  }
  return held[0];
}

void arc_expression_free(struct arc_expression *expression) {
  free(expression->steps);
  *expression = (struct arc_expression){0};
}
