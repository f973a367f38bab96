/* image.c: reads the manifest of an image. Nothing in it is trusted: it may be truncated, outdated or damaged. */
#include "image/image.h"
#include "report/error.h"
#include "report/text.h"
#include <stdlib.h>
#include <string.h>

struct reader {
  const char *bytes;
  size_t size, at;
  size_t line;
  struct arc_image *image;
  struct arc_region_record *region;
  struct arc_kernel_record *kernel;
  size_t open[arc_deepest_loop], depth; /* loops whose end is still to come */
  const char *problem; /* set when a line is wrong */
};

/* One line, split into its first word and the rest. */
struct line {
  const char *word;
  size_t word_length;
  const char *rest;
  size_t rest_length;
};

static bool wrong(struct reader *reader, const char *problem) {
  reader->problem = problem;
  return false;
}

static bool next_line(struct reader *reader, struct line *line) {
  const char *start = reader->bytes + reader->at;
  const char *end = memchr(start, '\n', reader->size - reader->at);
  reader->line++;
  if (!end) return wrong(reader, "the file ends inside its manifest");
  const char *space = memchr(start, ' ', (size_t)(end - start));
  line->word = start;
  line->word_length = (size_t)((space ? space : end) - start);
  line->rest = space ? space + 1 : end;
  line->rest_length = (size_t)(end - line->rest);
  reader->at = (size_t)(end + 1 - reader->bytes);
  return true;
}

static bool is(const struct line *line, const char *word) {
  return line->word_length == strlen(word) && memcmp(line->word, word, line->word_length) == 0;
}

static char *copy(const char *bytes, size_t length) {
  char *string = arc_allocate(length + 1);
  memcpy(string, bytes, length);
  return string;
}

static bool number(const char *text, size_t length, size_t *value) {
  if (length == 0 || length > 18) return false;
  *value = 0;
  for (size_t i = 0; i < length; i++) {
    if (text[i] < '0' || text[i] > '9') return false;
    *value = *value * 10 + (size_t)(text[i] - '0');
  }
  return true;
}

/* The array, extended by one zeroed element. */
static void *grow(void *array, size_t *count, size_t element) {
  char *elements = arc_resize(array, (*count + 1) * element);
  memset(elements + *count * element, 0, element);
  (*count)++;
  return elements;
}

static bool set_once(struct reader *reader, char **field, const struct line *line) {
  if (*field) return wrong(reader, "this line may appear only once");
  *field = copy(line->rest, line->rest_length);
  return true;
}

static bool expression(struct reader *reader, struct arc_expression *expression, const char *text,
                       size_t length) {
  if (!arc_expression_parse(expression, text, length, &reader->problem)) return false;
  if (reader->region->ntrips < expression->ntrips) reader->region->ntrips = expression->ntrips;
  return true;
}

/* Three expressions separated by " ; ". */
static bool three(struct reader *reader, struct arc_expression out[3], const struct line *line) {
  if (out[0].count) return wrong(reader, "this line may appear only once in a kernel");
  const char *at = line->rest, *end = line->rest + line->rest_length;
  for (int i = 0; i < 3; i++) {
    const char *stop = i < 2 ? memchr(at, ';', (size_t)(end - at)) : end;
    if (!stop) return wrong(reader, "three expressions separated by ';' are needed");
    if (!expression(reader, &out[i], at, (size_t)(stop - at))) return false;
    at = stop + (i < 2);
  }
  return true;
}

/* Two expressions separated by " ; ". */
static bool operations(struct reader *reader, const struct line *line) {
  struct arc_expression *out = reader->kernel->operations;
  const char *end = line->rest + line->rest_length, *stop = memchr(line->rest, ';', line->rest_length);
  if (out[0].count) return wrong(reader, "this line may appear only once in a kernel");
  if (!stop) return wrong(reader, "two expressions separated by ';' are needed");
  return expression(reader, &out[0], line->rest, (size_t)(stop - line->rest)) &&
         expression(reader, &out[1], stop + 1, (size_t)(end - stop - 1));
}

/* `FILE LINE WHAT`, or without WHAT: the file name may contain spaces, so the line is the first word that is a number. */
static bool site(struct reader *reader, const struct line *line, arc_site *out) {
  const char *end = line->rest + line->rest_length;
  for (const char *at = line->rest; at < end; at++) {
    if (*at != ' ') continue;
    const char *stop = memchr(at + 1, ' ', (size_t)(end - at - 1));
    if (!stop) stop = end;
    size_t value;
    if (!number(at + 1, (size_t)(stop - at - 1), &value)) continue;
    if (out->file) return wrong(reader, "this line may appear only once in a region");
    out->file = copy(line->rest, (size_t)(at - line->rest));
    out->line = (int)value;
    out->what = stop < end ? copy(stop + 1, (size_t)(end - stop - 1)) : NULL;
    return true;
  }
  return wrong(reader, "a file, a line number and a directive are needed");
}

static bool parameter(struct reader *reader, const struct line *line) {
  struct arc_kernel_record *kernel = reader->kernel;
  kernel->parameters = grow(kernel->parameters, &kernel->nparameters, sizeof *kernel->parameters);
  struct arc_parameter *out = &kernel->parameters[kernel->nparameters - 1];
  const char *text = line->rest;
  size_t length = line->rest_length;
  if (length > 2 && text[0] == 'i' && text[1] == ' ') {
    out->kind = ARC_PARAMETER_VALUE;
    return expression(reader, &out->value, text + 2, length - 2);
  }
  const struct arc_region_record *region = reader->region;
  if (length > 4 && text[0] == 'o' && text[1] == ' ') {
    const char *space = memchr(text + 2, ' ', length - 2);
    out->kind = ARC_PARAMETER_OVERLAP;
    if (!space || !number(text + 2, (size_t)(space - text - 2), &out->index) ||
        !number(space + 1, length - (size_t)(space + 1 - text), &out->other) ||
        out->index >= region->narguments || out->other >= region->narguments)
      return wrong(reader, "two arguments of the region are needed");
    return true;
  }
  const struct {
    char letter;
    enum arc_parameter_kind kind;
    size_t count;
  } kinds[] = {{'a', ARC_PARAMETER_ARGUMENT, region->narguments},
               {'g', ARC_PARAMETER_GLOBAL, region->nglobals},
               {'s', ARC_PARAMETER_SCRATCH, region->nscratch}};
  for (size_t k = 0; length >= 2 && k < sizeof kinds / sizeof *kinds; k++) {
    if (text[0] != kinds[k].letter || !number(text + 1, length - 1, &out->index)) continue;
    out->kind = kinds[k].kind;
    if (out->index >= kinds[k].count)
      return wrong(reader, "the region has no such argument, global or scratch");
    return true;
  }
  return wrong(reader, "a parameter is aN, gN, sN, 'o N M' or 'i EXPRESSION'");
}

/* `KIND KEY` */
static bool global(struct reader *reader, const struct line *line) {
  static const struct {
    const char *word;
    enum arc_map map;
  } kinds[] = {{"copy ", ARC_COPY}, {"copyin ", ARC_COPYIN}, {"pointer ", ARC_PRESENT}};
  struct arc_region_record *region = reader->region;
  region->globals = grow(region->globals, &region->nglobals, sizeof *region->globals);
  struct arc_global_record *out = &region->globals[region->nglobals - 1];
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    size_t length = strlen(kinds[k].word);
    if (line->rest_length <= length || memcmp(line->rest, kinds[k].word, length) != 0) continue;
    out->map = kinds[k].map;
    out->key = copy(line->rest + length, line->rest_length - length);
    return true;
  }
  return wrong(reader, "a global is 'copy KEY', 'copyin KEY' or 'pointer KEY'");
}

static bool payload(struct reader *reader, const struct line *line) {
  struct arc_image *image = reader->image;
  image->payloads = grow(image->payloads, &image->npayloads, sizeof *image->payloads);
  struct arc_payload *out = &image->payloads[image->npayloads - 1];
  const char *end = line->rest + line->rest_length;
  const char *space = memchr(line->rest, ' ', line->rest_length);
  if (!space) return wrong(reader, "a payload's kind and size are needed");
  if (space == line->rest) return wrong(reader, "a payload's kind and size are needed");
  out->kind = copy(line->rest, (size_t)(space - line->rest));
  const char *size = space + 1;
  const char *stop = memchr(size, ' ', (size_t)(end - size));
  if (!stop) stop = end;
  if (!number(size, (size_t)(stop - size), &out->size))
    return wrong(reader, "a payload's size is not a number");
  out->tag = stop < end ? copy(stop + 1, (size_t)(end - stop - 1)) : copy("", 0);
  return true;
}

static bool steps(struct reader *reader, const struct line *line) {
  struct arc_steps_record *out = &reader->region->steps;
  size_t *const fields[] = {&out->most, &out->input, &out->output, &out->count};
  const char *at = line->rest, *end = line->rest + line->rest_length;
  for (size_t k = 0; k < 4; k++) {
    const char *space = k < 3 ? memchr(at, ' ', (size_t)(end - at)) : end;
    if (!space || !number(at, (size_t)(space - at), fields[k]))
      return wrong(reader, "the most steps of a launch and three places of parameters are needed");
    at = space + 1;
  }
  return true;
}

/* The kernels up to the end of the loop are repeated as often as the expression says. */
static bool loop(struct reader *reader, const struct line *line) {
  struct arc_region_record *region = reader->region;
  if (reader->depth == arc_deepest_loop) return wrong(reader, "loops are nested too deeply");
  region->loops = grow(region->loops, &region->nloops, sizeof *region->loops);
  reader->open[reader->depth++] = region->nloops - 1;
  region->loops[region->nloops - 1].first = region->nkernels;
  reader->kernel = NULL;
  return expression(reader, &region->loops[region->nloops - 1].count, line->rest, line->rest_length);
}

static bool end_loop(struct reader *reader) {
  struct arc_region_record *region = reader->region;
  if (reader->depth == 0) return wrong(reader, "no loop is open here");
  struct arc_loop_record *ended = &region->loops[reader->open[--reader->depth]];
  ended->end = region->nkernels;
  reader->kernel = NULL;
  return ended->end > ended->first || wrong(reader, "a loop has no kernel");
}

static bool region_line(struct reader *reader, const struct line *line) {
  struct arc_region_record *region = reader->region;
  if (!region) return wrong(reader, "this line belongs inside a region");
  if (is(line, "site")) return site(reader, line, &region->site);
  if (is(line, "args")) {
    if (!number(line->rest, line->rest_length, &region->narguments))
      return wrong(reader, "a number is needed");
    return true;
  }
  if (is(line, "steps")) return steps(reader, line);
  if (is(line, "prints")) return region->prints = true;
  const bool fused = is(line, "fused");
  if (fused || is(line, "together")) {
    bool last = line->rest_length > 5 && memcmp(line->rest, "last ", 5) == 0;
    bool wait = line->rest_length > 5 && memcmp(line->rest, "wait ", 5) == 0;
    if ((!last && !wait) || !number(line->rest + 5, line->rest_length - 5, &region->group))
      return wrong(reader, "'wait' or 'last' and the number of a group are needed");
    region->together = last ? ARC_LAST : ARC_WAIT;
    region->fused = fused;
    return true;
  }
  if (is(line, "global")) return global(reader, line);
  if (is(line, "scratch")) {
    region->scratch = grow(region->scratch, &region->nscratch, sizeof *region->scratch);
    return expression(reader, &region->scratch[region->nscratch - 1], line->rest, line->rest_length);
  }
  if (is(line, "zeroed")) {
    const char *space = memchr(line->rest, ' ', line->rest_length);
    if (!space || !number(line->rest, (size_t)(space - line->rest), &region->zeroed) || region->zeroed >= region->nscratch)
      return wrong(reader, "the number of a scratch and a kernel's name are needed");
    region->sign = copy(space + 1, line->rest_length - (size_t)(space + 1 - line->rest));
    return true;
  }
  if (is(line, "stray"))
    return (number(line->rest, line->rest_length, &region->stray) && region->stray < region->nscratch) ||
           wrong(reader, "the number of a scratch is needed");
  if (is(line, "stray-call")) {
    region->strays = grow(region->strays, &region->nstrays, sizeof *region->strays);
    return site(reader, line, &region->strays[region->nstrays - 1]);
  }
  if (is(line, "loop")) return loop(reader, line);
  if (is(line, "end-loop")) return end_loop(reader);
  if (is(line, "kernel")) {
    region->kernels = grow(region->kernels, &region->nkernels, sizeof *region->kernels);
    reader->kernel = &region->kernels[region->nkernels - 1];
    if (!line->rest_length) return wrong(reader, "a kernel needs a name");
    reader->kernel->name = copy(line->rest, line->rest_length);
    return true;
  }
  if (!reader->kernel) return wrong(reader, "this line is unknown, or belongs inside a kernel");
  if (is(line, "group")) return three(reader, reader->kernel->group, line);
  if (is(line, "grid")) return three(reader, reader->kernel->grid, line);
  if (is(line, "operations")) return operations(reader, line);
  if (is(line, "param")) return parameter(reader, line);
  return wrong(reader, "this line is unknown");
}

/* `KERNEL NAME` */
static bool symbol(struct reader *reader, const struct line *line) {
  struct arc_image *image = reader->image;
  const char *space = memchr(line->rest, ' ', line->rest_length);
  if (!space) return wrong(reader, "a kernel's name and that of its code are needed");
  image->symbols = grow(image->symbols, &image->nsymbols, sizeof *image->symbols);
  image->symbols[image->nsymbols - 1] =
      (struct arc_symbol){copy(line->rest, (size_t)(space - line->rest)),
                          copy(space + 1, (size_t)(line->rest + line->rest_length - space - 1))};
  return true;
}

static bool image_line(struct reader *reader, const struct line *line) {
  struct arc_image *image = reader->image;
  if (is(line, "backend")) return set_once(reader, &image->backend, line);
  if (is(line, "target")) return set_once(reader, &image->target, line);
  if (is(line, "variant")) return set_once(reader, &image->variant, line);
  if (is(line, "options")) return set_once(reader, &image->options, line);
  if (is(line, "kernels")) return set_once(reader, &image->kernels, line);
  if (is(line, "fpga")) return image->fpga = true;
  if (is(line, "symbol")) return symbol(reader, line);
  if (is(line, "payload")) return payload(reader, line);
  if (is(line, "region")) {
    if (reader->depth) return wrong(reader, "a loop of the region before has no end");
    image->regions = grow(image->regions, &image->nregions, sizeof *image->regions);
    reader->region = &image->regions[image->nregions - 1];
    reader->kernel = NULL;
    if (!line->rest_length) return wrong(reader, "a region needs a name");
    reader->region->name = copy(line->rest, line->rest_length);
    return true;
  }
  return region_line(reader, line);
}

static bool complete(struct reader *reader) {
  struct arc_image *image = reader->image;
  if (!image->backend || !image->target || !image->variant)
    return wrong(reader, "the lines 'backend', 'target' and 'variant' are needed");
  if (reader->depth) return wrong(reader, "a loop has no end");
  if (!image->options) image->options = copy("", 0);
  for (size_t r = 0; r < image->nregions; r++) {
    struct arc_region_record *region = &image->regions[r];
    if (!region->nkernels) return wrong(reader, "a region has no kernel");
    const struct arc_steps_record *steps = &region->steps;
    size_t n = region->kernels[0].nparameters;
    if (steps->most && (region->nkernels != 1 || region->nscratch || region->nloops || steps->input >= n || steps->output >= n ||
                        steps->count >= n))
      return wrong(reader, "a region that makes steps has one kernel with their parameters, and no scratch");
    if (region->together && (region->nkernels != 1 || region->nscratch || region->nloops))
      return wrong(reader, "a region that runs together with others has one kernel and no scratch");
    for (size_t k = 0; k < region->nkernels; k++)
      if (!region->kernels[k].grid[0].count || !region->kernels[k].group[0].count)
        return wrong(reader, "a kernel has no 'grid' or no 'group' line");
    for (int i = 0; i < 3; i++)
      if (region->kernels[0].grid[i].uses_grid) return wrong(reader, "a grid is defined by itself");
  }
  for (size_t p = 0; p < image->npayloads; p++) {
    struct arc_payload *payload = &image->payloads[p];
    if (payload->size > reader->size - reader->at) return wrong(reader, "the file ends inside its payloads");
    payload->bytes = (const unsigned char *)reader->bytes + reader->at;
    reader->at += payload->size;
  }
  return true;
}

static bool parse(struct reader *reader) {
  struct line line;
  if (!next_line(reader, &line)) return false;
  if (!is(&line, "arc-image")) return wrong(reader, "it is not an image");
  if (line.rest_length != 1 || line.rest[0] != '1')
    return wrong(reader, "this runtime reads version 1 of the image format only; rebuild the image");
  while (next_line(reader, &line)) {
    if (is(&line, "end")) return complete(reader);
    if (!image_line(reader, &line)) return false;
  }
  return false;
}

struct arc_image *arc_image_parse(const char *origin, const void *bytes, size_t size, char **why) {
  struct reader reader = {.bytes = bytes, .size = size, .image = arc_allocate(sizeof *reader.image)};
  reader.image->origin = arc_copy_string(origin);
  if (parse(&reader)) return reader.image;
  struct arc_text text = {0};
  arc_text_add(&text, "%s:%zu: %s", origin, reader.line, reader.problem);
  *why = text.bytes;
  arc_image_free(reader.image);
  return NULL;
}

static void free_region(struct arc_region_record *region) {
  free(region->name);
  free((char *)region->site.file);
  free((char *)region->site.what);
  for (size_t i = 0; i < region->nglobals; i++) free(region->globals[i].key);
  free(region->globals);
  for (size_t i = 0; i < region->nscratch; i++) arc_expression_free(&region->scratch[i]);
  free(region->scratch);
  free(region->sign);
  for (size_t i = 0; i < region->nstrays; i++) free((char *)region->strays[i].file);
  free(region->strays);
  for (size_t i = 0; i < region->nloops; i++) arc_expression_free(&region->loops[i].count);
  free(region->loops);
  for (size_t k = 0; k < region->nkernels; k++) {
    struct arc_kernel_record *kernel = &region->kernels[k];
    free(kernel->name);
    for (int i = 0; i < 3; i++) {
      arc_expression_free(&kernel->group[i]);
      arc_expression_free(&kernel->grid[i]);
      if (i < 2) arc_expression_free(&kernel->operations[i]);
    }
    for (size_t p = 0; p < kernel->nparameters; p++) arc_expression_free(&kernel->parameters[p].value);
    free(kernel->parameters);
  }
  free(region->kernels);
}

void arc_image_free(struct arc_image *image) {
  if (!image) return;
  for (size_t r = 0; r < image->nregions; r++) free_region(&image->regions[r]);
  for (size_t p = 0; p < image->npayloads; p++) {
    free(image->payloads[p].kind);
    free(image->payloads[p].tag);
  }
  for (size_t i = 0; i < image->nsymbols; i++) {
    free(image->symbols[i].kernel);
    free(image->symbols[i].name);
  }
  free(image->symbols);
  free(image->kernels);
  free(image->regions);
  free(image->payloads);
  free(image->origin);
  free(image->backend);
  free(image->target);
  free(image->variant);
  free(image->options);
  free(image);
}

const char *arc_image_symbol(const struct arc_image *image, const char *kernel) {
  for (size_t i = 0; i < image->nsymbols; i++)
    if (strcmp(image->symbols[i].kernel, kernel) == 0) return image->symbols[i].name;
  return kernel;
}

const struct arc_payload *arc_image_payload(const struct arc_image *image, const char *kind) {
  for (size_t i = 0; i < image->npayloads; i++)
    if (strcmp(image->payloads[i].kind, kind) == 0) return &image->payloads[i];
  return NULL;
}
