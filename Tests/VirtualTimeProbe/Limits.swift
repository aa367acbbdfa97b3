import CVirtualTimeProbe
import Foundation
import Synchronization

/// Programs that virtual time ends or reports, and the ones that must not be.
enum Limits {
  /// A 1 Hz app.
  static func beat(_ hours: Double) -> Never {
    Task.detached {
      var beats = 0
      while beats < Int(hours * 3600) {
        try? await Task.sleep(for: .seconds(1), tolerance: .zero)
        beats += 1
      }
      print("beats \(beats)")
      exit(0)
    }
    RunLoop.main.run()
    exit(1)
  }

  static func printDate() {
    let now = Date().timeIntervalSince1970
    var monotonic = timespec()
    clock_gettime(CLOCK_MONOTONIC, &monotonic)
    let early = Double(probe_early_date()) / 1e9
    print(String(format: "%.3f %.3f", now, early), monotonic.tv_sec, monotonic.tv_nsec, UUID())
  }

  // MARK: Deadlocks

  static func deadlock(_ kind: String) {
    let (first, second) = (NSLock(), NSLock())
    let mutex = Mutex(0)
    func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
      Thread.detachNewThread {
        // Foundation keeps a thread's name to itself on Linux.
        probe_set_name(name)
        body()
      }
    }
    switch kind {
    case "order":
      start("left") { takeBoth(first, second) }
      start("right") { takeBoth(second, first) }
    case "self":
      start("twice") {
        first.lock()
        first.lock()
      }
    case "ended":
      start("gone") { first.lock() }
      start("left") {
        sleep(1)
        first.lock()
      }
    case "mutex":
      start("left") {
        mutex.withLock { _ in
          sleep(1)
          first.withLock {}
        }
      }
      start("right") {
        first.withLock {
          sleep(1)
          mutex.withLock { _ in }
        }
      }
    case "queue":
      DispatchQueue(label: "first").async { takeBoth(first, second) }
      DispatchQueue(label: "second").async { takeBoth(second, first) }
    case "held":  // no deadlock: the owner sleeps
      start("owner") { first.withLock { _ = sleep(50) } }
      start("left") {
        sleep(1)
        first.withLock {}
        print("released")
        exit(0)
      }
    default: exit(2)
    }
    // Timers that go on do not hide a deadlock.
    let timer = Timer(timeInterval: 1, repeats: true) { _ in }
    RunLoop.main.add(timer, forMode: .common)
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 600))
    print("no deadlock")
  }

  private static func takeBoth(_ first: NSLock, _ second: NSLock) {
    first.lock()
    sleep(1)
    second.lock()
    second.unlock()
    first.unlock()
  }

  /// Two threads, each of which reads a counter and writes it later, and takes two locks in its own order: which of
  /// three ends comes depends on the interleaving alone.
  static func raceForCounter() {
    let (first, second) = (NSLock(), NSLock())
    let counter = Box(0)
    let ended = DispatchSemaphore(value: 0)
    for (a, b) in [(first, second), (second, first)] {
      Thread.detachNewThread {
        let old = counter.value
        a.lock()
        b.lock()
        b.unlock()
        a.unlock()
        counter.value = old + 1
        ended.signal()
      }
    }
    ended.wait()
    ended.wait()
    print("counter \(counter.value)")
  }

  // MARK: Processes that do not come to rest

  static func spin() {
    Thread.detachNewThread {
      let flag = Atomic(false)
      spinForEver(flag)
    }
    RunLoop.main.run()
  }

  @inline(never) private static func spinForEver(_ flag: borrowing Atomic<Bool>) {
    while !flag.load(ordering: .relaxed) {}
  }

  /// Two threads that wake each other without end, at one instant.
  static func pingPong() {
    let (ping, pong) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    for (mine, other) in [(ping, pong), (pong, ping)] {
      Thread.detachNewThread {
        while true {
          mine.wait()
          other.signal()
        }
      }
    }
    ping.signal()
    RunLoop.main.run()
  }

  /// A wait that is the kernel's: for the other end of a named pipe.
  static func blockInKernel(_ path: String) {
    mkfifo(path, 0o600)
    print("opened \(open(path, O_RDONLY))")
  }

  static func waitForNothing() {
    DispatchSemaphore(value: 0).wait()
  }

  // MARK: The world outside

  static func startChild() {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    let output = Pipe()
    process.standardOutput = output
    do { try process.run() } catch { print("FAIL \(error)") }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    print("child ended with \(process.terminationStatus), \(text.contains("LD_PRELOAD") ? "preloaded" : "plain")")
  }

  static func openSocket() {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(9).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    print("connected \(status)")
  }

  /// A crash on a thread other than the main one.
  static func crash() {
    Thread.detachNewThread {
      sleep(1)
      fatalError("on purpose")
    }
    RunLoop.main.run()
  }
}
