// Put between a store and the C library (LD_PRELOAD): ends the process at a chosen step, a write of
// which only the first part arrives, or a flush, a cut or a removal that does not happen.
//
//   TORN_STORE  the store's path; its log and the other files beside it count too
//   TORN_AT     which step, from 1
//   TORN_FILE   only steps on this file: what follows the store's name, "" for the store itself
//   TORN_HEAD   only writes to the beginning of a file
//   TORN_GRAIN  where a write may tear: 4096 as a kill tears it, 512 as a power cut does, or 1
//   TORN_LOST   of what was not flushed, any sectors are lost, too, as in a power cut
//   TORN_SEED   of all that is left to chance
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
enum { SECTOR = 512, MOST_SECTORS = 1 << 16, MOST_FILES = 32 };

static struct file { ino_t inode; off_t flushed; char path[512]; } files[MOST_FILES];
static struct sector { struct file *file; off_t begin; char old[SECTOR]; } *sectors;
static int count, file_count, sector_count;
static uint64_t state;

static uint64_t chance(uint64_t below) {
  uint64_t word = state += 0x9E3779B97F4A7C15;
  word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9;
  word = (word ^ word >> 27) * 0x94D049BB133111EB;
  return (word ^ word >> 31) % below;
}

// What follows the store's name; null for other files.
static const char *part(const char *path) {
  const char *store = getenv("TORN_STORE");
  size_t length = store ? strlen(store) : 0;
  if (!length || strncmp(path, store, length)) return NULL;
  return path + length;
}

static const char *name(int descriptor, char path[512]) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, 511);
  path[length < 0 ? 0 : length] = 0;
  return part(path);
}

static int is_due(const char *part, off_t offset) {
  const char *at = getenv("TORN_AT"), *file = getenv("TORN_FILE");
  if (!at || (file && strcmp(file, part)) || (getenv("TORN_HEAD") && offset != 0)) return 0;
  if (!count) state = strtoull(getenv("TORN_SEED") ?: "1", NULL, 10);
  return ++count == atoi(at);
}

static struct file *known(int descriptor, const char *path) {
  struct stat status;
  if (fstat(descriptor, &status)) return NULL;
  for (int i = 0; i < file_count; i++)
    if (files[i].inode == status.st_ino) return &files[i];
  if (file_count == MOST_FILES) return NULL;
  struct file *file = &files[file_count++];
  file->inode = status.st_ino;
  file->flushed = status.st_size;
  snprintf(file->path, sizeof file->path, "%s", path);
  return file;
}

// Remembers what a write is about to replace.
static void remember(int descriptor, const char *path, off_t offset, size_t size) {
  if (!getenv("TORN_LOST")) return;
  if (!sectors) sectors = calloc(MOST_SECTORS, sizeof *sectors);
  struct file *file = known(descriptor, path);
  off_t begin = offset / SECTOR * SECTOR;
  for (; file && begin < offset + (off_t)size && sector_count < MOST_SECTORS; begin += SECTOR) {
    int i = sector_count;
    while (i > 0 && (sectors[i - 1].file != file || sectors[i - 1].begin != begin)) i--;
    if (i > 0) continue;
    struct sector *sector = &sectors[sector_count++];
    *sector = (struct sector){.file = file, .begin = begin};
    if (pread(descriptor, sector->old, SECTOR, begin) < 0) sector_count--;
  }
}

static void flushed(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status)) return;
  int kept = 0;
  for (int i = 0; i < sector_count; i++)
    if (sectors[i].file->inode != status.st_ino) sectors[kept++] = sectors[i];
  sector_count = kept;
  for (int i = 0; i < file_count; i++)
    if (files[i].inode == status.st_ino) files[i].flushed = status.st_size;
}

static void end(void) {
  for (int i = 0; i < file_count; i++) {
    struct stat status;
    int descriptor = open(files[i].path, O_RDWR);
    if (descriptor < 0 || fstat(descriptor, &status) || status.st_ino != files[i].inode) continue;
    for (int k = 0; k < sector_count; k++) {
      if (sectors[k].file != &files[i] || chance(2)) continue;
      NEXT(pwrite)(descriptor, sectors[k].old, SECTOR, sectors[k].begin);
    }
    // The size may not have arrived, or the sectors that it makes room for.
    off_t size = chance(3) || status.st_size < files[i].flushed ? status.st_size : files[i].flushed;
    NEXT(ftruncate)(descriptor, size);
  }
  kill(getpid(), SIGKILL);
}

static ssize_t torn(int descriptor, const void *bytes, size_t size, off_t offset) {
  char path[512];
  const char *part = name(descriptor, path);
  if (!part) return 0;
  if (is_due(part, offset)) {
    uint64_t grain = atoi(getenv("TORN_GRAIN") ?: "1");
    uint64_t stop = (offset + chance(size + 1)) / grain * grain;
    remember(descriptor, path, offset, size);
    if ((off_t)stop > offset) NEXT(pwrite)(descriptor, bytes, stop - offset, offset);
    end();
  }
  remember(descriptor, path, offset, size);
  return 0;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset) {
  torn(descriptor, bytes, size, offset);
  return NEXT(pwrite)(descriptor, bytes, size, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off64_t offset) {
  return pwrite(descriptor, bytes, size, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t size) {
  off_t offset = lseek(descriptor, 0, SEEK_CUR);
  if (offset >= 0) torn(descriptor, bytes, size, offset);
  return NEXT(write)(descriptor, bytes, size);
}

static int flush(int descriptor, int (*next)(int)) {
  char path[512];
  const char *part = name(descriptor, path);
  if (part && is_due(part, -1)) end();
  int code = next(descriptor);
  if (!code) flushed(descriptor);
  return code;
}

int fsync(int descriptor) { return flush(descriptor, NEXT(fsync)); }
int fdatasync(int descriptor) { return flush(descriptor, NEXT(fdatasync)); }

int ftruncate(int descriptor, off_t size) {
  char path[512];
  const char *part = name(descriptor, path);
  if (part && is_due(part, -1)) end();
  return NEXT(ftruncate)(descriptor, size);
}

int ftruncate64(int descriptor, off64_t size) { return ftruncate(descriptor, size); }

int unlink(const char *path) {
  const char *beside = part(path);
  if (beside && is_due(beside, -1)) end();
  return NEXT(unlink)(path);
}
