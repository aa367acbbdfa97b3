import Console
package import Link

/// The parts of a scenario that a sweep with `--nemesis` does not judge.
package struct UnjudgedParts: Sendable {
  package var expectations: [ReadExpectation] = []
  package var situations: [Situation] = []

  package init(expectations: [ReadExpectation] = [], situations: [Situation] = []) {
    (self.expectations, self.situations) = (expectations, situations)
  }

  package var isEmpty: Bool { expectations.isEmpty && situations.isEmpty }

  /// The expectations as canonical JSON text.
  package var expectationTexts: [String] {
    expectations.map { String(decoding: JSONWriter.compact($0.node), as: UTF8.self) }
  }

  /// Why they are not judged.
  package static let reason = "--nemesis draws faults that the file does not have"

  /// How many of each there are, if any.
  package static func count(_ all: [UnjudgedParts]) -> String? {
    let expectations = all.reduce(0) { $0 + $1.expectations.count }
    let situations = all.reduce(0) { $0 + $1.situations.count }
    let parts = [(expectations, "expectation"), (situations, "situation")].filter { $0.0 > 0 }
    guard !parts.isEmpty else { return nil }
    return parts.map { StoryText.count($0, $1) }.joined(separator: " and ")
  }
}
