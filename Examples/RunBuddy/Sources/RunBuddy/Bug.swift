/// Mistakes that real apps have made, each behind a switch: `--bug lateEnd`.
public enum Bug: String, CaseIterable, Sendable {
  /// The watch obeys a queued end whose run is over, and ends the next run with it.
  case lateEnd
  /// The phone recognizes a copy of a kilometre only if nothing came between.
  case doubleCount
  /// The phone stores a run when it ends, so a restart loses what it had.
  case lostRun
  /// The phone notices that the watch is silent when it hears from it: no timer is set for the silence.
  case deafHint
  /// The watch's wrapper around `sendMessage` forgets the failure: whoever asked is never called.
  case silentFailure

  /// The mistake that a command line switches on; nil for none.
  public static func planted(_ arguments: [String]) -> Bug? {
    guard let place = arguments.firstIndex(of: "--bug"), place + 1 < arguments.count else { return nil }
    return Bug(rawValue: arguments[place + 1])
  }
}
