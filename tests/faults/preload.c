/* A library for LD_PRELOAD that makes writing fail. It counts the calls that change something below one folder, and at call number `at` it kills the
 * process (in the middle of the call, if that is a write) or lets the call fail. `lasting`: from then on, every call that needs space fails, as on a
 * full disk. `space`: so many bytes can be written before the disk is full.
 *
 * A process arms it by a call of `fault_arm`, or by the variables FAULT_FOLDER, FAULT_AT, FAULT_ERROR, FAULT_LASTING and FAULT_SPACE. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define KILL (-1)

static char folder[PATH_MAX];
static long at, calls, space = -1;
static int error, lasting, full;

void fault_arm(const char *path, long number, int what, int stays, long bytes)
{
	snprintf(folder, sizeof folder, "%s", path);
	at = number;
	error = what;
	lasting = stays;
	space = bytes;
	calls = 0;
	full = 0;
}

long fault_calls(void) { return calls; }

static long variable(const char *name, long otherwise)
{
	const char *text = getenv(name);
	return text ? atol(text) : otherwise;
}

__attribute__((constructor)) static void start(void)
{
	const char *path = getenv("FAULT_FOLDER");
	if (path)
		fault_arm(path, variable("FAULT_AT", 0), (int)variable("FAULT_ERROR", 0), (int)variable("FAULT_LASTING", 0), variable("FAULT_SPACE", -1));
}

static int below(const char *path) { return folder[0] && path && strncmp(path, folder, strlen(folder)) == 0; }

static int file_below(int file)
{
	char link[64], path[PATH_MAX];
	int known = errno;
	snprintf(link, sizeof link, "/proc/self/fd/%d", file);
	ssize_t length = readlink(link, path, sizeof path - 1);
	errno = known;
	if (length < 0)
		return 0;
	path[length] = 0;
	return below(path);
}

static int name_below(int parent, const char *path) { return path && path[0] != '/' && parent != AT_FDCWD ? file_below(parent) : below(path); }

/* Counts a call; returns whether it is the one that fails, and kills the process if that is what to do. */
static int fails(int needs_space)
{
	long number = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
	if (number == at) {
		if (error == KILL)
			kill(getpid(), SIGKILL);
		full = lasting;
		if (!lasting || needs_space) {
			errno = error;
			return 1;
		}
	} else if (full && needs_space) {
		errno = error;
		return 1;
	}
	return 0;
}

#define REAL(name) static __typeof__(name) *real; if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)
#define CREATES(flags) ((flags) & (O_CREAT | O_TRUNC))
#define CHANGES(flags) (CREATES(flags) || ((flags) & O_ACCMODE) != O_RDONLY)
#define MODE(flags, last) mode_t mode = 0; if ((flags) & O_CREAT) { va_list rest; va_start(rest, last); mode = va_arg(rest, mode_t); va_end(rest); }

int open(const char *path, int flags, ...)
{
	REAL(open);
	MODE(flags, flags)
	return below(path) && CHANGES(flags) && fails(CREATES(flags)) ? -1 : real(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
	REAL(open64);
	MODE(flags, flags)
	return below(path) && CHANGES(flags) && fails(CREATES(flags)) ? -1 : real(path, flags, mode);
}

int openat(int parent, const char *path, int flags, ...)
{
	REAL(openat);
	MODE(flags, flags)
	return name_below(parent, path) && CHANGES(flags) && fails(CREATES(flags)) ? -1 : real(parent, path, flags, mode);
}

int openat64(int parent, const char *path, int flags, ...)
{
	REAL(openat64);
	MODE(flags, flags)
	return name_below(parent, path) && CHANGES(flags) && fails(CREATES(flags)) ? -1 : real(parent, path, flags, mode);
}

ssize_t write(int file, const void *content, size_t size)
{
	REAL(write);
	if (!file_below(file))
		return real(file, content, size);
	if (space >= 0) {
		if (space == 0) {
			errno = ENOSPC;
			return -1;
		}
		if ((long)size > space)
			size = (size_t)space;
		space -= (long)size;
	}
	/* Half of it is written before the process is killed or the disk is full. */
	if (calls + 1 == at && error == KILL)
		real(file, content, size / 2);
	if (calls + 1 == at && lasting && size > 1) {
		fails(0);
		return real(file, content, size / 2);
	}
	return fails(1) ? -1 : real(file, content, size);
}

/* Calls with a path that need no space, and those that do. */
#define PATH1(name, type, space_needed, parameters, arguments) \
	type name parameters { REAL(name); return below(path) && fails(space_needed) ? -1 : real arguments; }
#define NAME1(name, type, space_needed, parameters, arguments) \
	type name parameters { REAL(name); return name_below(parent, path) && fails(space_needed) ? -1 : real arguments; }
#define FILE1(name, type, space_needed, parameters, arguments) \
	type name parameters { REAL(name); return file_below(file) && fails(space_needed) ? -1 : real arguments; }

PATH1(mkdir, int, 1, (const char *path, mode_t mode), (path, mode))
PATH1(rmdir, int, 0, (const char *path), (path))
PATH1(unlink, int, 0, (const char *path), (path))
NAME1(unlinkat, int, 0, (int parent, const char *path, int flags), (parent, path, flags))
PATH1(chmod, int, 0, (const char *path, mode_t mode), (path, mode))
NAME1(fchmodat, int, 0, (int parent, const char *path, mode_t mode, int flags), (parent, path, mode, flags))
PATH1(chown, int, 0, (const char *path, uid_t user, gid_t group), (path, user, group))
PATH1(rename, int, 0, (const char *path, const char *target), (path, target))
NAME1(renameat, int, 0, (int parent, const char *path, int other, const char *target), (parent, path, other, target))
FILE1(fsync, int, 0, (int file), (file))
FILE1(fdatasync, int, 0, (int file), (file))
FILE1(ftruncate64, int, 1, (int file, off64_t size), (file, size))
