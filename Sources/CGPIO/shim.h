#ifndef CGPIO_SHIM_H
#define CGPIO_SHIM_H

#include <errno.h>
#include <gpiod.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* libgpiod 1.5 to 1.6 (Debian 12) and 2.x (Debian 13) have different interfaces, which the
 * functions below hide. Only the header of 1.x defines this macro. */
#ifdef GPIOD_LINE_BULK_MAX_LINES
#define CGPIO_VERSION 1
#else
#define CGPIO_VERSION 2
#endif

enum cgpio_bias { CGPIO_BIAS_AS_IS, CGPIO_BIAS_PULL_UP, CGPIO_BIAS_PULL_DOWN };

/* One requested line. Levels are logical: 1 is active, whatever the polarity. */
struct cgpio_line {
#if CGPIO_VERSION == 1
  struct gpiod_line *line;
#else
  struct gpiod_line_request *request;
  struct gpiod_edge_event_buffer *events;
  unsigned int offset;
#endif
};

/* The label of the chip's driver, at most `size` - 1 bytes. */
static inline int cgpio_label(struct gpiod_chip *chip, char *label, size_t size) {
#if CGPIO_VERSION == 1
  return snprintf(label, size, "%s", gpiod_chip_label(chip));
#else
  struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
  if (!info) return -1;
  int length = snprintf(label, size, "%s", gpiod_chip_info_get_label(info));
  gpiod_chip_info_free(info);
  return length;
#endif
}

/* The number of the chip's lines; -1 on failure. */
static inline int cgpio_count(struct gpiod_chip *chip) {
#if CGPIO_VERSION == 1
  return (int)gpiod_chip_num_lines(chip);
#else
  struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
  if (!info) return -1;
  int count = (int)gpiod_chip_info_get_num_lines(info);
  gpiod_chip_info_free(info);
  return count;
#endif
}

/* The offset of the line with this name; -1 if there is none. */
static inline int cgpio_offset(struct gpiod_chip *chip, const char *name) {
#if CGPIO_VERSION == 1
  struct gpiod_line *line = gpiod_chip_find_line(chip, name);
  return line ? (int)gpiod_line_offset(line) : -1;
#else
  return gpiod_chip_get_line_offset_from_name(chip, name);
#endif
}

/* The program that uses a line, at most `size` - 1 bytes. Returns its length; 0 if unknown. */
static inline int cgpio_user(struct gpiod_chip *chip, int offset, char *user, size_t size) {
  int length = 0;
#if CGPIO_VERSION == 1
  struct gpiod_line *line = gpiod_chip_get_line(chip, (unsigned int)offset);
  const char *name = line ? gpiod_line_consumer(line) : NULL;
  if (name) length = snprintf(user, size, "%s", name);
#else
  struct gpiod_line_info *info = gpiod_chip_get_line_info(chip, (unsigned int)offset);
  const char *name = info ? gpiod_line_info_get_consumer(info) : NULL;
  if (name) length = snprintf(user, size, "%s", name);
  if (info) gpiod_line_info_free(info);
#endif
  return length;
}

#if CGPIO_VERSION == 2
static inline struct gpiod_line_request *cgpio_request(
    struct gpiod_chip *chip, unsigned int offset, const char *consumer,
    struct gpiod_line_settings *settings) {
  struct gpiod_line_request *request = NULL;
  struct gpiod_line_config *lines = gpiod_line_config_new();
  struct gpiod_request_config *config = gpiod_request_config_new();
  if (lines && config) {
    gpiod_request_config_set_consumer(config, consumer);
    if (gpiod_line_config_add_line_settings(lines, &offset, 1, settings) == 0)
      request = gpiod_chip_request_lines(chip, config, lines);
  }
  int error = errno;
  if (config) gpiod_request_config_free(config);
  if (lines) gpiod_line_config_free(lines);
  errno = error;
  return request;
}
#endif

/* Reserves a line: an output that is inactive, or an input whose changes are reported. Returns NULL
 * with errno on failure. Free it with cgpio_release. */
static inline struct cgpio_line *cgpio_reserve(
    struct gpiod_chip *chip, int offset, const char *consumer, int is_output, int is_active_low,
    enum cgpio_bias bias) {
  struct cgpio_line *result = calloc(1, sizeof *result);
  if (!result) return NULL;
#if CGPIO_VERSION == 1
  int flags = is_active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0;
  if (bias == CGPIO_BIAS_PULL_UP) flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP;
  if (bias == CGPIO_BIAS_PULL_DOWN) flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN;
  struct gpiod_line_request_config config = {
      .consumer = consumer,
      .request_type = is_output ? GPIOD_LINE_REQUEST_DIRECTION_OUTPUT
                                : GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES,
      .flags = flags,
  };
  result->line = gpiod_chip_get_line(chip, (unsigned int)offset);
  if (result->line && gpiod_line_request(result->line, &config, 0) == 0) return result;
#else
  result->offset = (unsigned int)offset;
  struct gpiod_line_settings *settings = gpiod_line_settings_new();
  if (settings) {
    gpiod_line_settings_set_active_low(settings, is_active_low);
    if (bias != CGPIO_BIAS_AS_IS)
      gpiod_line_settings_set_bias(
          settings,
          bias == CGPIO_BIAS_PULL_UP ? GPIOD_LINE_BIAS_PULL_UP : GPIOD_LINE_BIAS_PULL_DOWN);
    if (is_output) {
      gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT);
      gpiod_line_settings_set_output_value(settings, GPIOD_LINE_VALUE_INACTIVE);
    } else {
      gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT);
      gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH);
    }
    result->events = gpiod_edge_event_buffer_new(1);
    if (result->events) result->request = cgpio_request(chip, result->offset, consumer, settings);
    int error = errno;
    gpiod_line_settings_free(settings);
    errno = error;
    if (result->request) return result;
    if (result->events) gpiod_edge_event_buffer_free(result->events);
    errno = error;
  }
#endif
  int failure = errno;
  free(result);
  errno = failure;
  return NULL;
}

static inline void cgpio_release(struct cgpio_line *line) {
#if CGPIO_VERSION == 1
  gpiod_line_release(line->line);
#else
  gpiod_line_request_release(line->request);
  gpiod_edge_event_buffer_free(line->events);
#endif
  free(line);
}

/* 0, or -1 with errno. */
static inline int cgpio_set(struct cgpio_line *line, int is_active) {
#if CGPIO_VERSION == 1
  return gpiod_line_set_value(line->line, is_active);
#else
  return gpiod_line_request_set_value(
      line->request, line->offset, is_active ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE);
#endif
}

/* 1, 0, or -1 with errno. */
static inline int cgpio_get(struct cgpio_line *line) {
#if CGPIO_VERSION == 1
  return gpiod_line_get_value(line->line);
#else
  return (int)gpiod_line_request_get_value(line->request, line->offset);
#endif
}

/* Readable while a change of an input is waiting. */
static inline int cgpio_descriptor(struct cgpio_line *line) {
#if CGPIO_VERSION == 1
  return gpiod_line_event_get_fd(line->line);
#else
  return gpiod_line_request_get_fd(line->request);
#endif
}

/* Takes one change; blocks while none is waiting. 1: it became active; 0: inactive; -1: errno.
 * `at`: when, milliseconds of CLOCK_MONOTONIC. */
static inline int cgpio_take(struct cgpio_line *line, int64_t *at) {
#if CGPIO_VERSION == 1
  struct gpiod_line_event event;
  if (gpiod_line_event_read(line->line, &event) < 0) return -1;
  *at = (int64_t)event.ts.tv_sec * 1000 + event.ts.tv_nsec / 1000000;
  return event.event_type == GPIOD_LINE_EVENT_RISING_EDGE;
#else
  if (gpiod_line_request_read_edge_events(line->request, line->events, 1) < 1) return -1;
  struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(line->events, 0);
  *at = (int64_t)(gpiod_edge_event_get_timestamp_ns(event) / 1000000);
  return gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
#endif
}

#endif
