import Link

/// What two lists of decisions have in common, and where they part.
struct TraceDifference {
  /// A pair of decisions that belong together, or one that the other side has not.
  struct Step {
    var before: Decision?
    var after: Decision?

    /// What became of it.
    var change: Change {
      guard let before else { return .added }
      guard let after else { return .removed }
      return before.time == after.time && before.place == after.place ? .same : .moved
    }

    /// When it happened, on the side that has it.
    var time: VirtualTime { before?.time ?? after?.time ?? .start }
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
  /// compared then. Where more differs than ``differencesMax``, only what is alike at both ends is paired.
  init(_ before: [Decision], _ after: [Decision]) {
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
    self.steps = steps
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
