import CoachProtocol
import CoachReference
package import Link

/// `truth-not-copied`: the app does not copy the health store's data.
///
/// The line `health.kept` lists the changes as the store receives them, whatever code made them: a route, a heart rate
/// series or a list of splits shows by the kind or the size of a change.
package struct TruthNotCopiedChecker: Checker {
  package static let invariant = "truth-not-copied"
  package static let about =
    "Of a workout in the health store the phone stores only three figures, and the ids that link it with its run."

  /// The changes that an answer of the health store may cause: the figures, the link, and a row for a run without one.
  static let allowed: Set<String> = ["runCached", "runFinished", "runRestored"]
  /// The limit of one such change, in bytes as reported by the line: a row with the longest possible names.
  static let bytesMax: Int64 = 1_500

  package init(header: TraceHeader) {}

  package mutating func healthKept(_ kept: HealthKept, at event: Occurrence, into report: inout Report) {
    for kind in Self.kinds(kept) where !Self.allowed.contains(kind) {
      report.add("an answer of the health store changed \(kind) in the store", at: event.time, lines: [event.line])
    }
    if kept.most > Self.bytesMax {
      report.add(
        "one change that followed from an answer of the health store has \(kept.most) bytes, expected \(Self.bytesMax) at most",
        at: event.time, lines: [event.line])
    }
  }

  private static func kinds(_ kept: HealthKept) -> [String] {
    guard let node = try? JSONParser.parse(kept.changes.text, dialect: .json),
      case .array(let elements) = node.value
    else { return ["nothing that can be read"] }
    return elements.map { $0.text ?? "nothing that can be read" }
  }
}
