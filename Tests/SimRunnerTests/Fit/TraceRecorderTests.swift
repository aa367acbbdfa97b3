import CoachProtocol
import Foundation
import Link
import Testing

@testable import TraceTools
@testable import Console

/// What an app's own recorder writes is a trace: it is checked, fitted and fed back like any other.
@Suite struct TraceRecorderTests {
  private let workout = Identifier(high: 7, low: 9)

  private func snapshot(_ second: Int, _ state: WorkoutState = .running) -> [UInt8] {
    LiveMetrics(
      workoutId: workout, sentAt: WatchTime(nanoseconds: Int64(second) * 1_000_000_000), elapsed: Double(second),
      distance: Double(second) * 3, currentHR: 150, energyKcal: 1, cadence: 170, state: state
    ).encoded
  }

  /// A phone's recording: a run of a minute, of which 20 s are silent.
  private func recording() -> [UInt8] {
    let bytes = Lines()
    var recorder = TraceRecorder(
      on: .phone, name: "r", startedAt: "2026-04-12T06:30:00Z", duration: .seconds(600), plan: (5_000, 1_500)
    ) { bytes.all += $0 }
    recorder.activated(at: 0)
    recorder.reachabilityChanged(to: true, at: 5_000_000)
    recorder.transferReceived(
      AppMessage.workoutStarted(
        WorkoutStarted(
          workoutId: workout, startedAt: WatchTime(nanoseconds: 500_000_000),
          sentAt: WatchTime(nanoseconds: 500_000_000))
      ).encoded, at: 600_000_000)
    for second in 1...60 where !(20..<40).contains(second) {
      let now = Int64(second) * 1_000_000_000 + 60_000_000
      recorder.messageReceived(snapshot(second), kind: "liveMetrics", sentAt: Int64(second) * 1_000_000_000, at: now)
      let question = recorder.messageSent([1, 2, 3], at: now + 1_000_000)
      if second % 10 == 0 {
        recorder.failed(question, .noReply, at: now + 100_000_000)
      } else {
        recorder.replied(to: question, at: now + 121_000_000)
      }
    }
    recorder.contextReceived([4, 5], at: 60_500_000_000)
    recorder.close(at: 61_000_000_000)
    return bytes.all
  }

  private final class Lines {
    var all: [UInt8] = []
  }

  @Test func `a recording holds as a trace`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("r.jsonl", recording())
    let checked = try CommandChild.call(["check", path])
    #expect(checked.status == 0, "\(checked.output)\(checked.errors)")
  }

  @Test func `a recording is fitted`() throws {
    let fit = ProfileFit(Capture(try RecordedTrace("r", recording())))
    #expect(abs(fit.profile.latency - 60_000_000) < 3_000_000)
    #expect(fit.lost == 4)
  }

  @Test func `a recording can be replayed to today's phone`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("r.jsonl", recording())
    let trace = folder.path("out.jsonl")
    let told = try CommandChild.call(["replay", path, "--phone-only", "--trace", trace])
    #expect(told.status == 0, "\(told.errors)")
    #expect(told.output.contains("silent"), "\(told.output)")
    #expect(!told.output.contains("stopped"), "\(told.output)")
    let made = try RecordedTrace(trace)
    #expect(made.events.filter { $0.name == "snapshot.fresh" }.count == 40)
    #expect(made.events.contains { $0.name == "liveness.disconnected" && $0.time > .start + .seconds(29) })
    #expect(made.events.contains { $0.name.text == "run.named" })
    #expect(try CommandChild.call(["replay", path]).status == 2)
  }

  @Test func `a recording of which nothing can be replayed is refused with the reason`() throws {
    let folder = try TemporaryFolder()
    let watch = Lines()
    var recorder = TraceRecorder(on: .watch, name: "w", startedAt: "2026-04-12T06:30:00Z") { watch.all += $0 }
    recorder.activated(at: 0)
    for second in 1...20 {
      let question = recorder.messageSent(snapshot(second), at: Int64(second) * 1_000_000_000)
      recorder.replied(to: question, at: Int64(second) * 1_000_000_000 + 80_000_000)
    }
    recorder.close(at: 21_000_000_000)
    let ofWatch = try CommandChild.call(["replay", folder.write("w.jsonl", watch.all), "--phone-only"])
    #expect(ofWatch.status == 2 && ofWatch.output.isEmpty, "\(ofWatch.output)")
    #expect(ofWatch.errors.contains("20 payloads of the watch of which none can be made again"), "\(ofWatch.errors)")
    #expect(ofWatch.errors.contains("made on the watch"), "\(ofWatch.errors)")

    let phone = Lines()
    recorder = TraceRecorder(on: .phone, name: "p", startedAt: "2026-04-12T06:30:00Z") { phone.all += $0 }
    recorder.activated(at: 0)
    for second in 1...20 { recorder.messageReceived([1, 2], kind: "mine", at: Int64(second) * 1_000_000_000) }
    recorder.close(at: 21_000_000_000)
    let path = try folder.write("p.jsonl", phone.all)
    let ofPhone = try CommandChild.call(["replay", path, "--phone-only"])
    #expect(ofPhone.status == 2, "\(ofPhone.output)")
    #expect(ofPhone.errors.contains("20 payloads of the watch of which the simulated phone understood none"))
    #expect(!ofPhone.output.contains("stopped"), "\(ofPhone.output)")
    // Nothing in it is a decision of an app.
    let checked = try CommandChild.call(["check", path])
    #expect(checked.status == 1 && checked.output.hasPrefix("not judged: "), "\(checked.output)")
    let json = try JSONParser.parse(try CommandChild.call(["check", path, "--json"]).output, dialect: .json)
    #expect(json["verdict"]?.value == .string("unknown") && json["judged"]?.value == .bool(false))
  }

  @Test func `the time of a recording never steps back`() throws {
    let bytes = Lines()
    var recorder = TraceRecorder(on: .watch, name: "r", startedAt: "2026-04-12T06:30:00Z") { bytes.all += $0 }
    recorder.activated(at: 9)
    recorder.contextSet([1], at: 4)
    recorder.transferQueued(workout, [1], at: -3)
    recorder.transferFinished(workout, error: "x", at: 12)
    recorder.close(at: 0)
    #expect(try RecordedTrace("r", bytes.all).events.map(\.time.nanoseconds).max() == 12)
  }

  @Test func `the example of the page is the one that is compiled here`() throws {
    let page = try String(contentsOf: CommandChild.packageRoot.appending(path: "docs/recordings.md"), encoding: .utf8)
    let example = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "SessionRecordingExample.swift"),
      encoding: .utf8)
    #expect(page.contains("```swift\n\(example)```"))
  }

  @Test func `the example records`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("e.jsonl", "")
    let file = try #require(FileHandle(forWritingAtPath: path))
    let session = SessionRecording(to: file)
    try session.didReceive(message: ["kind": "liveMetrics", "n": 1])
    try session.didReceive(userInfo: ["kind": "x"])
    session.reachabilityDidChange(to: false)
    session.didReply(to: try session.willSend(message: ["n": 2]))
    session.didFail(try session.willSend(message: ["n": 3]))
    session.close()
    try file.close()
    let trace = try RecordedTrace(path)
    #expect(!trace.isTruncated && trace.events.count { $0.name == "frame.sent" } == 5)
  }
}
