import Foundation
import Link
import LinkTransport
import Testing

@testable import WatchConnectivity

/// A kill at a random moment of virtual time: what a commit holds is reported, by the answer or by the next start.
@Suite struct JournalTests {
  /// A start of the watch's app that follows grants, with the answers that the conductor has.
  private static func start(in folder: String, answered: UInt64) throws -> SessionRuntime {
    var options = SessionOptions()
    options.logs = false
    let runtime = SessionRuntime(options: options)
    runtime.followsGrants = true
    var setup = RuntimeSetup(role: .watch, seed: 7, folder: folder)
    setup.answered = answered
    try runtime.begin(setup)
    return runtime
  }

  /// The lines and ends of inputs in a journal's answer.
  private static func lines(_ journal: (number: UInt64, answer: [UInt8])?) throws -> [String] {
    var lines: [String] = []
    try JournaledAnswer.forEachRecord(journal?.answer ?? []) { type, record in
      lines.append(type == .line ? String(decoding: record.dropFirst(5), as: UTF8.self) : "\(type)")
    }
    return lines
  }

  @Test func `what an app has queued and not reported is in the journal that its next start reports`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "wcj-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    do {
      let runtime = try Self.start(in: folder, answered: 4)
      #expect(runtime.beginning?.journal == nil)
      let session = WCSession(runtime)
      let app = SilentApp()
      session.delegate = app
      session.activate()
      _ = try runtime.answer(FreeGrant(time: .start, firesTimers: false, inputs: [.link(isUp: true)]))
      // The activation is complete by then.
      let later = VirtualTime.start + .milliseconds(SessionNode.activationDelay.upperBound)
      _ = try runtime.answer(FreeGrant(time: later, firesTimers: true, inputs: []))
      session.transferUserInfo(["a": 1])
      // Killed here: the answer is not sent.
      runtime.crash()
    }
    let next = try Self.start(in: folder, answered: 4)
    let journal = next.condition.withLock { next.beginning?.journal }
    #expect(journal?.number == 5)
    let lines = try Self.lines(journal)
    #expect(lines.contains { $0.contains("transfer.queued") } && lines.contains("handled"), "\(lines)")
    // That answer counts as given.
    #expect(next.answered == 5)
    next.crash()
  }
}

private final class SilentApp: NSObject, WCSessionDelegate {
  func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {}
  func sessionDidBecomeInactive(_ session: WCSession) {}
  func sessionDidDeactivate(_ session: WCSession) {}
}
