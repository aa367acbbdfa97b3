import Foundation
import Link
import LinkTransport
import Testing

@testable import Simulator

/// What a node had made durable is taken away under it.
@Suite(.serialized) struct LostStateTests {
  private static func scenario(_ faults: String) throws -> Scenario {
    let text = "{ scenario: \"s\", duration: \"60s\", link: { profile: \"ideal\" }, faults: [\(faults)] }"
    let (scenario, diagnostics) = Scenario.read(Array(text.utf8), file: "s.json5", folder: "/")
    try #require(!diagnostics.contains { $0.hasErrors })
    return scenario
  }

  private final class TraceBox {
    var bytes: [UInt8] = []
    var isDone = false
  }

  /// Runs a scenario, and does something at half a minute.
  private static func run(
    _ scenario: Scenario, _ options: RunOptions, halfway: @escaping () -> Void = {}
  ) throws -> (outcome: RunOutcome, lines: [Substring]) {
    var options = options
    let box = TraceBox()
    options.output = { box.bytes += $0 }
    options.onEvent = { event, _ in
      guard event.time > .start + .seconds(30), !box.isDone else { return }
      box.isDone = true
      halfway()
    }
    let outcome = try ScenarioRun.run(scenario, options)
    return (outcome, String(decoding: box.bytes, as: UTF8.self).split(separator: "\n"))
  }

  private static func expectFinding(_ run: (outcome: RunOutcome, lines: [Substring]), _ text: String) {
    #expect(run.outcome.status == 1)
    #expect(run.outcome.verdict == .fail)
    #expect(run.outcome.nodeFailure == "the phone failed: lost what it had kept: \(text)")
    #expect(
      run.lines.dropLast().last?.hasSuffix("\"target\":\"phone\",\"cause\":\"lost what it had kept: \(text)\"}") == true
    )
    #expect(run.lines.last?.contains("\"event\":\"end\",\"verdict\":\"fail\"") == true)
  }

  private static func options(_ mode: RunOptions.Mode, _ folder: TemporaryFolder) -> RunOptions {
    var options = RunOptions()
    options.mode = mode
    options.stateFolder = folder.path("state")
    options.watchCommand = [Tool.path, "watch"]
    options.phoneCommand = [Tool.path, "phone"]
    return options
  }

  @Test(arguments: RunOptions.Mode.allCases, ["", "{ at: \"40s\", kill: \"phone\", restartAfter: \"5s\" }"])
  func `a state folder that is deleted under a run is a finding`(mode: RunOptions.Mode, faults: String) throws {
    let folder = try TemporaryFolder()
    let run = try Self.run(try Self.scenario(faults), Self.options(mode, folder)) {
      try? FileManager.default.removeItem(atPath: folder.path("state/phone"))
    }
    Self.expectFinding(run, "its state folder was deleted during the run")
  }

  @Test(arguments: RunOptions.Mode.allCases)
  func `so is a store that is replaced`(mode: RunOptions.Mode) throws {
    let folder = try TemporaryFolder()
    let store = folder.path("state/phone/store.sqlite")
    let run = try Self.run(try Self.scenario(""), Self.options(mode, folder)) {
      try? FileManager.default.copyItem(atPath: store, toPath: store + ".copy")
      try? FileManager.default.removeItem(atPath: store)
      try? FileManager.default.moveItem(atPath: store + ".copy", toPath: store)
    }
    Self.expectFinding(run, "the store in its state folder was replaced during the run")
  }

  @Test func `so is a store that goes back behind its epoch`() throws {
    let folder = try TemporaryFolder()
    // What the second start finds is kept, and put back in place for the third, into the same files.
    let (back, count) = (folder.path("back"), folder.path("count"))
    let script = """
      echo >> '\(count)'
      case $(wc -l < '\(count)') in
        2) cp -r "$WRISTWIRE_STATE" '\(back)' ;;
        3) rm "$WRISTWIRE_STATE"/store.sqlite-*; for f in '\(back)'/store.sqlite*; do
             cat "$f" > "$WRISTWIRE_STATE/${f##*/}"; done ;;
      esac
      exec '\(Tool.path)' phone
      """
    var options = Self.options(.processes, folder)
    options.phoneCommand = ["/bin/sh", "-c", script]
    let kills =
      "{ at: \"10s\", kill: \"phone\", restartAfter: \"2s\" }, { at: \"20s\", kill: \"phone\", restartAfter: \"2s\" }"
    let run = try Self.run(try Self.scenario(kills), options)
    Self.expectFinding(run, "its store went back to epoch 2, expected 3")
  }

  @Test(arguments: RunOptions.Mode.allCases)
  func `a state folder that is left alone is none`(mode: RunOptions.Mode) throws {
    let folder = try TemporaryFolder()
    let kill = "{ at: \"10s\", kill: \"phone\", restartAfter: \"2s\" }"
    let run = try Self.run(try Self.scenario(kill), Self.options(mode, folder))
    #expect(run.outcome.status == 0 && run.outcome.nodeFailure == nil)
  }
}
