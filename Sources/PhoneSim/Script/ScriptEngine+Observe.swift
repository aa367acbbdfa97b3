package import CoachProtocol
package import Link

extension ScriptEngine {
  /// Evaluates the script at a fresh snapshot.
  ///
  /// - Parameters:
  ///   - snapshot: The metrics; ignored if distance or elapsed time is not finite.
  ///   - epoch: The watch's epoch.
  ///   - sequence: The snapshot's number.
  ///   - hour: The hour of the phone's date in the scenario's time zone, 0...23.
  ///   - isRunning: Whether the run is believed to be running, this snapshot included.
  ///   - now: The phone's timers.
  ///   - canCommit: Whether a played line can be stored; if not, none is dispatched.
  ///   - decisions: Decisions are appended here, in order.
  /// - Returns: Whether the snapshot became a point of the trail.
  @discardableResult
  package mutating func observe(
    _ snapshot: LiveMetrics, epoch: Epoch, sequence: SequenceNumber, hour: Int, isRunning: Bool, at now: VirtualTime,
    canCommit: Bool = true, into decisions: inout [ScriptDecision]
  ) -> Bool {
    if !changedLines.isEmpty { changedLines.removeAll(keepingCapacity: true) }
    guard snapshot.distance.isFinite, snapshot.elapsed.isFinite else { return false }
    trail.add(elapsed: snapshot.elapsed, distance: snapshot.distance)
    guard isRunning else { return true }
    evaluations += 1
    let before = furthestDistance
    if snapshot.distance > furthestDistance { furthestDistance = snapshot.distance }
    if snapshot.elapsed > furthestElapsed { furthestElapsed = snapshot.elapsed }

    var best = Candidate.none
    if furthestDistance >= nextDistance || furthestElapsed >= nextElapsed { collectOpenLines() }
    if isNewlyInstalled { endStretches() }
    if !openPoints.isEmpty {
      let evaluated = EvaluatedSnapshot(snapshot: snapshot, epoch: epoch, sequence: sequence)
      evaluatePoints(evaluated, after: before, &best, into: &decisions)
    }
    if !openConditions.isEmpty { evaluateConditions(snapshot, hour: hour, at: now, &best) }

    if !replies.isEmpty {
      let position = RunPosition(
        epoch: epoch, sequence: sequence, elapsed: snapshot.elapsed, distance: snapshot.distance)
      expireReplies(position, at: now, into: &decisions)
      if isReplyFirst(before: best) {
        if canCommit, isWindowOpen(at: now) { dispatchReply(position, at: now, into: &decisions) }
        return true
      }
    }
    if best.line >= 0, canCommit, isWindowOpen(at: now) {
      dispatch(best, EvaluatedSnapshot(snapshot: snapshot, epoch: epoch, sequence: sequence), at: now, into: &decisions)
    }
    return true
  }

  /// Whether 30 s have passed since the last dispatch of the run.
  package func isWindowOpen(at now: VirtualTime) -> Bool {
    guard let lastDispatch, !isBursting else { return true }
    return now - lastDispatch >= Self.window
  }

  /// A snapshot with its number, for the decisions that name it.
  struct EvaluatedSnapshot {
    var snapshot: LiveMetrics
    var epoch: Epoch
    var sequence: SequenceNumber
  }

  /// A due line, with what ranks it.
  struct Candidate {
    var line: Int32
    var priority: Int
    var dueSince: Int64

    static let none = Candidate(line: -1, priority: .min, dueSince: .max)

    /// Replaces the candidate with a line of higher priority, or due longer, or earlier in the script.
    mutating func weigh(line: Int32, priority: Int, dueSince: Int64) {
      let isBetter: Bool
      if self.line < 0 {
        isBetter = true
      } else if priority != self.priority {
        isBetter = priority > self.priority
      } else if dueSince != self.dueSince {
        isBetter = dueSince < self.dueSince
      } else {
        isBetter = line < self.line
      }
      if isBetter { self = Candidate(line: line, priority: priority, dueSince: dueSince) }
    }
  }

  // MARK: Conditions

  private mutating func evaluateConditions(
    _ snapshot: LiveMetrics, hour: Int, at now: VirtualTime, _ best: inout Candidate
  ) {
    let known = values(snapshot, hour: hour)
    let values = known.storage.span
    // Moved out while the loop mutates other parts of the engine.
    var scratch = ExpressionStack()
    swap(&scratch, &self.scratch)
    defer { swap(&scratch, &self.scratch) }
    var stack = scratch.stack.mutableSpan
    let steps = compiled.code
    let code = steps.span
    let wasDue = isConditionDue
    isConditionDue = false
    for condition in openConditions {
      let line = Int(condition.line)
      guard condition.gate.holds(values),
        condition.branch == CompiledScript.noBranch || condition.branch == activeBranch,
        holds(code, Int(condition.start)..<Int(condition.end), values, &stack),
        hasRested(records[line].lastDispatch, condition.cooldown, at: now)
      else {
        if wasDue, dueSince[line] != 0 {
          dueSince[line] = 0
          markChanged(line)
        }
        continue
      }
      if dueSince[line] == 0 {
        dueSince[line] = evaluations
        markChanged(line)
      }
      isConditionDue = true
      best.weigh(line: condition.line, priority: compiled.lines[line].priority, dueSince: dueSince[line])
    }
  }

  private func hasRested(_ lastDispatch: VirtualTime?, _ cooldown: Int64, at now: VirtualTime) -> Bool {
    guard let lastDispatch else { return true }
    return (now - lastDispatch).nanoseconds >= cooldown
  }

  /// The variables at a snapshot that the trail contains.
  private mutating func values(_ snapshot: LiveMetrics, hour: Int) -> VariableValues {
    var values = VariableValues()
    values[.distance] = snapshot.distance
    values[.duration] = snapshot.elapsed
    if let pace = snapshot.currentPaceSecPerKm { values[.currentPace] = pace }
    if let pace = snapshot.avgPaceSecPerKm { values[.averagePace] = pace }
    let targetPace = plan.targetPace(at: snapshot.distance)
    if let targetPace { values[.targetPace] = targetPace }
    if let heartRate = snapshot.currentHR {
      values[.heartRate] = Double(heartRate)
      // Beyond any possible rate the zone is the same, and the product cannot overflow.
      let bounded = min(max(heartRate, 0), 1_000_000)
      values[.heartRateZone] = Double(DerivedValues.heartRateZone(bounded, maximum: maximumHeartRate))
    }
    if let cadence = snapshot.cadence { values[.cadence] = Double(cadence) }
    values[.hourOfDay] = Double(hour)
    if compiled.usesPaceRatio,
      let ratio = DerivedValues.paceRatio(
        targetPace: targetPace ?? snapshot.avgPaceSecPerKm, trail: trail.trailing(snapshot))
    {
      values[.paceRatio] = ratio
    }
    return values
  }

  // MARK: Points

  private mutating func evaluatePoints(
    _ evaluated: EvaluatedSnapshot, after before: Double, _ best: inout Candidate,
    into decisions: inout [ScriptDecision]
  ) {
    var isAnySettled = false
    for open in openPoints {
      let index = Int(open)
      let line = compiled.lines[index]
      guard line.branch == CompiledScript.noBranch || line.branch == activeBranch else {
        setDue(index, since: 0, multiple: 0)
        continue
      }
      var multiple: Int64 = 0
      let past: Double
      switch line.form {
      case .distancePoint(let point): past = evaluated.snapshot.distance - point
      case .timePoint(let point): past = evaluated.snapshot.elapsed - point
      case .everyMultiple(let length):
        multiple = isBursting ? records[index].lastMultiple + 1 : Self.multiple(of: length, at: furthestDistance)
        past = evaluated.snapshot.distance - Double(multiple) * length
        skip(index, length, before: multiple, evaluated, after: before, into: &decisions)
      case .condition, .never: preconditionFailure("\(line.form) has no point")
      }
      if past > line.grace, !isBursting {
        settle(index, multiple: multiple)
        if multiple == 0 { records[index].isExpired = true }
        decisions.append(.expired(decided(line, multiple: multiple, evaluated)))
        isAnySettled = true
      } else {
        if dueSince[index] == 0 || records[index].dueMultiple != multiple {
          setDue(index, since: evaluations, multiple: multiple)
        }
        best.weigh(line: open, priority: line.priority, dueSince: dueSince[index])
      }
    }
    if isAnySettled { collectOpenLines() }
  }

  /// Records the multiples between the last settled one and the current one.
  private mutating func skip(
    _ index: Int, _ length: Double, before multiple: Int64, _ evaluated: EvaluatedSnapshot, after before: Double,
    into decisions: inout [ScriptDecision]
  ) {
    let first = records[index].lastMultiple + 1
    guard first < multiple else { return }
    let cause: SkipCause
    if dueSince[index] != 0 {
      cause = .heldBack
    } else if before >= Double(first) * length {
      // By the line alone: whether the script is new would depend on a restart of the phone.
      cause = compiled.lines[index].branch == CompiledScript.noBranch ? .script : .branch
    } else {
      let passed = Double(first) * length..<Double(multiple) * length
      // Snapshots of a run that is not on leave a point in the trail, but are not evaluated.
      cause = trail.points.contains { passed.contains($0.distance) } ? .notRunning : .gap
    }
    records[index].lastMultiple = multiple - 1
    markChanged(index)
    let line = decided(compiled.lines[index], multiple: 0, evaluated)
    decisions.append(.skipped(line, first: first, last: multiple - 1, cause: cause))
  }

  /// The greatest multiple, 2^53, up to which doubles are exact.
  static let multipleMax: Int64 = 9_007_199_254_740_992

  /// How many times a length fits into a distance, at most ``multipleMax``.
  static func multiple(of length: Double, at distance: Double) -> Int64 {
    let quotient = (distance / length).rounded(.down)
    return quotient >= 1 ? Int64(min(quotient, Double(multipleMax))) : 0
  }

  // MARK: Position

  private mutating func setDue(_ index: Int, since evaluation: Int64, multiple: Int64) {
    guard dueSince[index] != evaluation || records[index].dueMultiple != multiple else { return }
    dueSince[index] = evaluation
    records[index].dueMultiple = multiple
    markChanged(index)
  }

  /// Marks a line's record as changed.
  private mutating func markChanged(_ index: Int) {
    revision += 1
    changedLines.append(Int32(index))
  }

  /// Ends the due stretches of lines that the new script lacks.
  private mutating func endStretches() {
    isNewlyInstalled = false
    let looked = openPoints + openConditions.map(\.line)
    for index in records.indices where dueSince[index] != 0 && !looked.contains(Int32(index)) {
      setDue(index, since: 0, multiple: 0)
    }
  }

  private mutating func settle(_ index: Int, multiple: Int64) {
    setDue(index, since: 0, multiple: 0)
    if multiple > 0 { records[index].lastMultiple = multiple }
    markChanged(index)
  }

  private mutating func dispatch(
    _ candidate: Candidate, _ evaluated: EvaluatedSnapshot, at now: VirtualTime, into decisions: inout [ScriptDecision]
  ) {
    let index = Int(candidate.line)
    let line = compiled.lines[index]
    let multiple = records[index].dueMultiple
    decisions.append(.dispatch(decided(line, multiple: multiple, evaluated), words: line.words))
    records[index].isSpoken = true
    records[index].lastDispatch = now
    lastDispatch = now
    markChanged(index)
    // A repeating condition stays due if it has no cooldown.
    if line.form != .condition || line.playOnce { settle(index, multiple: multiple) }
    if let opens = line.opens, opens != branch {
      decisions.append(.branch(message: line.id, branch: opens, before: branch))
      branch = opens
      activeBranch = compiled.branchNumber(opens)
    }
    if line.form != .condition || line.playOnce { collectOpenLines() }
  }

  private func decided(_ line: CompiledScript.Line, multiple: Int64, _ evaluated: EvaluatedSnapshot)
    -> ScriptDecision.Line
  {
    ScriptDecision.Line(
      message: line.id, trigger: line.type, priority: line.priority, multiple: multiple > 0 ? multiple : nil,
      epoch: evaluated.epoch, sequence: evaluated.sequence, elapsed: evaluated.snapshot.elapsed,
      distance: evaluated.snapshot.distance)
  }

  /// Collects the lines that the next evaluations must check; call it when a point is reached or settled.
  mutating func collectOpenLines() {
    openPoints.removeAll(keepingCapacity: true)
    nextDistance = .infinity
    nextElapsed = .infinity
    for (index, line) in compiled.lines.enumerated() {
      let record = records[index]
      switch line.form {
      case .distancePoint(let point) where !record.isSpoken && !record.isExpired:
        if furthestDistance >= point {
          openPoints.append(Int32(index))
        } else {
          nextDistance = min(nextDistance, point)
        }
      case .timePoint(let point) where !record.isSpoken && !record.isExpired:
        if furthestElapsed >= point { openPoints.append(Int32(index)) } else { nextElapsed = min(nextElapsed, point) }
      case .everyMultiple(let length) where !(record.isSpoken && line.playOnce):
        let reached = Self.multiple(of: length, at: furthestDistance)
        if reached > record.lastMultiple {
          openPoints.append(Int32(index))
        } else {
          // Slightly before the next point: a quotient may round up to it before the distance reaches it.
          nextDistance = min(nextDistance, Double(record.lastMultiple + 1) * length * (1 - 0x1p-50))
        }
      case .distancePoint, .timePoint, .everyMultiple, .condition, .never: break
      }
    }
    openConditions = compiled.conditions.filter { condition in
      let line = Int(condition.line)
      return !(records[line].isSpoken && compiled.lines[line].playOnce)
    }
  }
}
