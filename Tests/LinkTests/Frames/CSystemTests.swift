import CSystem
import Glibc
import Testing

@Suite struct `System calls` {
  @Test func `a pipe waits, fills, and closes on exec`() {
    var ends: [Int32] = [-1, -1]
    #expect(cs_pipe(&ends, 1) == 0)
    defer { for end in ends where end >= 0 { close(end) } }
    #expect(fcntl(ends[0], F_GETFD) & FD_CLOEXEC != 0)
    #expect(fcntl(ends[1], F_GETFL) & O_NONBLOCK != 0)
    var entry = cs_poll_entry(descriptor: ends[0], wanted: Int16(CS_POLL_READ), ready: 0)
    #expect(cs_poll(&entry, 1, 1_000_000) == 0)
    #expect(write(ends[1], "x", 1) == 1)
    #expect(cs_poll(&entry, 1, -1) == 1)
    #expect(entry.ready == Int16(CS_POLL_READ))
    close(ends[1])
    ends[1] = -1
    #expect(cs_poll(&entry, 1, -1) == 1)
    #expect(entry.ready & Int16(CS_POLL_HANG_UP) != 0)
  }

  @Test func `the peer of a socket pair is this process`() {
    var ends: [Int32] = [-1, -1]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    var user: UInt32 = .max
    var process: Int32 = -1
    #expect(cs_peer_credentials(ends[0], &user, &process) == 0)
    #expect(user == getuid())
    #expect(process == getpid())
    #expect(cs_peer_credentials(-1, &user, &process) == -EBADF)
  }

  @Test func `failures are returned as negative errno`() {
    #expect(cs_accept(-1, 0) == -EBADF)
    #expect(cs_cpu_pin(-1) == -EINVAL)
    #expect(cs_cpu_pin(1 << 20) == -EINVAL)
    #expect(cs_cpu_allowed(-1) == -EINVAL)
    #expect(cs_cpu_allowed(cs_cpu_count()) == -EINVAL)
  }

  @Test func `an allowed processor can be pinned`() async {
    #expect(cs_cpu_count() >= 1)
    // On a separate thread, so that other threads are not pinned.
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let thread = UnsafeMutablePointer<pthread_t>.allocate(capacity: 1)
      let finished = Unmanaged.passRetained(Finished(continuation)).toOpaque()
      let status = pthread_create(
        thread, nil,
        { context in
          let last = cs_cpu_allowed(cs_cpu_count() - 1)
          #expect(cs_cpu_pin(last) == 0)
          #expect(cs_cpu_count() == 1)
          #expect(cs_cpu_allowed(0) == last)
          if let context { Unmanaged<Finished>.fromOpaque(context).takeRetainedValue().continuation.resume() }
          return nil
        }, finished)
      #expect(status == 0)
      pthread_detach(thread.pointee)
      thread.deallocate()
    }
  }

  @Test func `a dead parent is noticed`() {
    // Signal 0 requests none, so the test process is unaffected.
    #expect(cs_die_with_parent(0, getppid()) == 0)
    #expect(cs_die_with_parent(0, .max) == -ESRCH)
  }

  @Test func `random bytes differ`() {
    var first = [UInt8](repeating: 0, count: 300)
    var second = first
    #expect(cs_random(&first, 300) == 0)
    #expect(cs_random(&second, 300) == 0)
    #expect(first != second)
    #expect(cs_random(&first, 0) == 0)
  }
}

/// Carries a continuation to a thread.
private final class Finished: Sendable {
  let continuation: CheckedContinuation<Void, Never>
  init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }
}
