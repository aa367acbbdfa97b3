import Link

extension ReferenceRun {
  /// The rules that may be due or expired at a snapshot.
  ///
  /// All others cannot be due: points that the run has not reached, and lines that were spoken or have expired for
  /// good. The list is recomputed when the run reaches a point, and when a message is spoken or expires.
  struct WatchedRules: Sendable {
    /// Indices of rules, in order, without ``conditions``.
    var points: [Int] = []
    /// Indices of conditions, in order; empty if two messages share an id, whose rules are evaluated in order.
    var conditions: [Int] = []
    /// The distance in metres, and the elapsed time in seconds, from which further rules may be due.
    var nextDistance = Double.infinity
    var nextElapsed = Double.infinity
  }

  /// A message that is due.
  package struct Candidate {
    /// The index of its rule.
    package let index: Int
    /// The multiple that it is due with; 0 if it has none.
    package let multiple: Int64
    /// The count of the judged snapshot since which it is due.
    package let since: Int
    package let priority: Double

    /// Creates a candidate.
    package init(index: Int, multiple: Int64, since: Int, priority: Double) {
      self.index = index
      self.multiple = multiple
      self.since = since
      self.priority = priority
    }

    /// Whether it is spoken before another: by priority, then by how long it is due, then by its place in the script.
    package func ranks(before other: Candidate) -> Bool {
      if priority != other.priority { return priority > other.priority }
      return since == other.since ? index < other.index : since < other.since
    }
  }

  /// Recomputes which rules to watch, if the last absorbed snapshot or a decision changes that.
  package mutating func watchRules() {
    if let watched, maxDistance < watched.nextDistance, maxElapsed < watched.nextElapsed { return }
    var found = WatchedRules()
    for (index, rule) in rules.enumerated() {
      if !mayBeDue(rule, &found), !sharesSlots {
        setDue(rule, since: nil, multiple: 0)
      } else if case .expression = rule.kind, !sharesSlots {
        found.conditions.append(index)
      } else {
        found.points.append(index)
      }
    }
    watched = found
  }

  /// The rules to evaluate one by one at the last absorbed snapshot, in order; call ``watchRules()`` before.
  package var rulesToJudge: [Int] { watched?.points ?? [] }

  /// Whether no rule can be due, because all messages only wait for the run to advance.
  package var hasNothingToJudge: Bool {
    guard let watched, watched.points.isEmpty, watched.conditions.isEmpty else { return false }
    return maxDistance < watched.nextDistance && maxElapsed < watched.nextElapsed
  }

  private func mayBeDue(_ rule: Rule, _ watched: inout WatchedRules) -> Bool {
    let standing = standings[rule.slot]
    switch rule.kind {
    case .never: return false
    case .distance, .time:
      guard !standing.isOver, standing.spokenCount == 0 else { return false }
      if case .distance = rule.kind {
        if maxDistance >= rule.at { return true }
        watched.nextDistance = min(watched.nextDistance, rule.at)
      } else {
        if maxElapsed >= rule.at { return true }
        watched.nextElapsed = min(watched.nextElapsed, rule.at)
      }
      return false
    case .every:
      guard !(rule.playsOnce && standing.spokenCount > 0) else { return false }
      let reached = latestMultiple(rule.at)
      if reached > standing.lastMultiple { return true }
      // Slightly earlier, because the two computations may round differently; evaluating too early is harmless.
      let next = (Double(reached) + 1) * rule.at - 0.01
      watched.nextDistance = min(watched.nextDistance, next)
      return maxDistance >= next
    case .expression: return !(rule.playsOnce && standing.spokenCount > 0)
    }
  }

  /// The first of the conditions that are due at the last absorbed snapshot; nil if none is.
  ///
  /// Call ``watchRules()`` and ``evaluate()`` before.
  ///
  /// - Parameter count: The count of judged snapshots, from which a condition is due that was not before.
  package mutating func rankConditions(at count: Int) -> Candidate? {
    guard let now = snapshotTime, let watched else { return nil }
    var best: Candidate?
    // Local copies: the loop reads them without testing each time whether they have other owners.
    let (rules, ranges, program, values) = (self.rules, expressions, self.program, self.values)
    var stack = self.stack
    for index in watched.conditions {
      let rule = rules[index]
      let standing = standings[rule.slot]
      var span = stack.mutableSpan
      guard ReferenceExpression.isTrue(program.span, ranges[rule.expression], values: values.span, stack: &span),
        standing.lastDispatch.map({ (now - $0).nanoseconds >= rule.cooldown }) ?? true,
        !rule.isOnBranch || Self.isOn(activeBranch, script?.messages[index])
      else {
        if standing.dueSince != nil { setDue(rule, since: nil, multiple: 0) }
        continue
      }
      let since = standing.dueMultiple == 0 ? standing.dueSince ?? count : count
      setDue(rule, since: since, multiple: 0)
      let candidate = Candidate(index: index, multiple: 0, since: since, priority: rule.priority)
      if best.map({ candidate.ranks(before: $0) }) ?? true { best = candidate }
    }
    return best
  }
}
