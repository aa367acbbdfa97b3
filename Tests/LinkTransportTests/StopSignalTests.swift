import Foundation
import Link
import LinkTestSupport
import LinkTransport
import Testing

/// A signal is a matter of the whole process, so each of these runs in one of its own.
///
/// The bodies return a number instead of exiting, so that what they made is removed.
@Suite struct StopSignalTests {
  @Test func `a signal sets the flag, wakes a poll, and ends a wait for nodes`() async {
    await #expect(processExitsWith: .exitCode(42)) { exit(try StopSignalTests.waitForNodes()) }
  }

  @Test func `a signal interrupts a grant that is waited for`() async {
    await #expect(processExitsWith: .exitCode(42)) { exit(try StopSignalTests.waitForAnswer()) }
  }

  @Test func `a peer that has gone is an error of the write and no signal`() async {
    await #expect(processExitsWith: .exitCode(42)) { exit(try StopSignalTests.writeToNobody()) }
  }

  private static func waitForNodes() throws -> Int32 {
    try StopSignal.install()
    guard !StopSignal.isRaised, let descriptor = StopSignal.descriptor else { return 1 }
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 0) == 0 else { return 2 }
    kill(getpid(), SIGINT)
    try waitUntil("the signal") { StopSignal.isRaised }
    guard StopSignal.number == SIGINT, poll(&entry, 1, 60_000) == 1 else { return 3 }
    let listener = try NodeListener(timeout: 60)
    let child = try ChildProcess(["/bin/sh", "-c", "sleep 1000"])
    do throws(NodeFailure) {
      _ = try listener.accept([.watch])
      return 4
    } catch {
      guard error == NodeFailure(nil, .stopped) else { return 5 }
    }
    child.kill()
    StopSignal.reset()
    guard !StopSignal.isRaised, poll(&entry, 1, 0) == 0 else { return 6 }
    return 42
  }

  private static func waitForAnswer() throws -> Int32 {
    try StopSignal.install()
    // A thread of a pool has its signals blocked; a program's main thread has not.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    let listener = try NodeListener(timeout: 60)
    let peer = try RawPeer(listener)
    try peer.join(listener, as: .phone)
    let node = try listener.accept([.phone])[0]
    let waiting = pthread_self()
    let isOver = DispatchSemaphore(value: 0)
    let hasEnded = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      // Again and again, as the first may come before the wait begins.
      while isOver.wait(timeout: .now() + 0.01) == .timedOut { pthread_kill(waiting, SIGTERM) }
      hasEnded.signal()
    }
    defer {
      isOver.signal()
      _ = hasEnded.wait(timeout: .now() + 60)
    }
    var answer = NodeAnswer()
    do throws(NodeFailure) {
      try node.grant(at: .start, into: &answer)
      return 1
    } catch {
      guard error == NodeFailure(.phone, .stopped) else { return 2 }
      // The grant, and that the run is over: a stop is no refusal.
      var expected = RecordWriter()
      expected.grant(Grant(at: .start, firesTimers: true, inputs: 0))
      expected.end()
      return peer.readToEnd() == expected.bytes ? 42 : 3
    }
  }

  private static func writeToNobody() throws -> Int32 {
    let listener = try NodeListener(timeout: 60)
    let peer = try RawPeer(listener)
    try peer.join(listener, as: .phone)
    let node = try listener.accept([.phone])[0]
    peer.socket.shutDown()
    var answer = NodeAnswer()
    do throws(NodeFailure) {
      try node.grant(at: .start, into: &answer)
      return 1
    } catch {
      return error == NodeFailure(.phone, .closed) ? 42 : 2
    }
  }
}
