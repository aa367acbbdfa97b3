import Foundation
import Link
import Testing

@testable import Simulator

/// A crash at every named point, on either device, whatever is under way, with every checker looking on.
@Suite struct `Crashes at every point` {
  /// One kind of thing that is sent, from both sides.
  enum Sending: String, CaseIterable, Sendable {
    case message, applicationContext, userInfo, complication, file

    /// The word of the scenario, with `count` of them.
    func word(_ count: Int) -> String {
      switch self {
      case .message: "do: 'sendMessage', count: \(count)"
      case .applicationContext: "do: 'updateApplicationContext', bytes: \(200 + count)"
      case .userInfo: "do: 'transferUserInfo', count: \(count)"
      case .complication: "do: 'transferCurrentComplicationUserInfo', count: \(count)"
      case .file: "do: 'transferFile', bytes: \((count - 1) * 9_000)"
      }
    }

    /// The points that a device passes when both send this.
    var points: [String] {
      switch self {
      case .message: []
      case .applicationContext: ["context.committed"]
      case .userInfo, .complication: ["outbox.committed", "inbox.committed", "inbox.acked", "handler.committed"]
      case .file: ["outbox.committed", "inbox.acked", "handler.committed", "file.offered", "file.renamed"]
      }
    }
  }

  /// What is on the link while the crash happens.
  enum Pattern: String, CaseIterable, Sendable {
    /// One at a time; a file of no bytes.
    case single
    /// Many at once.
    case burst
    /// Several, on a link that loses and repeats, and is cut right after they are queued.
    case broken

    var count: Int {
      switch self {
      case .single: 1
      case .burst: 12
      case .broken: 4
      }
    }

    var faults: String {
      guard self == .broken else { return "" }
      return """
        { at: 8, for: 60, loss: { probability: 0.3 } }, { at: 8, for: 60, duplicate: { probability: 0.3 } },
        { at: 21, for: 9, disconnect: {} },
        """
    }
  }

  private static func scenario(_ sending: Sending, _ pattern: Pattern, kill node: String, at point: String) -> String {
    let traffic = [11, 20, 40].map { "{ at: \($0), \(sending.word(pattern.count)) }," }.joined()
    let kills = [10, 19].map { "{ at: \($0), kill: '\(node)', restartAfter: '2500ms', point: '\(point)' }," }.joined()
    return """
      {
        scenario: "points", seed: 7, duration: 70, link: { profile: "ideal" },
        workout: {
          source: { model: { distance: 100000 } },
          events: [\(traffic) { at: 12, do: "pause" }, { at: 14, do: "resume" }, { at: 15, do: "talk", seconds: 2 }],
        },
        phone: { events: [\(traffic) { at: 13, do: "record", seconds: 2 }] },
        script: { id: "s", messages: [
          { id: "soon", triggerSpec: { type: "time", atSeconds: 10 }, text: "Ten seconds." },
          { id: "later", triggerSpec: { type: "time", atSeconds: 41 }, text: "On you go." },
        ] },
        faults: [\(pattern.faults) \(kills)],
      }
      """
  }

  /// Every point, on both devices, for one kind of traffic in one pattern.
  @Test(arguments: Sending.allCases, Pattern.allCases)
  func `nothing is lost or repeated`(sending: Sending, pattern: Pattern) throws {
    let folder = try TemporaryFolder()
    for node in ["watch", "phone"] {
      for point in CrashPoint.all {
        let text = Self.scenario(sending, pattern, kill: node, at: point.name)
        let scenario = try Scenario.load(folder.write("\(node)-\(point.name).json5", text))
        final class Box { var killed: [String] = [] }
        let box = Box()
        var options = RunOptions()
        options.onEvent = { event, _ in
          if event.name == "node.killed", let point = event["point"]?.text { box.killed.append(point) }
        }
        let outcome = try ScenarioRun.run(scenario, options)
        #expect(
          outcome.violations.map { "\(node) \(point.name) \($0.invariant): \($0.detail)" } == [])
        if sending.points.contains(point.name) { #expect(!box.killed.isEmpty, "\(node) passes \(point.name)") }
      }
    }
  }

  @Test func `the apps' own points are passed`() throws {
    let folder = try TemporaryFolder()
    for (node, point) in [
      ("phone", "dispatch.committed"), ("phone", "voice.committed"), ("watch", "workout.committed"),
    ] {
      let text = Self.scenario(.userInfo, .single, kill: node, at: point)
        .replacing("{ at: 12, do: \"pause\" }", with: "{ at: 60, do: \"end\" }, { at: 12, do: \"pause\" }")
        .replacing("{ at: 19,", with: "{ at: 45,")
      let scenario = try Scenario.load(folder.write("\(point).json5", text))
      var options = RunOptions()
      final class Box { var killed = 0 }
      let box = Box()
      options.onEvent = { event, _ in if event["point"]?.text == point { box.killed += 1 } }
      #expect(try ScenarioRun.run(scenario, options).violations.isEmpty)
      #expect(box.killed > 0, "\(point)")
    }
  }
}
