import Dispatch
import Foundation
import Synchronization

/// Dispatch: queues, sources, semaphores, groups.
enum Queues {
  private static let serial = DispatchQueue(label: "serial")
  private static let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)

  /// `async`, `sync` and `asyncAfter`, from several queues.
  static func submit() {
    let log = Box<[Int]>([])
    for index in 0..<8 { DispatchQueue.global().async { serial.async { log.value.append(index) } } }
    for index in 8..<12 {
      DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 3) { serial.sync { log.value.append(index) } }
    }
    DispatchQueue.global().asyncAfter(wallDeadline: .now() + 5) {
      let order = serial.sync { log.value }
      Report.say("async order \(order)")
      Report.check(Set(order) == Set(0..<12), "every block ran")
      DispatchQueue.main.async { Report.finish("async") }
    }
  }

  static func useBarriers() {
    let log = Box<[Int]>([])
    for index in 0..<8 {
      concurrent.asyncAfter(deadline: .now() + 90) {
        concurrent.async(flags: .barrier) {
          log.value.append(index)
          guard log.value.count == 8 else { return }
          Report.say("barrier order \(log.value)")
          Report.finish("barrier")
        }
      }
    }
  }

  /// Many threads at two locks.
  static func performConcurrently() {
    serial.asyncAfter(deadline: .now() + 30) {
      let lock = NSLock()
      let sum = Box(0)
      let order = Mutex<[Int]>([])
      DispatchQueue.concurrentPerform(iterations: 200) { index in
        lock.lock()
        sum.value += index
        lock.unlock()
        order.withLock { $0.append(index) }
      }
      Report.check(sum.value == 19900 && order.withLock { $0.count } == 200, "every iteration ran once")
      Report.say("perform order \(order.withLock { $0.prefix(12) })")
      Report.finish("perform")
    }
  }

  nonisolated(unsafe) private static let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "timer"))

  /// A repeating timer.
  static func fireSource() {
    let count = Box(0)
    source.schedule(deadline: .now() + 10, repeating: 600)
    source.setEventHandler {
      count.value += 1
      Report.say("source \(count.value)")
      guard count.value == 5 else { return }
      source.cancel()
      Report.finish("source")
    }
    source.resume()
  }

  static func signalSemaphore() {
    let semaphore = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      for _ in 0..<3 {
        Thread.sleep(forTimeInterval: 700)
        semaphore.signal()
      }
    }
    // On a worker of the pool, for the very time after which an idle worker ends.
    DispatchQueue.global().async {
      let began = Date()
      Report.check(semaphore.wait(timeout: .now() + 5) == .timedOut, "the semaphore times out")
      Report.check(abs(Date().timeIntervalSince(began) - 5) < 0.2, "after 5 s")
      for _ in 0..<3 { semaphore.wait() }
      Report.finish("semaphore")
    }
  }

  static func leaveGroup() {
    let group = DispatchGroup()
    for index in 1...3 {
      group.enter()
      DispatchQueue.global().asyncAfter(deadline: .now() + Double(index)) { group.leave() }
    }
    group.notify(queue: .global()) { Report.finish("dispatch group") }
    DispatchQueue.global().async {
      Report.check(group.wait(timeout: .now() + 2.5) == .timedOut, "the group's wait times out")
    }
  }

  nonisolated(unsafe) private static var reader: DispatchSourceRead?
  nonisolated(unsafe) private static var writer: DispatchSourceWrite?

  /// A source that reads a pipe and cancels itself at its end, and one that writes as soon as there is room.
  ///
  /// The end comes at the instant of the bytes: in real time, libdispatch on Linux loses some of those.
  static func readSource() {
    var ends: [Int32] = [0, 0]
    Report.check(pipe(&ends) == 0, "pipe")
    let (readEnd, writeEnd) = (ends[0], ends[1])
    let queue = DispatchQueue(label: "pipe")
    let sum = Box(0)
    let reader = DispatchSource.makeReadSource(fileDescriptor: readEnd, queue: queue)
    reader.setEventHandler {
      var bytes = [UInt8](repeating: 0, count: 16)
      let count = read(readEnd, &bytes, bytes.count)
      Report.say("read source \(count)")
      sum.value += max(0, count)
      if count <= 0 { Self.reader?.cancel() }
    }
    reader.setCancelHandler {
      close(readEnd)
      Report.check(sum.value == 3, "three bytes, then the end: \(sum.value)")
      Report.finish("read source")
    }
    Self.reader = reader
    reader.activate()

    let written = Box(0)
    let writer = DispatchSource.makeWriteSource(fileDescriptor: writeEnd, queue: DispatchQueue(label: "pipe writer"))
    writer.setEventHandler {
      var byte: UInt8 = 5
      written.value += write(writeEnd, &byte, 1)
      if written.value == 3 { Self.writer?.cancel() }
    }
    writer.setCancelHandler { close(writeEnd) }
    Self.writer = writer
    DispatchQueue.global().asyncAfter(deadline: .now() + 20) { writer.activate() }
  }

  nonisolated(unsafe) private static let adder = DispatchSource.makeUserDataAddSource(queue: serial)

  /// A source that adds data up, from threads that run at once.
  static func addUp() {
    let (sum, calls) = (Box(0), Box(0))
    adder.setEventHandler {
      sum.value += Int(adder.data)
      calls.value += 1
      guard sum.value == 100 else { return }
      Report.say("data source in \(calls.value) calls")
      Report.finish("data source")
    }
    adder.activate()
    DispatchQueue.global().asyncAfter(deadline: .now() + 25) {
      DispatchQueue.concurrentPerform(iterations: 100) { _ in adder.add(data: 1) }
    }
  }
}
