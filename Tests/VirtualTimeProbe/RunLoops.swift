import Foundation

/// Run loops and operations.
enum RunLoops {
  /// Two at a time, and one that depends on all.
  static func operate() {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 2
    let last = BlockOperation { Report.finish("operations") }
    for index in 0..<6 {
      let operation = BlockOperation {
        Thread.sleep(forTimeInterval: 1)
        Report.say("operation \(index)")
      }
      last.addDependency(operation)
      queue.addOperation(operation)
    }
    queue.addOperation(last)
  }

  /// A repeating timer of the main run loop.
  static func ring() {
    let count = Box(0)
    let timer = Timer(timeInterval: 500, repeats: true) { timer in
      count.value += 1
      Report.say("run loop timer \(count.value)")
      guard count.value == 6 else { return }
      timer.invalidate()
      Report.finish("run loop timer")
    }
    RunLoop.main.add(timer, forMode: .common)
  }

  /// A run loop of another thread, and a block that another one hands to it.
  static func runOnThread() {
    Thread.detachNewThread {
      let loop = RunLoop.current
      let rings = Box(0)
      let timer = Timer(timeInterval: 2, repeats: true) { _ in rings.value += 1 }
      loop.add(timer, forMode: .default)
      let began = Date()
      _ = loop.run(mode: .default, before: Date(timeIntervalSinceNow: 9))
      let passed = Date().timeIntervalSince(began)
      // At 2, 4, 6 and 8 s: Foundation on Linux alone fires such a timer at once, too.
      Report.check(rings.value == 4 && passed >= 9 && passed < 9.2, "\(rings.value) rings in \(passed) s")
      Report.finish("run loop of a thread")
    }
  }
}
