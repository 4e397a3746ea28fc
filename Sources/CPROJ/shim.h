#ifndef CPROJ_SHIM_H
#define CPROJ_SHIM_H

#include <math.h>
#include <proj.h>
#include <stdio.h>
#include <string.h>

/* PJ_COORD is a union, whose members Swift does not import by these names; remove this when it
 * does. Transforms x and y in place; they become infinite if the other system has no coordinates
 * for them. */
static inline void cproj_transform(PJ *operation, PJ_DIRECTION direction, double *x, double *y) {
  PJ_COORD result = proj_trans(operation, direction, proj_coord(*x, *y, 0, HUGE_VAL));
  *x = result.xy.x;
  *y = result.xy.y;
}

/* A context that prints nothing; errors are read from its results. */
static inline void cproj_no_log(void *data, int level, const char *message) {
  (void)data, (void)level, (void)message;
}

/* Files, for proj_context_set_fileapi: a definition may name grids, and opening what a stranger
 * names has side effects, or never ends (a pipe). Only PROJ's database and settings are opened. */
static inline PROJ_FILE_HANDLE *cproj_open(
    PJ_CONTEXT *context, const char *path, PROJ_OPEN_ACCESS access, void *data) {
  (void)context, (void)data;
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  if (access != PROJ_OPEN_ACCESS_READ_ONLY) return NULL;
  if (strcmp(name, "proj.db") != 0 && strcmp(name, "proj.ini") != 0) return NULL;
  return (PROJ_FILE_HANDLE *)fopen(path, "rbe");
}
static inline size_t cproj_read(
    PJ_CONTEXT *context, PROJ_FILE_HANDLE *file, void *buffer, size_t size, void *data) {
  (void)context, (void)data;
  return fread(buffer, 1, size, (FILE *)file);
}
static inline size_t cproj_write(
    PJ_CONTEXT *context, PROJ_FILE_HANDLE *file, const void *buffer, size_t size, void *data) {
  (void)context, (void)file, (void)buffer, (void)size, (void)data;
  return 0;
}
static inline int cproj_seek(
    PJ_CONTEXT *context, PROJ_FILE_HANDLE *file, long long offset, int whence, void *data) {
  (void)context, (void)data;
  return fseek((FILE *)file, (long)offset, whence) == 0;
}
static inline unsigned long long cproj_tell(
    PJ_CONTEXT *context, PROJ_FILE_HANDLE *file, void *data) {
  (void)context, (void)data;
  return (unsigned long long)ftell((FILE *)file);
}
static inline void cproj_close(PJ_CONTEXT *context, PROJ_FILE_HANDLE *file, void *data) {
  (void)context, (void)data;
  fclose((FILE *)file);
}
static inline int cproj_exists(PJ_CONTEXT *context, const char *path, void *data) {
  PROJ_FILE_HANDLE *file = cproj_open(context, path, PROJ_OPEN_ACCESS_READ_ONLY, data);
  if (file) cproj_close(context, file, data);
  return file != NULL;
}
static inline int cproj_refuse(PJ_CONTEXT *context, const char *path, void *data) {
  (void)context, (void)path, (void)data;
  return 0;
}
static inline int cproj_refuse_rename(
    PJ_CONTEXT *context, const char *from, const char *to, void *data) {
  (void)context, (void)from, (void)to, (void)data;
  return 0;
}

/* NULL: no memory. */
static inline PJ_CONTEXT *cproj_context(void) {
  PROJ_FILE_API files = {
      1, cproj_open, cproj_read, cproj_write, cproj_seek, cproj_tell, cproj_close, cproj_exists,
      cproj_refuse, cproj_refuse, cproj_refuse_rename};
  PJ_CONTEXT *context = proj_context_create();
  if (!context) return NULL;
  proj_log_func(context, 0, cproj_no_log);
  proj_context_set_enable_network(context, 0);
  if (!proj_context_set_fileapi(context, &files, NULL)) {
    proj_context_destroy(context);
    return NULL;
  }
  return context;
}

#endif
