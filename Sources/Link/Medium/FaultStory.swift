/// The sentences about a kind of fault in stories and reports.
public struct FaultStory: Sendable {
  /// What is over at the end, such as `the slow stretch is over`.
  public var ending: String
  /// Whether stories leave the fault to the events of the device's app, which report the same.
  public var isReportedByDevice = false
  /// What happens from the beginning on, such as `the link is cut`, without capital letter and full stop.
  public var beginning: @Sendable (any FaultValues) -> String
}

/// The parameters of a fault in a trace, formatted for people.
///
/// A trace may come from elsewhere: a missing value, or one of another type, counts as zero or as an empty text.
public protocol FaultValues {
  /// Whether a parameter is there.
  func has(_ key: String) -> Bool
  /// Whether a parameter is `true`.
  func isTrue(_ key: String) -> Bool
  /// A number.
  func number(_ key: String) -> Double
  /// The device with the fault, escaped for terminals.
  var device: String { get }
  /// A text, escaped for terminals; nil if it is missing.
  func text(_ key: String) -> String?
  /// A probability as a percentage, such as `0.5 %`.
  func percent(_ key: String) -> String
  /// A span, such as `10.25 s`, by the path to it.
  func length(_ path: String...) -> String
  /// A span as parameters are formatted.
  func length(_ span: VirtualTime.Span) -> String
  /// A whole number with commas, at least 0.
  func count(_ key: String) -> String
  /// The number of a frame in a row, such as `3rd`.
  func ordinal(_ key: String) -> String
}
