import Link

/// What two lists of decisions have in common, and where they part.
struct TraceDifference {
  /// A pair of decisions that belong together, or one that the other side has not.
  struct Step {
    var before: Decision?
    var after: Decision?
    /// What counts as the same time and place.
    var tolerance = Tolerance.none

    /// What became of it.
    var change: Change {
      guard let before else { return .added }
      guard let after else { return .removed }
      return tolerance.covers(before, after) ? .same : .moved
    }

    /// How much later the second side decides; nil for what only one side has.
    var delay: VirtualTime.Span? {
      guard let before, let after else { return nil }
      return after.time - before.time
    }

    /// When it happened, on the side that has it.
    var time: VirtualTime { before?.time ?? after?.time ?? .start }
  }

  /// How far apart in time and place two equal decisions may be to count as the same.
  struct Tolerance {
    var time: VirtualTime.Span
    /// Metres.
    var distance: Double

    /// Nothing may differ.
    static let none = Tolerance(time: .zero, distance: 0)
    /// Metres that a run covers in a second at most.
    private static let speedMax = 12.0

    /// - Parameter distance: Metres; nil for what a run covers in `time` at most.
    init(time: VirtualTime.Span, distance: Double? = nil) {
      self.time = time
      self.distance = distance ?? time.seconds * Self.speedMax
    }

    /// Whether two decisions with the same text are the same.
    func covers(_ before: Decision, _ after: Decision) -> Bool {
      if before.time == after.time, before.place == after.place { return true }
      guard time > .zero || distance > 0 else { return false }
      let delay = after.time - before.time
      let way = abs((after.distance ?? 0) - (before.distance ?? 0))
      return delay <= time && delay >= time * -1 && way <= distance
    }
  }

  /// What became of a decision.
  enum Change: String, CaseIterable {
    /// The same, at the same time.
    case same
    /// The same, at another time or place.
    case moved
    /// Only the first side has it.
    case removed
    /// Only the second side has it.
    case added
  }

  /// How many of a kind there are of each change.
  struct Count {
    var kind: String
    var counts: [Change: Int] = [:]
  }

  /// In the order of the first side; events that only the second side has are inserted at their positions.
  let steps: [Step]

  /// Whether the two decide the same at the same times.
  var isEmpty: Bool { firstDifference == nil }

  /// The first step at which they part, by its place; nil where they do not.
  var firstDifference: Int? { steps.firstIndex { $0.change != .same } }

  /// By kind, in the order of their first appearance.
  var counts: [Count] {
    var counts: [Count] = []
    for step in steps {
      guard let kind = (step.before ?? step.after)?.kind else { continue }
      let place = counts.firstIndex { $0.kind == kind } ?? counts.count
      if place == counts.count { counts.append(Count(kind: kind)) }
      counts[place].counts[step.change, default: 0] += 1
    }
    return counts
  }

  /// Compares two lists.
  ///
  /// Decisions are paired by what they say, in their order (Myers's difference of the texts); the times of a pair are
  /// compared then. Where more differs than ``differencesMax``, only what is alike at both ends is paired. Decisions that
  /// only changed their order are paired as well if they are the same within the tolerance.
  init(_ before: [Decision], _ after: [Decision], tolerance: Tolerance = .none) {
    var first = 0
    while first < before.count, first < after.count, before[first].text == after[first].text { first += 1 }
    var tail = 0
    while tail < before.count - first, tail < after.count - first,
      before[before.count - 1 - tail].text == after[after.count - 1 - tail].text
    { tail += 1 }
    var steps: [Step] = []
    for index in 0..<first { steps.append(Step(before: before[index], after: after[index])) }
    Self.pair(before[first..<(before.count - tail)], after[first..<(after.count - tail)], &steps)
    for index in (0..<tail).reversed() {
      steps.append(Step(before: before[before.count - 1 - index], after: after[after.count - 1 - index]))
    }
    Self.pairReordered(&steps, tolerance)
    for index in steps.indices { steps[index].tolerance = tolerance }
    self.steps = steps
  }

  /// Pairs what only one side has with the same decision of the other side, in the order of their times.
  private static func pairReordered(_ steps: inout [Step], _ tolerance: Tolerance) {
    guard tolerance.time > .zero else { return }
    // By text, looked up only; each list is in the order of the second side.
    var added: [String: [Int]] = [:]
    for index in steps.indices where steps[index].before == nil {
      if let after = steps[index].after { added[after.text, default: []].append(index) }
    }
    var isTaken = [Bool](repeating: false, count: steps.count)
    for index in steps.indices where steps[index].after == nil {
      guard let before = steps[index].before, let others = added[before.text] else { continue }
      let other = others.first { !isTaken[$0] && steps[$0].after.map { tolerance.covers(before, $0) } ?? false }
      guard let other else { continue }
      steps[index].after = steps[other].after
      isTaken[other] = true
    }
    steps = steps.indices.filter { !isTaken[$0] }.map { steps[$0] }
  }

  /// How long the parts that differ may be together, to be paired within.
  static let differencesMax = 8_000

  private static func pair(_ before: ArraySlice<Decision>, _ after: ArraySlice<Decision>, _ steps: inout [Step]) {
    guard before.count + after.count <= differencesMax else {
      for decision in before { steps.append(Step(before: decision)) }
      for decision in after { steps.append(Step(after: decision)) }
      return
    }
    // Numbers in place of texts, as each is compared with many.
    var numbers: [String: Int] = [:]
    func number(_ decision: Decision) -> Int {
      let known = numbers[decision.text] ?? numbers.count
      numbers[decision.text] = known
      return known
    }
    let sides = (before.map(number), after.map(number))
    let difference = sides.1.difference(from: sides.0)
    // By place, so membership is asked for and never an order.
    var removed = Set<Int>()
    var inserted = Set<Int>()
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    let (old, new) = (Array(before), Array(after))
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      let takesOld = left < old.count && removed.contains(left)
      let takesNew = right < new.count && inserted.contains(right)
      if takesOld, !takesNew || old[left].time <= new[right].time {
        steps.append(Step(before: old[left]))
        left += 1
      } else if takesNew {
        steps.append(Step(after: new[right]))
        right += 1
      } else {
        steps.append(Step(before: old[left], after: new[right]))
        left += 1
        right += 1
      }
    }
  }
}
