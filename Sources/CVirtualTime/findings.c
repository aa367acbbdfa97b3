// Findings: limits that were reached, and what cannot be controlled. Each text is reported once: to standard error, to the file
// of WRISTWIRE_VT_REPORT (a line of JSON each), and to the controller, which takes them by wwvt_take_finding.
//
// Everything is written by bare system calls: a finding may come from the watchdog, beside a thread that runs.

#include "core.h"

#include <VirtualTime.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

enum { TEXT_SIZE = 6000, KIND_SIZE = 24, QUEUE_SIZE = 64, QUEUED_TEXT_SIZE = 600, REMEMBERED = 256 };

typedef struct {
  int64_t instant;
  char kind[KIND_SIZE], text[QUEUED_TEXT_SIZE];
} vt_finding;

static vt_finding queue[QUEUE_SIZE];
static int queue_start, queue_count;
static uint64_t reported[REMEMBERED];
static int reported_count;

void vt_append(char *text, size_t size, size_t *length, const char *format, ...) {
  if (*length + 1 >= size) return;
  va_list arguments;
  va_start(arguments, format);
  int added = vsnprintf(text + *length, size - *length, format, arguments);
  va_end(arguments);
  if (added < 0) return;
  *length += (size_t)added;
  if (*length >= size) *length = size - 1;
}

static void write_all(int fd, const char *bytes, size_t count) {
  while (count) {
    long written = vt_raw(SYS_write, fd, (long)bytes, (long)count, 0, 0, 0);
    if (written == -EINTR) continue;
    if (written <= 0) return;
    bytes += written;
    count -= (size_t)written;
  }
}

/// FNV-1a.
static uint64_t digest(const char *kind, const char *text) {
  uint64_t value = UINT64_C(0xcbf29ce484222325);
  for (; *kind; kind++) value = (value ^ (unsigned char)*kind) * UINT64_C(0x100000001b3);
  for (; *text; text++) value = (value ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return value;
}

static int is_new(const char *kind, const char *text) {
  uint64_t value = digest(kind, text);
  for (int i = 0; i < reported_count; i++)
    if (reported[i] == value) return 0;
  if (reported_count == REMEMBERED) return 0;  // a bound on the output
  reported[reported_count++] = value;
  return 1;
}

static void write_json_line(const vt_finding *finding, const char *text) {
  static char line[2 * TEXT_SIZE];
  size_t length = 0;
  vt_append(line, sizeof line, &length, "{\"instant\":%lld,\"kind\":\"%s\",\"text\":\"", (long long)finding->instant,
            finding->kind);
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') vt_append(line, sizeof line - 8, &length, "\\%c", c);
    else if (c < 0x20) vt_append(line, sizeof line - 8, &length, "\\u%04x", c);
    else vt_append(line, sizeof line - 8, &length, "%c", c);
  }
  vt_append(line, sizeof line, &length, "\"}\n");
  long fd = vt_raw(SYS_openat, AT_FDCWD, (long)vt_config.report, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600, 0, 0);
  if (fd < 0) return;
  write_all((int)fd, line, length);
  vt_raw(SYS_close, fd, 0, 0, 0, 0, 0);
}

void vt_report(const char *kind, const char *format, ...) {
  int error = errno;
  static char text[TEXT_SIZE], line[TEXT_SIZE + 100];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (!is_new(kind, text)) {
    errno = error;
    return;
  }
  vt_finding finding = {.instant = vt_now - VT_BOOT};
  snprintf(finding.kind, sizeof finding.kind, "%s", kind);
  snprintf(finding.text, sizeof finding.text, "%.*s", QUEUED_TEXT_SIZE - 1, text);
  if (queue_count < QUEUE_SIZE) queue[(queue_start + queue_count++) % QUEUE_SIZE] = finding;
  size_t length = 0;
  vt_append(line, sizeof line, &length, "virtual time: at %.3f s: %s: %s\n", (double)finding.instant / 1e9, kind, text);
  write_all(2, line, length);
  if (vt_config.report) write_json_line(&finding, text);
  errno = error;
}

int wwvt_take_finding(int64_t *instant, char *kind, size_t kind_size, char *text, size_t text_size) {
  if (queue_count == 0) return 0;
  vt_finding *finding = &queue[queue_start];
  *instant = finding->instant;
  snprintf(kind, kind_size, "%s", finding->kind);
  snprintf(text, text_size, "%s", finding->text);
  queue_start = (queue_start + 1) % QUEUE_SIZE;
  queue_count--;
  return 1;
}

void vt_show_stats(void) {
  static int is_shown;
  if (!vt_config.shows_stats || is_shown++) return;
  uint64_t values[WWVT_STATS];
  wwvt_read_stats(values, WWVT_STATS);
  double seconds = (double)values[WWVT_CPU_NANOSECONDS] / 1e9;
  double instant = (double)(vt_now - VT_BOOT - vt_config.instant) / 1e9;
  char line[300];
  size_t length = 0;
  vt_append(line, sizeof line, &length,
            "virtual time: %.3f s in %.3f s of processor time (%.0f a second), %llu switches (%.0f a second), "
            "%llu advances, %llu threads, %s\n",
            instant, seconds, instant / seconds, (unsigned long long)values[WWVT_SWITCHES],
            (double)values[WWVT_SWITCHES] / seconds, (unsigned long long)values[WWVT_ADVANCES],
            (unsigned long long)values[WWVT_THREADS], values[WWVT_USES_FIBERS] ? "fibers" : "baton");
  write_all(2, line, length);
}
