package import CoachProtocol
package import Link

extension ScriptEngine {
  /// Looks at a fresh snapshot.
  ///
  /// - Parameters:
  ///   - snapshot: What the watch published; one whose distance or elapsed time is not finite is ignored.
  ///   - epoch: Which start of the watch's app it came from.
  ///   - sequence: Its number.
  ///   - hour: The hour of the phone's date in the scenario's time zone, 0...23.
  ///   - isRunning: Whether the run is believed to be running, this snapshot included.
  ///   - now: The phone's timers.
  ///   - canCommit: Whether a played line can be made durable; without it none is dispatched.
  ///   - decisions: What was decided is appended here, in order.
  /// - Returns: Whether the snapshot became a point of the trail.
  @discardableResult
  package mutating func observe(
    _ snapshot: LiveMetrics, epoch: Epoch, sequence: SequenceNumber, hour: Int, isRunning: Bool, at now: VirtualTime,
    canCommit: Bool = true, into decisions: inout [ScriptDecision]
  ) -> Bool {
    if !touched.isEmpty { touched.removeAll(keepingCapacity: true) }
    guard snapshot.distance.isFinite, snapshot.elapsed.isFinite else { return false }
    trail.add(elapsed: snapshot.elapsed, distance: snapshot.distance)
    guard isRunning else { return true }
    looks += 1
    if snapshot.distance > furthestDistance { furthestDistance = snapshot.distance }
    if snapshot.elapsed > furthestElapsed { furthestElapsed = snapshot.elapsed }

    var best = Candidate.none
    if furthestDistance >= nextDistance || furthestElapsed >= nextElapsed { arrange() }
    if isNewlyInstalled { endStretches() }
    if !openPoints.isEmpty {
      lookAtPoints(Look(snapshot: snapshot, epoch: epoch, sequence: sequence), &best, into: &decisions)
    }
    if !openConditions.isEmpty { lookAtConditions(snapshot, hour: hour, at: now, &best) }

    if !replies.isEmpty {
      let look = ReplyLook(
        epoch: epoch, sequence: sequence, elapsed: snapshot.elapsed, distance: snapshot.distance)
      expireReplies(look, at: now, into: &decisions)
      if isReplyFirst(before: best) {
        if canCommit, isWindowOpen(at: now) { dispatchReply(look, at: now, into: &decisions) }
        return true
      }
    }
    if best.line >= 0, canCommit, isWindowOpen(at: now) {
      dispatch(best, Look(snapshot: snapshot, epoch: epoch, sequence: sequence), at: now, into: &decisions)
    }
    return true
  }

  /// Tells whether 30 s have passed since the last dispatch of the run.
  package func isWindowOpen(at now: VirtualTime) -> Bool {
    guard let lastDispatch, !isBursting else { return true }
    return now - lastDispatch >= Self.window
  }

  /// A snapshot with its number, for the decisions that name it.
  struct Look {
    var snapshot: LiveMetrics
    var epoch: Epoch
    var sequence: SequenceNumber
  }

  /// Something that is due, with what ranks it.
  struct Candidate {
    var line: Int32
    var priority: Int
    var dueSince: Int64

    static let none = Candidate(line: -1, priority: .min, dueSince: .max)

    /// Takes a rival's place if it is higher, or due longer, or earlier in the script.
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

  private mutating func lookAtConditions(
    _ snapshot: LiveMetrics, hour: Int, at now: VirtualTime, _ best: inout Candidate
  ) {
    let known = values(snapshot, hour: hour)
    let values = known.storage.span
    // Taken out while the loop writes to other parts of the engine.
    var scratch = ExpressionScratch()
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
          touch(line)
        }
        continue
      }
      if dueSince[line] == 0 {
        dueSince[line] = looks
        touch(line)
      }
      isConditionDue = true
      best.weigh(line: condition.line, priority: compiled.lines[line].priority, dueSince: dueSince[line])
    }
  }

  private func hasRested(_ lastDispatch: VirtualTime?, _ cooldown: Int64, at now: VirtualTime) -> Bool {
    guard let lastDispatch else { return true }
    return (now - lastDispatch).nanoseconds >= cooldown
  }

  /// What the variables are at a snapshot that the trail has.
  private mutating func values(_ snapshot: LiveMetrics, hour: Int) -> VariableValues {
    var values = VariableValues()
    values[.distance] = snapshot.distance
    values[.duration] = snapshot.elapsed
    if let pace = snapshot.currentPaceSecPerKm { values[.currentPace] = pace }
    if let pace = snapshot.avgPaceSecPerKm { values[.averagePace] = pace }
    if let targetPace { values[.targetPace] = targetPace }
    if let heartRate = snapshot.currentHR {
      values[.heartRate] = Double(heartRate)
      // Past every possible rate the zone is the same, and the product cannot overflow.
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

  private mutating func lookAtPoints(
    _ look: Look, _ best: inout Candidate, into decisions: inout [ScriptDecision]
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
      case .distancePoint(let point): past = look.snapshot.distance - point
      case .timePoint(let point): past = look.snapshot.elapsed - point
      case .everyMultiple(let length):
        multiple = isBursting ? records[index].lastMultiple + 1 : Self.multiple(of: length, at: furthestDistance)
        past = look.snapshot.distance - Double(multiple) * length
        skip(index, before: multiple, look, into: &decisions)
      case .condition, .never: preconditionFailure("\(line.form) has no point")
      }
      if past > line.grace, !isBursting {
        settle(index, multiple: multiple)
        if multiple == 0 { records[index].isExpired = true }
        decisions.append(.expired(decided(line, multiple: multiple, look)))
        isAnySettled = true
      } else {
        if dueSince[index] == 0 || records[index].dueMultiple != multiple {
          setDue(index, since: looks, multiple: multiple)
        }
        best.weigh(line: open, priority: line.priority, dueSince: dueSince[index])
      }
    }
    if isAnySettled { arrange() }
  }

  /// Records the multiples between the last settled one and the one that counts.
  private mutating func skip(
    _ index: Int, before multiple: Int64, _ look: Look, into decisions: inout [ScriptDecision]
  ) {
    let first = records[index].lastMultiple + 1
    guard first < multiple else { return }
    records[index].lastMultiple = multiple - 1
    touch(index)
    let line = decided(compiled.lines[index], multiple: 0, look)
    decisions.append(.skipped(line, first: first, last: multiple - 1))
  }

  /// The greatest multiple there is: 2^53, up to which they are exact.
  static let multipleMax: Int64 = 9_007_199_254_740_992

  /// How many times a length fits into a distance, at most ``multipleMax``.
  static func multiple(of length: Double, at distance: Double) -> Int64 {
    let quotient = (distance / length).rounded(.down)
    return quotient >= 1 ? Int64(min(quotient, Double(multipleMax))) : 0
  }

  // MARK: Position

  private mutating func setDue(_ index: Int, since look: Int64, multiple: Int64) {
    guard dueSince[index] != look || records[index].dueMultiple != multiple else { return }
    dueSince[index] = look
    records[index].dueMultiple = multiple
    touch(index)
  }

  /// Notes that what is known of a line has changed.
  private mutating func touch(_ index: Int) {
    revision += 1
    touched.append(Int32(index))
  }

  /// Ends the stretches of lines that were due in the script before and are not looked at in this one.
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
    touch(index)
  }

  private mutating func dispatch(
    _ candidate: Candidate, _ look: Look, at now: VirtualTime, into decisions: inout [ScriptDecision]
  ) {
    let index = Int(candidate.line)
    let line = compiled.lines[index]
    let multiple = records[index].dueMultiple
    decisions.append(.dispatch(decided(line, multiple: multiple, look), words: line.words))
    records[index].isSpoken = true
    records[index].lastDispatch = now
    lastDispatch = now
    touch(index)
    // A condition that repeats goes on being due where it has no cooldown.
    if line.form != .condition || line.playOnce { settle(index, multiple: multiple) }
    if let opens = line.opens, opens != branch {
      decisions.append(.branch(message: line.id, branch: opens, before: branch))
      branch = opens
      activeBranch = compiled.branchNumber(opens)
    }
    if line.form != .condition || line.playOnce { arrange() }
  }

  private func decided(_ line: CompiledScript.Line, multiple: Int64, _ look: Look) -> ScriptDecision.Line {
    ScriptDecision.Line(
      message: line.id, trigger: line.type, priority: line.priority, multiple: multiple > 0 ? multiple : nil,
      epoch: look.epoch, sequence: look.sequence, elapsed: look.snapshot.elapsed, distance: look.snapshot.distance)
  }

  /// Works out which lines the next looks have to care about; called when a point is reached or settled.
  mutating func arrange() {
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
          // A little short of the next point: a quotient may round up to it before the distance gets there.
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
