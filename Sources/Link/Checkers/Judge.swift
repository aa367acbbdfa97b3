/// Hands each event of a trace to the checkers that are interested in it, and collects what they find.
public struct Judge: Sendable {
  /// Violations kept of each invariant; further ones are counted.
  public static let violationsMax = 20

  private var checkers: [any Checker]
  private let invariants: [String]
  /// The checkers interested in a name, in the order of the catalogue; places by ``NameTable``.
  private let interested: [[Int]]
  private let names: NameTable
  private var report: [Violation] = []
  private var found: [Violation] = []
  private var counts: [Int]
  private var ending = TraceEnding(isComplete: false, time: .start, line: 1)
  private var isFinished = false

  /// Creates a judge for the trace that begins with `header`.
  ///
  /// - Parameter catalog: The kinds of checkers: ``CheckerCatalog/all``, and those of the app.
  public init(header: TraceHeader, checkers catalog: [any Checker.Type]) {
    checkers = catalog.map { $0.init(header: header) }
    invariants = catalog.map { $0.invariant }
    counts = Array(repeating: 0, count: catalog.count)
    var names: [TraceEvent.Name] = []
    var interested: [[Int]] = []
    for (index, kind) in catalog.enumerated() {
      for name in kind.interests {
        if let place = names.firstIndex(of: name) {
          interested[place].append(index)
        } else {
          names.append(name)
          interested.append([index])
        }
      }
    }
    self.names = NameTable(names)
    self.interested = interested
  }

  /// Takes the next event; `line` is its number in the trace, whose header is line 1.
  ///
  /// Of the `end` event only what the run itself knows is read, not its verdict: a runner may hand it over
  /// before it fills that in.
  public mutating func observe(_ event: TraceEvent, line: Int) {
    ending.time = event.time
    ending.line = line
    if event.name.code == TraceEvent.Name.Code.end { ending.isComplete = true }
    guard let place = names.place(of: event.name.code) else { return }
    for index in interested[place] {
      checkers[index].observe(event, line: line, into: &report)
      if !report.isEmpty { keep(from: index) }
    }
  }

  /// Ends the judging and returns what it came to; call it once.
  public mutating func finish() -> Judgement {
    precondition(!isFinished, "a judge finishes once")
    isFinished = true
    for index in checkers.indices {
      checkers[index].finish(ending, into: &report)
      if !report.isEmpty { keep(from: index) }
    }
    // Told in the order of the trace; what is equal stays in the order in which it was found.
    let sorted = found.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
    let omitted = zip(invariants, counts).filter { $0.1 > Self.violationsMax }
    return Judgement(
      verdict: found.isEmpty ? (ending.isComplete ? .pass : .unknown) : .fail, violations: sorted.map(\.element),
      omitted: omitted.map { Judgement.Omitted(invariant: $0.0, count: $0.1 - Self.violationsMax) })
  }

  /// Whether anything was found so far.
  public var hasViolations: Bool { !found.isEmpty }

  private mutating func keep(from checker: Int) {
    let room = max(0, Self.violationsMax - counts[checker])
    found.append(contentsOf: report.prefix(room))
    counts[checker] += report.count
    report.removeAll(keepingCapacity: true)
  }
}

/// What a judge came to.
public struct Judgement: Sendable, Equatable {
  /// Whether all held.
  ///
  /// A truncated trace in which nothing is wrong is no pass.
  public enum Verdict: String, Sendable { case pass, fail, unknown }

  /// Whether all held.
  public var verdict: Verdict
  /// What did not, by time.
  public var violations: [Violation]
  /// How many more there were of an invariant that was broken often.
  public var omitted: [Omitted]

  /// Violations that were counted and not kept.
  public struct Omitted: Sendable, Equatable {
    /// Of which invariant.
    public var invariant: String
    /// How many.
    public var count: Int
  }
}

/// Finds a name's place by its code: open addressing over a power of two, at most half full.
struct NameTable: Sendable {
  private var codes: [UInt64]
  private var places: [Int]
  private let mask: Int

  init(_ names: [TraceEvent.Name]) {
    var size = 16
    while size < names.count * 4 { size *= 2 }
    mask = size - 1
    codes = Array(repeating: 0, count: size)
    places = Array(repeating: -1, count: size)
    for (place, name) in names.enumerated() {
      var slot = Int(truncatingIfNeeded: name.code ^ name.code >> 32) & mask
      while places[slot] >= 0 { slot = (slot + 1) & mask }
      codes[slot] = name.code
      places[slot] = place
    }
  }

  @inline(__always)
  func place(of code: UInt64) -> Int? {
    var slot = Int(truncatingIfNeeded: code ^ code >> 32) & mask
    while places[slot] >= 0 {
      if codes[slot] == code { return places[slot] }
      slot = (slot + 1) & mask
    }
    return nil
  }
}
