/*
 * A wall clock that runs faster than time, for tests: preloaded into a process. FAST_CLOCK is "FROM RATE": at FROM, in seconds since the
 * epoch, it is right, and from then on RATE seconds pass on it in each one. All processes with the same values agree. What measures time
 * without the clock on the wall is as always.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static int real_time(clockid_t clock, struct timespec *at) {
  static int (*real)(clockid_t, struct timespec *);
  if (real == NULL) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  return real(clock, at);
}

static void shift(struct timespec *at) {
  static double from = -1, rate = 1;
  if (from < 0) {
    const char *given = getenv("FAST_CLOCK");
    double start = 0;
    if (given == NULL || sscanf(given, "%lf %lf", &start, &rate) != 2) rate = 1;
    from = start;
  }
  double passed = (double)at->tv_sec - from + at->tv_nsec / 1e9;
  double shown = from + passed * rate;
  at->tv_sec = (time_t)shown;
  at->tv_nsec = (long)((shown - (double)at->tv_sec) * 1e9);
}

int clock_gettime(clockid_t clock, struct timespec *at) {
  int result = real_time(clock, at);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) shift(at);
  return result;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
  (void)zone;
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  at->tv_sec = now.tv_sec;
  at->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *at) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return (time_t)-1;
  if (at != NULL) *at = now.tv_sec;
  return now.tv_sec;
}
