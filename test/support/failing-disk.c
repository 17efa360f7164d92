/*
 * A disk that fails, for tests: preloaded into a process, it answers one read, one write or one sync of a file with EIO.
 * FAILING_DISK names a file that tells which, "KIND PATH NTH" in one line; the file is removed when the call has failed. KIND is
 *   read   a read of data
 *   write  a write of data
 *   meta   a write through a descriptor that syncs by itself, which is how LMDB ends a transaction; what was written is in the file all
 *          the same, as the system's cache has it, and perhaps on no disk
 *   sync   fsync or fdatasync; what was written before is then in the file all the same, or not: nobody knows
 * PATH is a part of the path of the file, or its end when a "$" follows, and NTH says which of such calls: 1 is the next one.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static int is_part(const char *path, char *part) {
  size_t length = strlen(part), whole = strlen(path);
  if (length == 0 || part[length - 1] != '$') return strstr(path, part) != NULL;
  part[--length] = 0;
  return whole >= length && strcmp(path + whole - length, part) == 0;
}

enum { GOES_ON, FAILS, WRITES };

enum { A_WRITE, A_SYNC, A_READ };

static int fate_of(int fd, int what) {
  const char *order = getenv("FAILING_DISK");
  if (order == NULL || access(order, R_OK) != 0) return 0;
  char kind[16], part[512], link[64], path[4096];
  FILE *file = fopen(order, "re");
  if (file == NULL) return 0;
  int nth, read = fscanf(file, "%15s %511s %d", kind, part, &nth);
  fclose(file);
  if (read != 3) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  if (!is_part(path, part)) return 0;
  int flags = fcntl(fd, F_GETFL);
  const char *found = what == A_READ ? "read" : what == A_SYNC ? "sync" : (flags & O_DSYNC) ? "meta" : "write";
  static int seen = 0;
  if (strcmp(kind, found) != 0 || __sync_add_and_fetch(&seen, 1) < nth) return 0;
  /* Only one caller removes the order, so that one call fails. */
  if (unlink(order) != 0) return 0;
  seen = 0;
  return found[0] == 'm' ? WRITES : FAILS;
}

#define FORWARD(type, name, parameters, arguments, what)               \
  type name parameters {                                               \
    static type(*real) parameters;                                     \
    if (real == NULL) real = (type(*) parameters)dlsym(RTLD_NEXT, #name); \
    int fate = fate_of(fd, what);                                      \
    if (fate == GOES_ON) return real arguments;                        \
    if (fate == WRITES) real arguments;                                \
    errno = EIO;                                                       \
    return -1;                                                         \
  }

FORWARD(int, fsync, (int fd), (fd), A_SYNC)
FORWARD(int, fdatasync, (int fd), (fd), A_SYNC)
FORWARD(ssize_t, write, (int fd, const void *bytes, size_t size), (fd, bytes, size), A_WRITE)
FORWARD(ssize_t, pwrite, (int fd, const void *bytes, size_t size, off_t at), (fd, bytes, size, at), A_WRITE)
FORWARD(ssize_t, pwrite64, (int fd, const void *bytes, size_t size, off64_t at), (fd, bytes, size, at), A_WRITE)
FORWARD(ssize_t, pwritev, (int fd, const struct iovec *parts, int count, off_t at), (fd, parts, count, at), A_WRITE)
FORWARD(ssize_t, pwritev64, (int fd, const struct iovec *parts, int count, off64_t at), (fd, parts, count, at), A_WRITE)
FORWARD(ssize_t, writev, (int fd, const struct iovec *parts, int count), (fd, parts, count), A_WRITE)
FORWARD(ssize_t, read, (int fd, void *bytes, size_t size), (fd, bytes, size), A_READ)
FORWARD(ssize_t, pread, (int fd, void *bytes, size_t size, off_t at), (fd, bytes, size, at), A_READ)
FORWARD(ssize_t, pread64, (int fd, void *bytes, size_t size, off64_t at), (fd, bytes, size, at), A_READ)
