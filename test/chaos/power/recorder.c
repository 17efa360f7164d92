/*
 * Loaded into a process (LD_PRELOAD), notes in a journal what the process does to the files below POWER_ROOT, with what it takes to undo
 * it, and which of it was synced. Whoever reads the journal can make the folder what a disk would hold after a cut of the power: see
 * power-cut.ts. One lock around each change and its note puts all of them into one order; a sync covers what was noted before it began.
 *
 * Not noted: what is written through a shared mapping, by io_uring, or by stdio. Nothing that the product must keep is.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { WRITE = 1, TRUNCATE, SYNC, CREATE, RENAME, UNLINK, LINK, MKDIR, RMDIR };

/* One entry of the journal; two paths, the bytes before and the bytes after follow. Read by journal.ts. */
struct entry {
  uint32_t kind, flags;
  uint64_t inode, folder, other_folder, offset, size_before, covers;
  uint32_t path, other_path, before, after;
};
enum { DURABLE = 1, FAILED = 2 };

struct file { dev_t device; uint64_t inode; int durable, reader, known; };

#define MAX_FILES 65536
static struct file files[MAX_FILES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX], trash[PATH_MAX];
static size_t root_length;
static int journal = -1, mending = -1;
static uint64_t count;

#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (found == NULL) _exit(97);
  return found;
}

__attribute__((constructor)) static void begin(void) {
  const char *folder = getenv("POWER_ROOT"), *path = getenv("POWER_JOURNAL"), *kept = getenv("POWER_TRASH");
  if (folder == NULL || path == NULL || kept == NULL || realpath(folder, root) == NULL) return;
  root_length = strlen(root);
  snprintf(trash, sizeof trash, "%s", kept);
  journal = REAL(open)(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  mending = REAL(open)(path, O_RDWR | O_CLOEXEC);
  if (journal < 0 || mending < 0) _exit(98);
  /* A process that came before has noted these, and the power was not cut since. */
  struct entry entry;
  for (off_t at = 0; pread(mending, &entry, sizeof entry, at) == sizeof entry; count++)
    at += (off_t)sizeof entry + entry.path + entry.other_path + entry.before + entry.after;
}

static void note(struct entry *entry, const char *path, const char *other_path, const void *before, const void *after) {
  entry->path = path == NULL ? 0 : strlen(path);
  entry->other_path = other_path == NULL ? 0 : strlen(other_path);
  struct iovec parts[] = {{entry, sizeof *entry}, {(void *)path, entry->path}, {(void *)other_path, entry->other_path},
                          {(void *)before, entry->before}, {(void *)after, entry->after}};
  ssize_t whole = 0;
  for (int i = 0; i < 5; i++) whole += parts[i].iov_len;
  if (REAL(writev)(journal, parts, 5) != whole) _exit(99);
  count++;
}

/* The absolute path of the root or an entry below it; 0 for any other. Its folder must exist. */
static int below_root(int folder, const char *path, char *out) {
  if (journal < 0) return 0;
  char joined[PATH_MAX], parent[PATH_MAX];
  if (path[0] == '/' || folder == AT_FDCWD) snprintf(joined, sizeof joined, "%s", path);
  else {
    char link[64], base[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t length = readlink(link, base, sizeof base - 1);
    if (length < 0) return 0;
    base[length] = 0;
    snprintf(joined, sizeof joined, "%s/%s", base, path);
  }
  char *slash = strrchr(joined, '/');
  const char *name = slash == NULL ? joined : slash + 1;
  char above[PATH_MAX];
  if (slash == NULL) snprintf(above, sizeof above, ".");
  else snprintf(above, sizeof above, "%.*s", slash == joined ? 1 : (int)(slash - joined), joined);
  if (realpath(above, parent) == NULL) return 0;
  snprintf(out, PATH_MAX, "%s/%s", parent, name);
  return strncmp(out, root, root_length) == 0 && (out[root_length] == 0 || out[root_length] == '/');
}

static uint64_t inode_of(const char *path) {
  struct stat info;
  return lstat(path, &info) == 0 ? info.st_ino : 0;
}

static uint64_t folder_of(const char *path) {
  char folder[PATH_MAX];
  snprintf(folder, sizeof folder, "%s", path);
  *strrchr(folder, '/') = 0;
  return inode_of(folder);
}

/* Keeps what is about to lose its name, so that it can get it back. */
static void keep(const char *path, uint64_t inode) {
  char kept[PATH_MAX + 32];
  snprintf(kept, sizeof kept, "%s/%llu", trash, (unsigned long long)inode);
  if (REAL(link)(path, kept) != 0 && errno != EEXIST) _exit(96);
}

static void *contents(int file, off_t offset, size_t length, uint32_t *got) {
  char *bytes = malloc(length == 0 ? 1 : length);
  ssize_t here = pread(file, bytes, length, offset);
  *got = here > 0 ? (uint32_t)here : 0;
  return bytes;
}

static void note_truncation(uint64_t inode, int reader, off_t before, off_t after, int durable) {
  struct entry entry = {.kind = TRUNCATE, .inode = inode, .offset = after, .size_before = before, .flags = durable ? DURABLE : 0};
  void *tail = after < before ? contents(reader, after, before - after, &entry.before) : NULL;
  note(&entry, NULL, NULL, tail, NULL);
  free(tail);
}

static int opened(int (*open_real)(const char *, int, mode_t, int), int folder, const char *path, int flags, mode_t mode) {
  char full[PATH_MAX];
  if (!below_root(folder, path, full)) return open_real(path, flags, mode, folder);
  pthread_mutex_lock(&lock);
  struct stat info;
  int existed = lstat(full, &info) == 0;
  if (existed && (flags & O_TRUNC) && S_ISREG(info.st_mode) && info.st_size > 0) {
    int reader = REAL(open)(full, O_RDONLY | O_CLOEXEC);
    note_truncation(info.st_ino, reader, info.st_size, 0, 0);
    REAL(close)(reader);
  }
  int file = open_real(path, flags, mode, folder);
  int failed = errno;
  if (file >= 0 && file < MAX_FILES && fstat(file, &info) == 0) {
    if (!existed) {
      struct entry entry = {.kind = CREATE, .inode = info.st_ino, .folder = folder_of(full)};
      note(&entry, full, NULL, NULL, NULL);
    }
    int durable = (flags & O_DSYNC) == O_DSYNC;
    int reader = (flags & O_ACCMODE) == O_RDONLY ? -1 : REAL(open)(full, O_RDONLY | O_CLOEXEC);
    if (files[file].known && files[file].reader >= 0) REAL(close)(files[file].reader);
    files[file] = (struct file){.device = info.st_dev, .inode = info.st_ino, .durable = durable, .reader = reader, .known = 1};
  }
  pthread_mutex_unlock(&lock);
  errno = failed;
  return file;
}

static int real_open(const char *path, int flags, mode_t mode, int folder) { (void)folder; return REAL(open)(path, flags, mode); }
static int real_openat(const char *path, int flags, mode_t mode, int folder) { return REAL(openat)(folder, path, flags, mode); }
#define OPEN(name, folder_parameter, folder, call)                                                                       \
  int name(folder_parameter const char *path, int flags, ...) {                                                          \
    mode_t mode = 0;                                                                                                     \
    if (flags & (O_CREAT | O_TMPFILE)) { va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); } \
    return opened(call, folder, path, flags, mode);                                                                      \
  }
#define COMMA ,
OPEN(open, , AT_FDCWD, real_open)
OPEN(open64, , AT_FDCWD, real_open)
OPEN(openat, int folder COMMA, folder, real_openat)
OPEN(openat64, int folder COMMA, folder, real_openat)

int close(int file) {
  if (file >= 0 && file < MAX_FILES && files[file].known) {
    pthread_mutex_lock(&lock);
    int reader = files[file].reader;
    files[file] = (struct file){0};
    pthread_mutex_unlock(&lock);
    if (reader >= 0) REAL(close)(reader);
  }
  return REAL(close)(file);
}

/* Node closes files without `close`, so that the number may be another file's by now, or a socket's. */
static int known(int file) {
  if (journal < 0 || file < 0 || file >= MAX_FILES || !files[file].known) return 0;
  struct stat info;
  return fstat(file, &info) == 0 && info.st_dev == files[file].device && info.st_ino == files[file].inode;
}

static off_t size_of(int file) {
  struct stat info;
  return fstat(file, &info) == 0 ? info.st_size : 0;
}

static void note_write(int file, const struct iovec *parts, int number, off_t offset) {
  struct entry entry = {.kind = WRITE, .inode = files[file].inode};
  size_t length = 0;
  for (int i = 0; i < number; i++) length += parts[i].iov_len;
  char *after = malloc(length == 0 ? 1 : length), *at = after;
  for (int i = 0; i < number; i++) { memcpy(at, parts[i].iov_base, parts[i].iov_len); at += parts[i].iov_len; }
  entry.size_before = size_of(file);
  entry.offset = offset;
  entry.after = length;
  void *before = offset < (off_t)entry.size_before ? contents(files[file].reader, offset, length, &entry.before) : NULL;
  note(&entry, NULL, NULL, before, after);
  free(before);
  free(after);
}

static off_t place_of(int file) {
  return (fcntl(file, F_GETFL) & O_APPEND) ? size_of(file) : lseek(file, 0, SEEK_CUR);
}

/* Through a descriptor that syncs by itself: what was noted there is on the disk, once the call has returned and has not failed. */
static void note_durable(int file, off_t noted_at, ssize_t answer) {
  uint32_t flags = DURABLE;
  if (answer < 0 || !files[file].durable) return;
  if (REAL(pwrite)(mending, &flags, sizeof flags, noted_at + offsetof(struct entry, flags)) != sizeof flags) _exit(95);
}

#define WRITTEN(result, call, parts, number, at)            \
  if (!known(file)) return call;                            \
  pthread_mutex_lock(&lock);                                \
  off_t noted_at = size_of(journal);                        \
  note_write(file, parts, number, at);                      \
  result answer = call;                                     \
  int failed = errno;                                       \
  note_durable(file, noted_at, answer);                     \
  pthread_mutex_unlock(&lock);                              \
  errno = failed;                                           \
  return answer;

ssize_t write(int file, const void *bytes, size_t length) {
  struct iovec part = {(void *)bytes, length};
  WRITTEN(ssize_t, REAL(write)(file, bytes, length), &part, 1, place_of(file))
}
ssize_t writev(int file, const struct iovec *parts, int number) {
  WRITTEN(ssize_t, REAL(writev)(file, parts, number), parts, number, place_of(file))
}
ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) {
  struct iovec part = {(void *)bytes, length};
  WRITTEN(ssize_t, REAL(pwrite)(file, bytes, length, offset), &part, 1, offset)
}
ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset) { return pwrite(file, bytes, length, offset); }
ssize_t pwritev(int file, const struct iovec *parts, int number, off_t offset) {
  WRITTEN(ssize_t, REAL(pwritev)(file, parts, number, offset), parts, number, offset)
}
ssize_t pwritev64(int file, const struct iovec *parts, int number, off64_t offset) { return pwritev(file, parts, number, offset); }

int ftruncate(int file, off_t size) {
  if (!known(file)) return REAL(ftruncate)(file, size);
  pthread_mutex_lock(&lock);
  note_truncation(files[file].inode, files[file].reader, size_of(file), size, 0);
  int answer = REAL(ftruncate)(file, size), failed = errno;
  pthread_mutex_unlock(&lock);
  errno = failed;
  return answer;
}
int ftruncate64(int file, off64_t size) { return ftruncate(file, size); }

static int synced(int (*sync_real)(int), int file) {
  if (!known(file)) return sync_real(file);
  pthread_mutex_lock(&lock);
  struct entry entry = {.kind = SYNC, .inode = files[file].inode, .covers = count};
  pthread_mutex_unlock(&lock);
  int answer = sync_real(file), failed = errno;
  if (answer != 0) entry.flags = FAILED;
  pthread_mutex_lock(&lock);
  note(&entry, NULL, NULL, NULL, NULL);
  pthread_mutex_unlock(&lock);
  errno = failed;
  return answer;
}
int fsync(int file) { return synced(REAL(fsync), file); }
int fdatasync(int file) { return synced(REAL(fdatasync), file); }

/* A change of names: `full` and `other` lie below the root. */
#define NAMED(entry_value, full, other, call)               \
  struct entry entry = entry_value;                         \
  note(&entry, full, other, NULL, NULL);                    \
  int answer = call, failed = errno;                        \
  pthread_mutex_unlock(&lock);                              \
  errno = failed;                                           \
  return answer;

static int renamed(int (*rename_real)(int, const char *, int, const char *, unsigned), int a, const char *from, int b,
                   const char *to, unsigned flags) {
  char full[PATH_MAX], other[PATH_MAX];
  if (!below_root(a, from, full) || !below_root(b, to, other)) return rename_real(a, from, b, to, flags);
  pthread_mutex_lock(&lock);
  uint64_t inode = inode_of(full), replaced = inode_of(other);
  if (inode == 0 || ((flags & 1) && replaced != 0)) { /* RENAME_NOREPLACE: nothing will change. */
    pthread_mutex_unlock(&lock);
    return rename_real(a, from, b, to, flags);
  }
  if (replaced != 0) keep(other, replaced);
  NAMED(((struct entry){.kind = RENAME, .inode = inode, .folder = folder_of(full), .other_folder = folder_of(other), .offset = replaced}),
        full, other, rename_real(a, from, b, to, flags))
}
static int real_rename(int a, const char *from, int b, const char *to, unsigned flags) { (void)a; (void)b; (void)flags; return REAL(rename)(from, to); }
static int real_renameat(int a, const char *from, int b, const char *to, unsigned flags) { (void)flags; return REAL(renameat)(a, from, b, to); }
static int real_renameat2(int a, const char *from, int b, const char *to, unsigned flags) { return REAL(renameat2)(a, from, b, to, flags); }
int rename(const char *from, const char *to) { return renamed(real_rename, AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int a, const char *from, int b, const char *to) { return renamed(real_renameat, a, from, b, to, 0); }
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) { return renamed(real_renameat2, a, from, b, to, flags); }

static int linked(int a, const char *from, int b, const char *to, int flags) {
  char full[PATH_MAX], other[PATH_MAX];
  if (!below_root(a, from, full) || !below_root(b, to, other)) return REAL(linkat)(a, from, b, to, flags);
  pthread_mutex_lock(&lock);
  uint64_t inode = inode_of(full);
  if (inode == 0 || inode_of(other) != 0) {
    pthread_mutex_unlock(&lock);
    return REAL(linkat)(a, from, b, to, flags);
  }
  NAMED(((struct entry){.kind = LINK, .inode = inode, .folder = folder_of(other)}), other, NULL, REAL(linkat)(a, from, b, to, flags))
}
int link(const char *from, const char *to) { return linked(AT_FDCWD, from, AT_FDCWD, to, 0); }
int linkat(int a, const char *from, int b, const char *to, int flags) { return linked(a, from, b, to, flags); }

static int removed(int folder, const char *path, int flags) {
  char full[PATH_MAX];
  if (!below_root(folder, path, full)) return REAL(unlinkat)(folder, path, flags);
  pthread_mutex_lock(&lock);
  struct stat info;
  if (lstat(full, &info) != 0) {
    pthread_mutex_unlock(&lock);
    return REAL(unlinkat)(folder, path, flags);
  }
  if (flags & AT_REMOVEDIR) {
    int answer = REAL(unlinkat)(folder, path, flags), failed = errno;
    struct entry entry = {.kind = RMDIR, .inode = info.st_ino, .folder = folder_of(full)};
    if (answer == 0) note(&entry, full, NULL, NULL, NULL);
    pthread_mutex_unlock(&lock);
    errno = failed;
    return answer;
  }
  if (S_ISREG(info.st_mode)) keep(full, info.st_ino);
  NAMED(((struct entry){.kind = UNLINK, .inode = info.st_ino, .folder = folder_of(full)}), full, NULL, REAL(unlinkat)(folder, path, flags))
}
int unlinkat(int folder, const char *path, int flags) { return removed(folder, path, flags); }
int unlink(const char *path) { return removed(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return removed(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char *path) {
  struct stat info;
  return removed(AT_FDCWD, path, lstat(path, &info) == 0 && S_ISDIR(info.st_mode) ? AT_REMOVEDIR : 0);
}

static int made(int folder, const char *path, mode_t mode) {
  char full[PATH_MAX];
  if (!below_root(folder, path, full)) return REAL(mkdirat)(folder, path, mode);
  pthread_mutex_lock(&lock);
  int answer = REAL(mkdirat)(folder, path, mode), failed = errno;
  if (answer == 0) {
    struct entry entry = {.kind = MKDIR, .inode = inode_of(full), .folder = folder_of(full)};
    note(&entry, full, NULL, NULL, NULL);
  }
  pthread_mutex_unlock(&lock);
  errno = failed;
  return answer;
}
int mkdir(const char *path, mode_t mode) { return made(AT_FDCWD, path, mode); }
int mkdirat(int folder, const char *path, mode_t mode) { return made(folder, path, mode); }
