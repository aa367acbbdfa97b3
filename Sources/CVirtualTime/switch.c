// Switching from one thread of the program to another.
//
// Every thread is a real pthread, with its own stack, thread-local storage and thread id inside libc. Where the
// processor lets a program set its thread pointer, all of them run as fibers of one kernel thread, the carrier (the
// main thread's): a switch saves the registers that a call preserves, loads others, and sets the thread pointer. The
// threads' own kernel threads sleep meanwhile.
//
// A thread is "bound" when it runs on its own kernel thread: in baton mode always; with fibers only while it ends, since
// glibc takes a thread down on the kernel thread it was created with. A switch that involves a bound thread hands over
// with a futex. While a bound thread runs, the carrier sleeps in carry().

#include "core.h"

#include <linux/futex.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Saves the caller's registers and stack pointer, and continues where `load` was saved. A thread pointer of 0 is kept.
void vt_swap(void **save, void *load, unsigned long thread_pointer) __attribute__((visibility("hidden")));

#if defined(__x86_64__)

enum { HWCAP2_WRITES_FS = 2 };  // Linux's HWCAP2_FSGSBASE

__asm__(
    ".text\n"
    ".hidden vt_swap\n"
    ".globl vt_swap\n"
    ".type vt_swap,@function\n"
    "vt_swap:\n"
    "  pushq %rbp\n"
    "  pushq %rbx\n"
    "  pushq %r12\n"
    "  pushq %r13\n"
    "  pushq %r14\n"
    "  pushq %r15\n"
    "  subq $8, %rsp\n"
    "  stmxcsr (%rsp)\n"
    "  fnstcw 4(%rsp)\n"
    "  movq %rsp, (%rdi)\n"
    "  testq %rdx, %rdx\n"
    "  jz 1f\n"
    "  wrfsbase %rdx\n"
    "1: movq %rsi, %rsp\n"
    "  ldmxcsr (%rsp)\n"
    "  fldcw 4(%rsp)\n"
    "  addq $8, %rsp\n"
    "  popq %r15\n"
    "  popq %r14\n"
    "  popq %r13\n"
    "  popq %r12\n"
    "  popq %rbx\n"
    "  popq %rbp\n"
    "  ret\n"
    ".size vt_swap, .-vt_swap\n");

int vt_can_use_fibers(void) { return (getauxval(AT_HWCAP2) & HWCAP2_WRITES_FS) != 0; }

unsigned long vt_read_thread_pointer(void) {
  unsigned long value;
  __asm__ volatile("rdfsbase %0" : "=r"(value));
  return value;
}

void *vt_new_context(void *top, void (*start)(void)) {
  uint64_t *stack = (uint64_t *)((uintptr_t)top & ~(uintptr_t)15);
  *--stack = 0;  // the return address of start: unwinding ends here
  *--stack = (uint64_t)(uintptr_t)start;
  for (int i = 0; i < 6; i++) *--stack = 0;
  *--stack = 0x037f00001f80;  // the control words of the two floating-point units, as a process starts with them
  return stack;
}

long vt_raw(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

#elif defined(__aarch64__)

__asm__(
    ".text\n"
    ".hidden vt_swap\n"
    ".globl vt_swap\n"
    ".type vt_swap,%function\n"
    "vt_swap:\n"
    "  sub sp, sp, #176\n"
    "  stp x19, x20, [sp, #0]\n"
    "  stp x21, x22, [sp, #16]\n"
    "  stp x23, x24, [sp, #32]\n"
    "  stp x25, x26, [sp, #48]\n"
    "  stp x27, x28, [sp, #64]\n"
    "  stp x29, x30, [sp, #80]\n"
    "  stp d8, d9, [sp, #96]\n"
    "  stp d10, d11, [sp, #112]\n"
    "  stp d12, d13, [sp, #128]\n"
    "  stp d14, d15, [sp, #144]\n"
    "  mrs x9, fpcr\n"
    "  str x9, [sp, #160]\n"
    "  mov x9, sp\n"
    "  str x9, [x0]\n"
    "  cbz x2, 1f\n"
    "  msr tpidr_el0, x2\n"
    "1: mov sp, x1\n"
    "  ldr x9, [sp, #160]\n"
    "  msr fpcr, x9\n"
    "  ldp x19, x20, [sp, #0]\n"
    "  ldp x21, x22, [sp, #16]\n"
    "  ldp x23, x24, [sp, #32]\n"
    "  ldp x25, x26, [sp, #48]\n"
    "  ldp x27, x28, [sp, #64]\n"
    "  ldp x29, x30, [sp, #80]\n"
    "  ldp d8, d9, [sp, #96]\n"
    "  ldp d10, d11, [sp, #112]\n"
    "  ldp d12, d13, [sp, #128]\n"
    "  ldp d14, d15, [sp, #144]\n"
    "  add sp, sp, #176\n"
    "  ret\n"
    ".size vt_swap, .-vt_swap\n"
    // The first function of a context must see a return address of 0, where unwinding ends; vt_swap's `ret` has left
    // that function's own address in x30.
    ".hidden vt_enter\n"
    ".globl vt_enter\n"
    ".type vt_enter,%function\n"
    "vt_enter:\n"
    "  mov x30, xzr\n"
    "  br x19\n"
    ".size vt_enter, .-vt_enter\n");

void vt_enter(void) __attribute__((visibility("hidden")));

int vt_can_use_fibers(void) { return 1; }  // TPIDR_EL0 is the program's own to write

unsigned long vt_read_thread_pointer(void) {
  unsigned long value;
  __asm__ volatile("mrs %0, tpidr_el0" : "=r"(value));
  return value;
}

void *vt_new_context(void *top, void (*start)(void)) {
  uint64_t *stack = (uint64_t *)((uintptr_t)top & ~(uintptr_t)15) - 22;
  for (int i = 0; i < 22; i++) stack[i] = 0;
  stack[0] = (uint64_t)(uintptr_t)start;      // x19
  stack[11] = (uint64_t)(uintptr_t)vt_enter;  // x30
  return stack;
}

long vt_raw(long number, long a, long b, long c, long d, long e, long f) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
}

#else
#error "virtual time knows x86-64 and aarch64"
#endif

void vt_park(int *word) {
  while (!__atomic_load_n(word, __ATOMIC_ACQUIRE)) vt_raw(SYS_futex, (long)word, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
  *word = 0;
}

void vt_unpark(int *word) {
  __atomic_store_n(word, 1, __ATOMIC_RELEASE);
  vt_raw(SYS_futex, (long)word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

// A thread that ends frees its stack and its storage after its last call into this library. The next thread waits until
// that is over: otherwise the two would race for memory, and addresses would differ from run to run.
static int ending;

void vt_await_end_of(int kernel_id) { ending = kernel_id; }

void vt_reap(void) {
  if (!ending) return;
  long process = vt_raw(SYS_getpid, 0, 0, 0, 0, 0, 0);
  while (vt_raw(SYS_tgkill, process, ending, 0, 0, 0, 0) == 0) vt_raw(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
  ending = 0;
}

static char carrier_stack[16384] __attribute__((aligned(16)));
static int carrier_go;
static vt_thread *handed;  // to the carrier: whom to wake; by a bound thread: whom to run
static void *discarded;

// What the carrier does while a bound thread runs. Its thread pointer is still that of the fiber it came from, so this
// must touch nothing thread-local: system calls only.
static void carry(void) {
  vt_unpark(&handed->go);
  vt_park(&carrier_go);
  vt_reap();
  vt_swap(&discarded, handed->context, handed->thread_pointer);
  __builtin_trap();
}

static void carry_while(vt_thread *from, vt_thread *bound) {
  handed = bound;
  vt_swap(&from->context, vt_new_context(carrier_stack + sizeof carrier_stack, carry), 0);
}

void vt_switch(vt_thread *from, vt_thread *to) {
  if (from == to) return;
  vt_current = to;
  vt_switches++;
  if (!from->is_bound) {
    if (to->is_bound) carry_while(from, to);
    else vt_swap(&from->context, to->context, to->thread_pointer);
    return;
  }
  int is_gone = from->state == VT_GONE;
  if (to->is_bound) {
    vt_unpark(&to->go);
  } else {
    handed = to;
    vt_unpark(&carrier_go);
  }
  if (is_gone) return;
  vt_park(&from->go);
  vt_reap();
}

void vt_go_home(vt_thread *thread) {
  thread->is_bound = 1;
  carry_while(thread, thread);
}

void vt_load_context(void *context) { vt_swap(&discarded, context, 0); }
