/* Records every change to the files of a folder, in order: what a disk would be told. Loaded before the C library.

   Each record: one letter, the lengths of two names, an offset and a length, the names, the bytes.
   W bytes were written, T the file was cut to a length, S the file or folder was flushed to the disk,
   M a name was made, L a second name was made, R a file was renamed, U a name was taken away. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int trace = -1;
static const char *folder;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("RECORD_TO");
    folder = getenv("RECORD_FOLDER");
    if (path != NULL && folder != NULL) trace = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

#define REAL(name, result, ...) \
    static result (*real)(__VA_ARGS__); \
    if (real == NULL) real = dlsym(RTLD_NEXT, name)

static int ours(const char *path) {
    return trace >= 0 && path != NULL && strncmp(path, folder, strlen(folder)) == 0;
}

static int named(int file, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = trace < 0 ? -1 : readlink(link, path, size - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return ours(path);
}

static void note(char what, const char *path, const char *other, uint64_t offset, uint64_t length, const void *bytes) {
    struct __attribute__((packed)) { char what; uint16_t one, two; uint64_t offset, length; } head = {what, strlen(path), strlen(other), offset, length};
    syscall(SYS_write, trace, &head, sizeof head);
    syscall(SYS_write, trace, path, head.one);
    syscall(SYS_write, trace, other, head.two);
    if (bytes != NULL) syscall(SYS_write, trace, bytes, length);
}

static off_t place(int file) {
    struct stat status;
    if (fcntl(file, F_GETFL) & O_APPEND) return fstat(file, &status) == 0 ? status.st_size : 0;
    return lseek(file, 0, SEEK_CUR);
}

#define WRITES(name, type, AT, FROM, ...) \
    ssize_t name(int file, const void *bytes, size_t count AT) { \
        REAL(#name, ssize_t, int, const void *, size_t type); \
        char path[4096]; \
        if (!named(file, path, sizeof path)) return real(file, bytes, count __VA_ARGS__); \
        pthread_mutex_lock(&turn); \
        off_t offset = FROM; \
        ssize_t done = real(file, bytes, count __VA_ARGS__); \
        if (done > 0) note('W', path, "", offset, done, bytes); \
        pthread_mutex_unlock(&turn); \
        return done; \
    }
#define COMMA ,
WRITES(write, , , place(file))
WRITES(pwrite, COMMA off_t, COMMA off_t at, at, , at)
WRITES(pwrite64, COMMA off64_t, COMMA off64_t at, at, , at)

#define ON_FILE(name, extra, what, length, ...) \
    int name(int file extra) { \
        REAL(#name, int, int extra); \
        char path[4096]; \
        if (!named(file, path, sizeof path)) return real(file __VA_ARGS__); \
        pthread_mutex_lock(&turn); \
        int failed = real(file __VA_ARGS__); \
        if (!failed) note(what, path, "", 0, length, NULL); \
        pthread_mutex_unlock(&turn); \
        return failed; \
    }
ON_FILE(fsync, , 'S', 0)
ON_FILE(fdatasync, , 'S', 0)
ON_FILE(ftruncate, COMMA off_t size, 'T', size, , size)
ON_FILE(ftruncate64, COMMA off64_t size, 'T', size, , size)

#define OPENS(name) \
    int name(const char *path, int flags, ...) { \
        REAL(#name, int, const char *, int, ...); \
        va_list more; \
        va_start(more, flags); \
        mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0; \
        va_end(more); \
        if (!(flags & O_CREAT) || !ours(path)) return real(path, flags, mode); \
        pthread_mutex_lock(&turn); \
        int there = access(path, F_OK) == 0; \
        int file = real(path, flags, mode); \
        if (file >= 0 && !there) note('M', path, "", 0, 0, NULL); \
        else if (file >= 0 && flags & O_TRUNC) note('T', path, "", 0, 0, NULL); \
        pthread_mutex_unlock(&turn); \
        return file; \
    }
OPENS(open)
OPENS(open64)

#define ON_NAMES(name, what) \
    int name(const char *path, const char *other) { \
        REAL(#name, int, const char *, const char *); \
        if (!ours(path)) return real(path, other); \
        pthread_mutex_lock(&turn); \
        int failed = real(path, other); \
        if (!failed) note(what, path, other, 0, 0, NULL); \
        pthread_mutex_unlock(&turn); \
        return failed; \
    }
ON_NAMES(link, 'L')
ON_NAMES(rename, 'R')

int unlink(const char *path) {
    REAL("unlink", int, const char *);
    if (!ours(path)) return real(path);
    pthread_mutex_lock(&turn);
    int failed = real(path);
    if (!failed) note('U', path, "", 0, 0, NULL);
    pthread_mutex_unlock(&turn);
    return failed;
}
