// Elements of points that no reader understands. A vocabulary that is new to the importer must not pass in silence.

/// Counts the elements of unknown names.
struct UnknownElements: Sendable, Equatable {
  /// Limit of names.
  private static let namesMax = 20
  private static let namesListedMax = 5

  /// In lower case.
  private let ignored: Set<String>
  /// In order of appearance, with the number of points that have one.
  private var counts: [(name: String, points: Int, last: Int)] = []

  init(_ ignored: Set<String>) { self.ignored = ignored }

  static func == (first: UnknownElements, second: UnknownElements) -> Bool {
    first.ignored == second.ignored && first.counts.elementsEqual(second.counts) { $0 == $1 }
  }

  /// Counts an element.
  ///
  /// - Parameter point: The number of the point that contains it.
  mutating func add(_ name: String, at point: Int) {
    if let index = counts.firstIndex(where: { $0.name == name }) {
      if counts[index].last != point { counts[index].points += 1 }
      counts[index].last = point
    } else if counts.count < Self.namesMax, !ignored.contains(name.lowercased()) {
      counts.append((name, 1, point))
    }
  }

  /// Reports names that at least half of the points have.
  func report(_ findings: inout ImportFindings, samples: Int) {
    let names = counts.filter { $0.points * 2 >= samples && $0.points > 1 }.map(\.name)
    guard !names.isEmpty else { return }
    let listed = names.prefix(Self.namesListedMax).map { "'\(Printable.text(Array($0.utf8), charactersMax: 30))'" }
    findings.add(
      "not understood, and not read, at most of the points: \(listed.joined(separator: ", "))"
        + (names.count > listed.count ? ", ..." : ""))
  }
}
