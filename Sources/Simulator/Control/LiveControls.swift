package import Link

/// Controls of a running run, by keys or over a socket.
///
/// The conductor calls it only before time advances: controls take effect between two instants, at an instant of their
/// own, so that the same controls at the same times give the same run.
package protocol LiveControls: AnyObject {
  /// Waits until it is time for `next`, or until a control arrives.
  ///
  /// - Parameter now: The last instant that was handled.
  /// - Returns: What to do; a control's instant is after `now` and not after `next`.
  func wait(from now: VirtualTime, to next: VirtualTime) -> LiveStep
  /// Reports a control's outcome, and the run's current fault plan.
  func carriedOut(_ order: LiveOrder, _ outcome: LiveOutcome, plan: [PlannedFault])
}

/// What a run does next.
package enum LiveStep {
  case advance
  /// The run stops at an instant that it has reached, between the last one that was handled and the next.
  case stop(at: VirtualTime)
  case order(LiveOrder, at: VirtualTime)
}

/// A user's control.
package struct LiveOrder {
  /// Its source.
  package enum Origin: String {
    case key, ctl
  }

  /// The conductor's action.
  package enum Action {
    /// Begins a fault now; its length is that from its beginning to its end.
    case begin(PlannedFault)
    /// Ends an active fault, by its id.
    case end(String)
    /// Ends every cut of a link.
    case restore(onUplink: Bool)
    /// Starts an app that is down; nil for all that are.
    case restart(NodeRole?)
    /// Hands an act to an app; its instant is the order's.
    case act(TimedAct)
    /// Records the text and changes nothing in the run: a mark, or its pace in real time.
    case record(String)
  }

  package var origin: Origin
  /// The command as recorded.
  package var command: String
  package var action: Action
  /// Who awaits the answer; nil if no client does.
  package var asker: Int?

  package init(origin: Origin, command: String, action: Action, asker: Int? = nil) {
    (self.origin, self.command, self.action, self.asker) = (origin, command, action, asker)
  }
}

/// The outcome of a control.
package struct LiveOutcome {
  /// When it took effect.
  package var time: VirtualTime
  /// What it did, or why it did nothing.
  package var effect: String
  /// The fault that it began, if any.
  package var fault: String?
  /// Whether it did nothing.
  package var isRefused = false
}
