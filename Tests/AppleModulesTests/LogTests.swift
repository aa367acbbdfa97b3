import Foundation
import Testing
import os

/// Lines of `Logger` and `os_log`.
@Suite(.serialized) struct `The log of an app` {
  @Test func `lines are in the trace with level and category, and the story tells those from notice on`() throws {
    let run = try AppleRun(phone: ["log"], story: [])
    let lines = run.events("app.log")
    #expect(
      lines.first?.contains("\"level\":\"debug\",\"subsystem\":\"com.example.run\",\"category\":\"coach\"") == true)
    #expect(lines.contains { $0.contains("\"level\":\"error\",\"text\":\"old form\"") }, "\(lines.prefix(8))")
    #expect(run.text.contains("its app logs, coach: runs at 5.1 min/km"), "\(run.text)")
    #expect(run.text.contains("its app logs (fault), coach: stops"))
    #expect(!run.text.contains("looks 1") && !run.text.contains("hears Ann"))
  }

  @Test func `a private value is shown, a sensitive one is not`() throws {
    let run = try AppleRun(phone: ["log"], story: ["--log-level", "debug"])
    #expect(run.text.contains("its app logs (info), coach: hears Ann"), "\(run.text)")
    #expect(run.text.contains("its app logs (error), coach: token <private>"))
    #expect(run.text.contains("looks 1"))
    let errors = try AppleRun(phone: ["log"], story: ["--log-level", "error"])
    #expect(errors.text.contains("stops") && !errors.text.contains("min/km"))
    let refused = try AppleRun(phone: [], story: ["--log-level", "loud"])
    #expect(refused.status == 2 && refused.text.contains("found \"loud\""), "\(refused.text)")
  }

  @Test func `a line is cut at a character, and lines without end are dropped`() throws {
    let run = try AppleRun(phone: ["log"])
    let long = try #require(run.events("app.log").first { $0.contains("é") })
    #expect(long.filter { $0 == "é" }.count == 512)
    let numbered = run.events("app.log").filter { $0.contains("\"line ") }
    #expect(numbered.count == 1000)
    #expect(run.events("app.finding").count == 1)
  }

  @Test func `no expectation counts a line`() throws {
    let run = try AppleRun(phone: ["log"], expect: "{ count: \"app.log\", exactly: 1 }")
    #expect(run.status == 2 && run.text.contains("a line of its log is for people"), "\(run.text)")
  }

  @Test func `formats, alignments and masks`() {
    let (number, name) = (255, "Ann")
    #expect(text("\(number, format: .hex(includePrefix: true, uppercase: true, minDigits: 4))|") == "0x00FF|")
    #expect(
      text("\(number, format: .decimal(explicitPositiveSign: true)) \(2.5, format: .fixed(precision: 2))")
        == "+255 2.50")
    #expect(text("[\(name, align: .right(columns: 5))]") == "[  Ann]")
    #expect(text("\(true, format: .answer)") == "YES")
    let error: any Error = CancellationError()
    #expect(text("\(error) \(error, privacy: .public)") == "CancellationError() CancellationError()")
    #expect(text("\(name, privacy: .private(mask: .hash))") == text("\("Ann", privacy: .sensitive(mask: .hash))"))
    #expect(text("\(name, privacy: .private(mask: .hash))") != text("\("Bob", privacy: .private(mask: .hash))"))
  }

  /// A message's text, as a line outside a run has it.
  private func text(_ message: OSLogMessage) -> String {
    Mirror(reflecting: message).descendant("text") as? String ?? ""
  }

  @Test func `an unfair lock protects its state`() async {
    let lock = OSAllocatedUnfairLock(initialState: 0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { for _ in 0..<1000 { lock.withLock { $0 += 1 } } } }
    }
    #expect(lock.withLock { $0 } == 8000)
    #expect(lock.withLockIfAvailable { $0 } == 8000)
    let taken: Int? = lock.withLockUnchecked { _ in lock.withLockIfAvailable { $0 } }
    #expect(taken == nil)
  }
}
