import Link

/// Whoever reaches into a run that is going on, by keys or over a socket.
///
/// The conductor asks before time moves on, and from nowhere else: what is ordered happens between two instants, at an
/// instant of its own, so that the same orders at the same times make the same run.
protocol LiveControls: AnyObject {
  /// Waits until it is time for `next`, or until somebody orders something.
  ///
  /// - Parameter now: The last instant that was handled.
  /// - Returns: What to do; an order's instant is after `now` and not after `next`.
  func wait(from now: VirtualTime, to next: VirtualTime) -> LiveStep
  /// Is told what an order came to, and what the fault plan of the run is now.
  func carriedOut(_ order: LiveOrder, _ outcome: LiveOutcome, plan: [PlannedFault])
}

/// What a run does next.
enum LiveStep {
  case advance
  case stop
  case order(LiveOrder, at: VirtualTime)
}

/// One thing that a user orders while a run goes on.
struct LiveOrder {
  /// Who orders it.
  enum Origin: String {
    case key, ctl
  }

  /// What the conductor does about it.
  enum Action {
    /// Begins a fault now; one that ends has its length from its beginning to its end.
    case begin(PlannedFault)
    /// Ends a fault that is on, by its id.
    case end(String)
    /// Ends every cut of a link.
    case restore(onUplink: Bool)
    /// Starts an app that is down; nil for all that are.
    case restart(NodeRole?)
    /// Changes nothing that happens in the run: a mark, or its pace in real time; with what is to be said of it.
    case note(String)
  }

  var origin: Origin
  /// The command in words, as it is recorded.
  var command: String
  var action: Action
  /// Who waits for the answer; nil for nobody.
  var asker: Int?
}

/// What an order came to.
struct LiveOutcome {
  /// When it struck.
  var time: VirtualTime
  /// What it did, or why it did nothing.
  var effect: String
  /// The fault that it began; nil where it began none.
  var fault: String?
  /// Whether it did nothing.
  var isRefused = false
}
