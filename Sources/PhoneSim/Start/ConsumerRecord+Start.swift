import Link

/// What the user's `startWorkout` and `endWorkout` mean.
extension ConsumerRecord {
  /// Why no run can be requested now; nil if one can.
  var startRefusal: String? {
    if start.asking != nil { return "a start is being asked for" }
    return belief.isOn || start.tracker?.isLive == true ? "a run is on" : nil
  }

  /// What can be ended.
  enum Endable {
    /// The run that the phone tracks itself.
    case tracker
    /// The run whose start is unanswered.
    case request(Identifier)
    /// A run that was given up, which the watch never had.
    case givenUp(Identifier)
    /// The watch's run.
    case run(Identifier)
  }

  /// What the user can end now; nil if no run is on.
  var endable: Endable? {
    if start.tracker?.isLive == true { return .tracker }
    if let request = start.asking { return .request(request.runId) }
    guard let runId = belief.workoutId, belief.state != .ended else { return nil }
    // Without a given-up start also a run that the watch acknowledged without any update so far.
    return runId == belief.awaited && belief.isGivenUp(runId) ? .givenUp(runId) : .run(runId)
  }
}
