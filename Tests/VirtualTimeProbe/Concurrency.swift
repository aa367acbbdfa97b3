import Foundation

actor Tally {
  private var sum = 0
  func add(_ amount: Int) -> Int {
    sum += amount
    return sum
  }
}

/// Tasks, task groups, actors, streams, the main actor.
enum Concurrency {
  private static let tally = Tally()

  @MainActor private static func sayOnMain(_ text: String) {
    Report.check(Thread.isMainThread, "the main actor is the main thread")
    Report.say(text)
  }

  /// `Task.sleep` at 1 Hz, and the main actor.
  static func tick() {
    let count = Int(Settings.hours * 3600)
    Task.detached {
      for index in 0..<count {
        try? await Task.sleep(for: .seconds(1), tolerance: .zero)
        let sum = await tally.add(1)
        if index % 600 == 0 { await sayOnMain("tick \(index) \(sum)") }
      }
      Report.finish("ticks")
    }
  }

  /// Tasks of a group race for an actor; equal deadlines, so their order is drawn.
  static func race() {
    Task.detached {
      await withTaskGroup(of: Void.self) { group in
        for task in 0..<6 {
          group.addTask {
            for round in 0..<3 {
              try? await Task.sleep(for: .seconds(5))
              let sum = await tally.add(0)
              Report.say("group \(task).\(round) \(sum)")
              await Task.yield()
            }
          }
        }
      }
      Report.finish("group")
    }
  }

  /// An `AsyncStream`, and a sleep that is cancelled.
  static func stream() {
    Task.detached {
      let (stream, feed) = AsyncStream<Int>.makeStream()
      let producer = Task {
        for index in 0..<5 {
          try? await Task.sleep(for: .milliseconds(300))
          feed.yield(index)
        }
        feed.finish()
      }
      var received: [Int] = []
      for await index in stream { received.append(index) }
      await producer.value
      Report.check(received == [0, 1, 2, 3, 4], "the stream's elements come in order")
      let long = Task { () -> Bool in
        do { try await Task.sleep(for: .seconds(9999)) } catch { return true }
        return false
      }
      try? await Task.sleep(for: .seconds(2))
      long.cancel()
      let isCancelled = await long.value
      Report.check(isCancelled, "a cancelled sleep throws")
      Report.finish("stream")
    }
  }
}
