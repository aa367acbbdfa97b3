package import Console
import Foundation
import Link

/// Joins the results of several sweeps: sorted, each seed once, with duplicates and gaps reported.
package struct SweepMerge {
  /// A line of one of the files.
  private struct Entry {
    var name: Int
    var seed: UInt64
    var hasPassed: Bool
    var file: Int
    var number: Int
    var text: Range<Int>
    /// Its reached situations, as indices into the scenario's.
    var reached: [Int]
  }

  /// The totals of one scenario.
  package struct Sum: Equatable {
    package var scenario: String
    package var passed = 0
    package var failed = 0
    /// Seeds that occurred more than once, with the same result.
    package var doubled = 0
    /// Seeds outside the wanted range; kept, and counted in ``passed`` and ``failed`` too.
    package var outside = 0
    /// Ranges of missing seeds between the first and the last one wanted, in order.
    package var missing: [SeedRange] = []
    /// The situations that its seeds declare, in the order of the first of them, with the number of seeds that reached each.
    package var situations: [(name: String, seeds: Int)] = []

    package static func == (lhs: Self, rhs: Self) -> Bool {
      (lhs.scenario, lhs.passed, lhs.failed, lhs.doubled, lhs.outside) == (
        rhs.scenario, rhs.passed, rhs.failed, rhs.doubled, rhs.outside
      ) && lhs.missing == rhs.missing && lhs.situations.elementsEqual(rhs.situations, by: ==)
    }
  }

  /// A seed with two different results.
  package struct Contradiction: Equatable {
    package var scenario: String
    package var seed: UInt64
    /// `file:line` of both.
    package var locations: [String]
  }

  /// Limit of contradictions that are listed; all are counted.
  static let contradictionsMax = 20

  package private(set) var sums: [Sum] = []
  package private(set) var contradictions: [Contradiction] = []
  package private(set) var contradictionCount = 0

  private let paths: [String]
  private var texts: [[UInt8]] = []
  private var names: [String] = []
  /// The index of each name; used for lookup only, never iterated.
  private var indices: [String: Int] = [:]
  /// The situations of each scenario, by the scenario's index in ``names``.
  private var situations: [[String]] = []
  private var entries: [Entry] = []

  /// Reads the files.
  ///
  /// - Parameter wanted: The seeds that each scenario should have; nil for those from its first to its last.
  /// - Throws: At the first invalid line.
  package init(_ paths: [String], wanted: SeedRange?) throws(Failure) {
    self.paths = paths
    for (file, path) in paths.enumerated() { try read(path, file) }
    sort()
    settle(wanted)
  }

  /// Calls `body` for every kept line, in the order of scenarios and seeds, without its line feed.
  package func forEachLine(_ body: (String) throws(Failure) -> Void) throws(Failure) {
    for entry in entries { try body(String(decoding: texts[entry.file][entry.text], as: UTF8.self)) }
  }

  private mutating func read(_ path: String, _ file: Int) throws(Failure) {
    let bytes = try FilePath.read(path, bytesMax: 1 << 32, startsWithText: true)
    // Skips a byte order mark, as an editor may leave it.
    var (start, number) = (bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0, 1)
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      defer {
        start = end + 1
        number += 1
      }
      guard start < end else { continue }
      let line = try SweepLine(String(decoding: bytes[start..<end], as: UTF8.self), file: path, line: number)
      let name = index(of: line.scenario)
      let reached = try indices(of: line, in: name, path, number)
      entries.append(
        Entry(
          name: name, seed: line.seed, hasPassed: line.hasPassed, file: file, number: number, text: start..<end,
          reached: reached))
    }
    texts.append(bytes)
  }

  private mutating func index(of name: String) -> Int {
    if let index = indices[name] { return index }
    indices[name] = names.count
    names.append(name)
    situations.append([])
    return names.count - 1
  }

  /// The indices of the situations that a line's seed reached; adds those that its scenario did not have yet.
  private mutating func indices(
    of line: SweepLine, in name: Int, _ path: String, _ number: Int
  ) throws(Failure) -> [Int] {
    var reached: [Int] = []
    for situation in line.situations {
      let index = situations[name].firstIndex(of: situation.name) ?? situations[name].count
      if index == situations[name].count {
        guard index < Situation.countMax else {
          throw .input(
            "\(path):\(number):1: error: found more than \(Situation.countMax) situations of one scenario, expected those of one file"
          )
        }
        situations[name].append(situation.name)
      }
      if situation.isReached { reached.append(index) }
    }
    return reached
  }

  private mutating func sort() {
    // By name, so that the order of the files does not matter.
    let order = names.indices.sorted { names[$0] < names[$1] }
    var rank = [Int](repeating: 0, count: names.count)
    for (index, name) in order.enumerated() { rank[name] = index }
    entries.sort { ($0.seed, $0.file, $0.number) < ($1.seed, $1.file, $1.number) }
    // A stable distribution keeps the order of seeds in each scenario.
    var sorted: [[Entry]] = names.map { _ in [] }
    for entry in entries { sorted[rank[entry.name]].append(entry) }
    entries = sorted.flatMap { $0 }
  }

  /// Drops duplicates, and counts.
  private mutating func settle(_ wanted: SeedRange?) {
    var kept: [Entry] = []
    kept.reserveCapacity(entries.count)
    var next: UInt64 = 0
    for entry in entries {
      let isNew = kept.last?.name != entry.name
      if isNew {
        if let wanted { close(wanted, next) }
        sums.append(
          Sum(scenario: names[entry.name], situations: situations[entry.name].map { (name: $0, seeds: 0) }))
        next = wanted?.lower ?? entry.seed
      }
      if !isNew, let last = kept.last, last.seed == entry.seed {
        compare(last, entry)
        continue
      }
      let end = min(entry.seed, wanted?.upper ?? entry.seed)
      if end > next { miss(next, end) }
      if let wanted, !(wanted.lower..<wanted.upper).contains(entry.seed) { sums[sums.count - 1].outside += 1 }
      // The greatest seed has no successor.
      next = max(next, entry.seed == .max ? .max : entry.seed + 1)
      if entry.hasPassed { sums[sums.count - 1].passed += 1 } else { sums[sums.count - 1].failed += 1 }
      for index in entry.reached { sums[sums.count - 1].situations[index].seeds += 1 }
      kept.append(entry)
    }
    if let wanted { close(wanted, next) }
    entries = kept
  }

  private mutating func close(_ wanted: SeedRange, _ next: UInt64) {
    if !sums.isEmpty, next < wanted.upper { miss(next, wanted.upper) }
  }

  private mutating func miss(_ lower: UInt64, _ upper: UInt64) {
    sums[sums.count - 1].missing.append(SeedRange(lower: lower, upper: upper))
  }

  private mutating func compare(_ first: Entry, _ second: Entry) {
    guard texts[first.file][first.text] != texts[second.file][second.text] else {
      sums[sums.count - 1].doubled += 1
      return
    }
    contradictionCount += 1
    guard contradictions.count < Self.contradictionsMax else { return }
    contradictions.append(
      Contradiction(
        scenario: names[first.name], seed: first.seed,
        locations: [first, second].map { "\(paths[$0.file]):\($0.number)" }))
  }
}
