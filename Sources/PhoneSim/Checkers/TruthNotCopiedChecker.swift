package import Link

/// `truth-not-copied`: what the health store knows stays there.
///
/// The line `health.kept` tells of the changes as the store gets them, whatever code made them: a route, a heart rate series
/// or a list of splits in one of them shows by its kind, or by its size.
package struct TruthNotCopiedChecker: Checker {
  package static let invariant = "truth-not-copied"
  package static let about =
    "Of a workout in the health store the phone keeps three figures and the names that link it with its run, no more."
  package static let interests: [TraceEvent.Name] = ["health.kept"]

  /// What may follow from an answer of the health store: the figures, the link, and a row for a run that had none.
  static let allowed: Set<String> = ["runCached", "runFinished", "runRestored"]
  /// The size of one such change, at most, in the line's bytes: a row with names as long as they can be.
  static let bytesMax: Int64 = 1_500

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    guard case .healthKept(let kept) = event.body else { return }
    for kind in Self.kinds(kept) where !Self.allowed.contains(kind) {
      report.append(
        Self.violation("an answer of the health store changed \(kind) in the store", at: event.time, lines: [line]))
    }
    if kept.most > Self.bytesMax {
      report.append(
        Self.violation(
          "one change that followed from an answer of the health store has \(kept.most) bytes, expected \(Self.bytesMax) at most",
          at: event.time, lines: [line]))
    }
  }

  private static func kinds(_ kept: HealthKept) -> [String] {
    guard let node = try? JSONParser.parse(kept.changes.text, dialect: .json),
      case .array(let elements) = node.value
    else { return ["nothing that can be read"] }
    return elements.map { $0.string ?? "nothing that can be read" }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
