/// An error or a warning about a text, with its position.
public struct Diagnostic: Sendable, Hashable {
  /// The severity of a diagnostic.
  public enum Severity: String, Sendable, Hashable {
    /// The text cannot be used.
    case error
    /// The text can be used, but may not mean what its author intended.
    case warning
  }

  /// The position; line 0 if it concerns the whole text.
  public var position: TextPosition
  public var severity: Severity
  /// What was found and what was expected; one line.
  public var message: String

  public init(at position: TextPosition, _ severity: Severity = .error, _ message: String) {
    self.position = position
    self.severity = severity
    self.message = message
  }

  /// Returns `file:line:column: severity: message`; without line and column if the position is unknown.
  public func rendered(file: String) -> String {
    let place = position.line > 0 ? "\(file):\(position.line):\(position.column)" : file
    return "\(place): \(severity.rawValue): \(message)"
  }
}

/// All errors and warnings about one text.
///
/// At most ``countMax`` diagnostics are kept, errors before warnings; further ones are only counted.
public struct Diagnostics: Error, Sendable, Equatable, CustomStringConvertible {
  /// The most diagnostics that are kept.
  public static let countMax = 10_000

  /// A diagnostic and its index in the order of finding.
  private struct Finding: Sendable, Equatable {
    var order: Int
    var diagnostic: Diagnostic
  }

  /// The text's name, as the user gave it.
  public let file: String
  private var errors: [Finding] = []
  /// At most ``countMax`` as well; errors displace some of them at the end.
  private var warnings: [Finding] = []
  private var errorCount = 0
  private var warningCount = 0

  /// Creates an empty list for a text with this name.
  public init(file: String) { self.file = file }

  /// The kept diagnostics, in the order of finding.
  public var list: [Diagnostic] {
    // Both are already in the order of finding.
    var merged: [Diagnostic] = []
    let keptWarnings = warnings.prefix(Self.countMax - errors.count)
    merged.reserveCapacity(errors.count + keptWarnings.count)
    var next = 0
    for warning in keptWarnings {
      while next < errors.count, errors[next].order < warning.order {
        merged.append(errors[next].diagnostic)
        next += 1
      }
      merged.append(warning.diagnostic)
    }
    for error in errors[next...] { merged.append(error.diagnostic) }
    return merged
  }

  /// How many errors were not kept.
  public var omittedErrorCount: Int { errorCount - errors.count }
  /// How many warnings were not kept.
  public var omittedWarningCount: Int { warningCount - min(warnings.count, Self.countMax - errors.count) }
  /// Whether there was an error.
  public var hasErrors: Bool { errorCount > 0 }
  /// Whether there were no diagnostics.
  public var isEmpty: Bool { errorCount == 0 && warningCount == 0 }

  public mutating func add(_ diagnostic: Diagnostic) {
    let finding = Finding(order: errorCount + warningCount, diagnostic: diagnostic)
    switch diagnostic.severity {
    case .error:
      errorCount += 1
      if errors.count < Self.countMax { errors.append(finding) }
    case .warning:
      warningCount += 1
      if warnings.count < Self.countMax { warnings.append(finding) }
    }
  }

  public mutating func error(_ message: String, at position: TextPosition) {
    add(Diagnostic(at: position, .error, message))
  }

  public mutating func warning(_ message: String, at position: TextPosition) {
    add(Diagnostic(at: position, .warning, message))
  }

  /// Adds a parser's error.
  public mutating func add(_ error: JSONError) { self.error(error.message, at: error.position) }

  /// How many of each severity were not kept; empty if all were.
  public var omitted: [(severity: Diagnostic.Severity, count: Int)] {
    [(.error, omittedErrorCount), (.warning, omittedWarningCount)].filter { $0.1 > 0 }
  }

  /// One line for each, in the order of the text, without a newline at the end.
  public var description: String { lines.joined(separator: "\n") }

  /// One line for each, in the order of the text.
  public var lines: [String] {
    // The sort is stable: those at one position stay in the order of finding.
    let sorted = list.sorted { ($0.position.line, $0.position.column) < ($1.position.line, $1.position.column) }
    var lines = sorted.map { $0.rendered(file: file) }
    for (severity, count) in omitted { lines.append("\(file): \(severity.rawValue): and \(count) more") }
    return lines
  }
}

/// Collects the diagnostics of the readers of one text.
///
/// A reference, so that readers of nested objects report into the same list.
public final class DiagnosticsCollector {
  /// The diagnostics so far.
  public var diagnostics: Diagnostics
  /// The diagnostics of other files that the text names.
  public var others: [Diagnostics] = []
  /// The base of relative paths in the text.
  public let folder: String

  /// Creates a collector for a text with this name.
  public init(file: String, folder: String = "/") {
    diagnostics = Diagnostics(file: file)
    self.folder = folder
  }

  /// Adds an error; see ``Diagnostics/error(_:at:)``.
  public func error(_ message: String, at position: TextPosition) { diagnostics.error(message, at: position) }

  /// Adds a warning; see ``Diagnostics/warning(_:at:)``.
  public func warning(_ message: String, at position: TextPosition) { diagnostics.warning(message, at: position) }
}
