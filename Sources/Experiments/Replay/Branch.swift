import Simulator
package import Console
package import Link

/// Another future of a recorded run.
package struct Branch {
  package let other: RecordedTrace
  /// The lines before the instant, without the header, that both traces share.
  package let prefixLines: Int
  /// SHA-256 of these lines, in hexadecimal.
  package let prefixDigest: String
  package let notes: [String]

  /// Repeats a run with one more fault from an instant on.
  ///
  /// - Throws: ``Failure/input(_:)`` for a fault that cannot be read, and for a run that cannot be repeated: one whose
  ///   header says too little, or whose lines before the instant come out differently.
  package init(of trace: RecordedTrace, at instant: VirtualTime, fault: String) throws(Failure) {
    let repeated = try RepeatedScenario(trace)
    guard repeated.isComplete else {
      throw .input("\(trace.path):1:1: error: \(repeated.notes.first ?? "the header does not say enough")")
    }
    var scenario = repeated.scenario
    guard scenario.programs.isEmpty else {
      throw .input("\(trace.path): the run had programs of the user's, which a branch does not start")
    }
    let planned = try Self.read(fault, at: instant, hasUplink: scenario.edge != nil)
    guard !scenario.faults.contains(where: { $0.id == planned.id }) else {
      throw .input("--fault: the run has a fault \"\(TerminalText.escape(planned.id))\" already")
    }
    scenario.faults.append(planned)
    var options = RunOptions()
    options.showsPrograms = false
    var bytes: [UInt8] = []
    options.output = { bytes += $0 }
    let outcome = try ScenarioRun.run(scenario, options)
    if let failure = outcome.environmentFailure { throw .environment(failure) }
    other = try RecordedTrace("the branch", bytes)
    notes = repeated.notes
    let count = trace.events.prefix { $0.time < instant }.count
    let (before, after) = (Self.lines(trace.bytes, count), Self.lines(bytes, count))
    guard before == after, other.events.prefix(while: { $0.time < instant }).count == count else {
      throw .input(
        "\(trace.path): its lines before \(instant.text) come out differently today, so there is nothing to branch from"
      )
    }
    prefixLines = count
    var digest = SHA256Stream()
    digest.append(Array(before))
    prefixDigest = Digest.text(digest.finish())
  }

  /// Reads one fault, which begins at an instant.
  package static func read(_ text: String, at instant: VirtualTime, hasUplink: Bool) throws(Failure) -> PlannedFault {
    let node: JSONNode
    do { node = try JSONParser.parse(text, dialect: .json5) } catch {
      throw .input(TerminalText.escape("--fault:\(error.description)"))
    }
    guard case .object(let members) = node.value else { throw .input("--fault: expected an object") }
    guard !members.contains(where: { $0.key == "at" }) else {
      throw .input("--fault: found the key at, expected none: --at says when")
    }
    let at = JSONMember("at", .string("\(instant.nanoseconds)ns"))
    let collector = DiagnosticsCollector(file: "--fault")
    let list = JSONNode(.array([JSONNode(.object([at] + members))]))
    let readers = JSONValueReader(list, path: "fault", into: collector).array(count: 1...1) ?? []
    let plan = FaultPlan.read(readers, points: CrashPoint.all, hasUplink: hasUplink)
    guard !collector.diagnostics.hasErrors, let fault = plan.first else { throw .problems(collector.diagnostics.lines) }
    return fault
  }

  /// The bytes of the first lines after the header.
  private static func lines(_ bytes: [UInt8], _ count: Int) -> ArraySlice<UInt8> {
    let newline = UInt8(ascii: "\n")
    guard let header = bytes.firstIndex(of: newline) else { return [] }
    var end = header + 1
    for _ in 0..<count {
      guard let next = bytes[end...].firstIndex(of: newline) else { return bytes[(header + 1)...] }
      end = next + 1
    }
    return bytes[(header + 1)..<end]
  }
}
