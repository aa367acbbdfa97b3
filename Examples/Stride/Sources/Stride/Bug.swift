/// Mistakes that real workout apps have made, each behind a switch: `--bug lateMirror`.
public enum Bug: String, CaseIterable, Sendable {
  /// The watch keeps a session that has failed, and so cannot begin the next one.
  case deadSession
  /// The phone takes the end of an old mirrored session for that of the run that is on.
  case lateMirror
  /// The watch sends the run's goal before its session is prepared.
  case earlySend
  /// The phone adds up every sample, of the watch and of itself.
  case twoSources

  /// The mistake that a command line switches on; nil for none.
  public static func planted(_ arguments: [String]) -> Bug? {
    guard let place = arguments.firstIndex(of: "--bug"), place + 1 < arguments.count else { return nil }
    return Bug(rawValue: arguments[place + 1])
  }
}
