import CoachProtocol
import Link
import PhoneSim

/// The rules about the run, applied to the complete list of received updates at every input.
///
/// It shares nothing with ``RunBelief`` but the vocabulary: it keeps every word, remembers no
/// conclusion, and finds the newest by looking at all of them.
struct BeliefOracle {
  /// A workout that became the phone's run, and every word about it since.
  private struct Run {
    let id: Identifier
    var words: [RunUpdate]
    /// The newest time when a later run replaced this one, before any word of its end.
    var replacedAt: WatchTime?

    var endedAt: WatchTime? { replacedAt ?? end?.sentAt }
    var end: RunUpdate? { words.first { $0.state == .ended } }
    var newest: Int {
      var best = 0
      for (place, word) in words.enumerated() {
        let other = words[best]
        if word.sentAt > other.sentAt || (word.sentAt == other.sentAt && word.isEvent && !other.isEvent) {
          best = place
        }
      }
      return best
    }
    var state: WorkoutState { endedAt == nil ? words[newest].state : .ended }
    /// Whether its end came without a UUID, and no start before it: it never ran.
    var isDiscarded: Bool {
      guard let end = words.firstIndex(where: { $0.kind == .workoutEnded }) else { return false }
      return !words[end].finishes && !words[..<end].contains { $0.kind == .workoutStarted }
    }
    func has(_ kind: RunUpdate.Kind) -> Bool { words.contains { $0.kind == kind } }
  }

  private var runs: [Run] = []
  private var asked: Identifier?
  private var refused: [RunUpdate] = []

  var workoutId: Identifier? { asked ?? runs.last?.id }
  var state: WorkoutState? { asked != nil ? .preparing : runs.last?.state }

  /// What must follow from one more input.
  mutating func take(_ input: BeliefInput) -> [RunDecision] {
    switch input {
    case .startWorkout(let id): command(id)
    case .update(let word): word.workoutId == asked ? open(word) : known(word) ?? stranger(word)
    }
  }

  private mutating func command(_ id: Identifier) -> [RunDecision] {
    let isOver = runs.contains { $0.id == id } || refused.contains { $0.workoutId == id && $0.state == .ended }
    if isOver || (runs.last.map { $0.state != .ended } ?? false) { return [] }
    defer { asked = id }
    return asked == nil ? [.state(workoutId: id, from: nil, to: .preparing, cause: .command, sentAt: nil)] : []
  }

  private mutating func open(_ word: RunUpdate) -> [RunDecision] {
    var lines: [RunDecision] = [.opened(workoutId: word.workoutId, sentAt: word.sentAt)]
    if case .workoutStarted(let start) = word.content {
      lines.append(.named(workoutId: word.workoutId, startedAt: start, sentAt: word.sentAt))
    }
    let before: WorkoutState? = asked == word.workoutId ? .preparing : nil
    if before != word.state {
      lines.append(
        .state(workoutId: word.workoutId, from: before, to: word.state, cause: word.cause, sentAt: word.sentAt))
    }
    if case .workoutEnded(let uuid?) = word.content {
      lines.append(.finished(workoutId: word.workoutId, healthKitWorkoutUUID: uuid, sentAt: word.sentAt))
    }
    asked = nil
    runs.append(Run(id: word.workoutId, words: [word]))
    if runs[runs.count - 1].isDiscarded { lines.append(.discarded(workoutId: word.workoutId, sentAt: word.sentAt)) }
    return lines
  }

  /// A word about a workout that is or was the phone's run; nil for any other.
  private mutating func known(_ word: RunUpdate) -> [RunDecision]? {
    guard let place = runs.firstIndex(where: { $0.id == word.workoutId }) else { return nil }
    let before = runs[place]
    runs[place].words.append(word)
    let after = runs[place]
    var lines: [RunDecision] = []
    if case .workoutStarted(let start) = word.content, !before.has(.workoutStarted) {
      lines.append(.named(workoutId: word.workoutId, startedAt: start, sentAt: word.sentAt))
    }
    if before.state != after.state {
      lines.append(
        .state(
          workoutId: word.workoutId, from: before.state, to: after.state, cause: word.cause, sentAt: word.sentAt))
    }
    if after.isDiscarded, !before.isDiscarded {
      lines.append(.discarded(workoutId: word.workoutId, sentAt: word.sentAt))
      return lines
    }
    if before.replacedAt != nil, word.kind == .workoutEnded, !before.has(.workoutEnded) {
      lines.append(.recorded(word))
    }
    if case .workoutEnded(let uuid?) = word.content, !before.isDiscarded, !before.words.contains(where: \.finishes) {
      lines.append(.finished(workoutId: word.workoutId, healthKitWorkoutUUID: uuid, sentAt: word.sentAt))
      return lines
    }
    if before.endedAt != nil {
      lines.append(.history(workoutId: word.workoutId, kind: word.kind, sentAt: word.sentAt, why: .ended))
    } else if after.endedAt == nil, word.isEvent, after.newest != after.words.count - 1 {
      let newest = before.words[before.newest]
      let why: RunDecision.Lateness = newest.isEvent && newest.sentAt == word.sentAt ? .doubled : .late
      lines.append(.history(workoutId: word.workoutId, kind: word.kind, sentAt: word.sentAt, why: why))
    }
    return lines
  }

  private mutating func stranger(_ word: RunUpdate) -> [RunDecision] {
    let hasEnded = refused.contains { $0.workoutId == word.workoutId && $0.state == .ended }
    let why: RunDecision.Refusal
    let isNewer = runs.last.map { isLater(word, than: $0) } ?? false
    if let last = runs.last, last.endedAt == nil, !isNewer {
      why = .anotherIsOn
    } else if hasEnded {
      why = .alreadyEnded
    } else if isNewer {
      return replace(by: word)
    } else if let endedAt = runs.last?.endedAt {
      if word.kind == .workoutStarted, word.sentAt > endedAt { return open(word) }
      why = word.kind == .workoutStarted ? .oldStart : .notAStart
    } else {
      return open(word)
    }
    refused.append(word)
    var lines: [RunDecision] = [.refused(workoutId: word.workoutId, why: why, sentAt: word.sentAt)]
    if word.kind == .workoutEnded, !word.finishes {
      lines.append(.discarded(workoutId: word.workoutId, sentAt: word.sentAt))
    } else if word.kind == .workoutStarted || word.kind == .workoutEnded {
      lines.append(.recorded(word))
    }
    return lines
  }

  private func isLater(_ word: RunUpdate, than run: Run) -> Bool {
    guard let beganBy = word.beganBy else { return false }
    return beganBy > run.endedAt ?? run.words[run.newest].sentAt
  }

  private mutating func replace(by word: RunUpdate) -> [RunDecision] {
    guard let last = runs.last, last.endedAt == nil else { return open(word) }
    let newest = last.words[last.newest].sentAt
    runs[runs.count - 1].replacedAt = newest
    return [.state(workoutId: last.id, from: last.state, to: .ended, cause: .snapshot, sentAt: newest)] + open(word)
  }
}

extension RunUpdate {
  /// Whether the word says under which UUID its workout is in the health store.
  var finishes: Bool { if case .workoutEnded(_?) = content { true } else { false } }
}
