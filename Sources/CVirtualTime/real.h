// The functions of libc that this library replaces, as libc has them: `vt_real.NAME(...)`.

#ifndef VT_REAL_H
#define VT_REAL_H

#include "core.h"

#include <fcntl.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <netdb.h>
#include <unistd.h>

#define VT_THREAD_FUNCTIONS(X) \
  X(pthread_create) X(pthread_exit) X(pthread_join) X(pthread_tryjoin_np) X(pthread_timedjoin_np) \
  X(pthread_clockjoin_np) X(pthread_setname_np) X(pthread_getname_np) X(pthread_sigmask) X(pthread_kill) \
  X(pthread_getaffinity_np) X(sched_getaffinity) X(sched_yield) X(setpriority) X(gettid) X(sysconf) X(syscall) \
  X(sigaction) X(sigsuspend) X(pause) X(sigwait) X(sigwaitinfo) X(sigtimedwait)
#define VT_LOCK_FUNCTIONS(X) \
  X(pthread_mutex_lock) X(pthread_mutex_trylock) X(pthread_mutex_timedlock) X(pthread_mutex_clocklock) \
  X(pthread_mutex_unlock) X(pthread_cond_wait) X(pthread_cond_timedwait) X(pthread_cond_clockwait) \
  X(pthread_cond_signal) X(pthread_cond_broadcast) X(pthread_rwlock_rdlock) X(pthread_rwlock_wrlock) \
  X(pthread_rwlock_tryrdlock) X(pthread_rwlock_trywrlock) X(pthread_rwlock_timedrdlock) \
  X(pthread_rwlock_timedwrlock) X(pthread_rwlock_unlock) X(pthread_spin_lock) X(pthread_spin_trylock) \
  X(pthread_barrier_init) X(pthread_barrier_wait) X(pthread_barrier_destroy) X(pthread_once) X(sem_wait) \
  X(sem_trywait) X(sem_timedwait) X(sem_clockwait) X(sem_post) X(flockfile) X(ftrylockfile) X(funlockfile)
#define VT_TIME_FUNCTIONS(X) \
  X(clock_gettime) X(clock_getres) X(gettimeofday) X(time) X(clock) X(times) X(getrusage) X(nanosleep) \
  X(clock_nanosleep) X(usleep) X(sleep) X(timerfd_create) X(timerfd_settime) X(timerfd_gettime) X(alarm) X(setitimer) \
  X(timer_create)
#define VT_FD_FUNCTIONS(X) \
  X(read) X(write) X(readv) X(writev) X(recv) X(recvfrom) X(recvmsg) X(send) X(sendto) X(sendmsg) X(accept) \
  X(accept4) X(connect) X(bind) X(close) X(shutdown) X(dup) X(dup2) X(dup3) X(fcntl) X(flock) X(open) X(openat) \
  X(fopen) X(socket) X(socketpair) X(pipe) X(pipe2) X(eventfd) X(eventfd_write) X(eventfd_read) X(poll) X(ppoll) \
  X(select) X(pselect) X(epoll_create) X(epoll_create1) X(epoll_ctl) X(epoll_wait) X(epoll_pwait)
#define VT_OTHER_FUNCTIONS(X) \
  X(getrandom) X(getentropy) X(fork) X(posix_spawn) X(posix_spawnp) X(system) X(popen) X(waitpid) X(getaddrinfo) \
  X(realpath) X(_exit) X(execve) X(execv) X(execvp) X(execvpe) X(fexecve)

#pragma GCC visibility push(hidden)

#define VT_DECLARE(name) __typeof__(&name) name;
typedef struct {
  VT_THREAD_FUNCTIONS(VT_DECLARE) VT_LOCK_FUNCTIONS(VT_DECLARE) VT_TIME_FUNCTIONS(VT_DECLARE)
  VT_FD_FUNCTIONS(VT_DECLARE) VT_OTHER_FUNCTIONS(VT_DECLARE)
  // In glibc from 2.36 on: by address, as older headers lack them.
  uint32_t (*arc4random)(void);
  uint32_t (*arc4random_uniform)(uint32_t);
  void (*arc4random_buf)(void *, size_t);
} vt_real_functions;
#undef VT_DECLARE

extern vt_real_functions vt_real;
void vt_load_real_functions(void);

#pragma GCC visibility pop

#endif
