/// One thing wrong with a text, and where.
public struct Diagnostic: Sendable, Hashable {
  /// How bad it is.
  public enum Severity: String, Sendable, Hashable {
    /// The text cannot be used.
    case error
    /// The text can be used, but it may not mean what its author meant.
    case warning
  }

  /// Where; line 0 when it concerns the whole text.
  public var position: TextPosition
  /// How bad it is.
  public var severity: Severity
  /// What was found and what was expected; one line.
  public var message: String

  /// Creates a diagnostic.
  public init(at position: TextPosition, _ severity: Severity = .error, _ message: String) {
    self.position = position
    self.severity = severity
    self.message = message
  }

  /// Returns `file:line:column: severity: message`; without line and column when the place is unknown.
  public func rendered(file: String) -> String {
    let place = position.line > 0 ? "\(file):\(position.line):\(position.column)" : file
    return "\(place): \(severity.rawValue): \(message)"
  }
}

/// Everything wrong with one text.
///
/// At most ``countMax`` diagnostics are kept, errors before warnings; the ones past that are only counted.
public struct Diagnostics: Error, Sendable, Equatable, CustomStringConvertible {
  /// Diagnostics kept.
  public static let countMax = 10_000

  /// A diagnostic and its place in the order of finding.
  private struct Finding: Sendable, Equatable {
    var order: Int
    var diagnostic: Diagnostic
  }

  /// The text's name, as the user gave it.
  public let file: String
  private var errors: [Finding] = []
  /// At most ``countMax`` as well; which of them are kept is seen at the end, because errors go first.
  private var warnings: [Finding] = []
  private var errorCount = 0
  private var warningCount = 0

  /// Creates an empty list for a text of this name.
  public init(file: String) { self.file = file }

  /// What was found and kept, in the order of finding.
  public var list: [Diagnostic] {
    // Both are in the order of finding already.
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

  /// How many errors there were past those that are kept.
  public var omittedErrorCount: Int { errorCount - errors.count }
  /// How many warnings there were past those that are kept.
  public var omittedWarningCount: Int { warningCount - min(warnings.count, Self.countMax - errors.count) }
  /// How many more there were, errors and warnings.
  public var omittedCount: Int { omittedErrorCount + omittedWarningCount }
  /// Tells whether one was an error.
  public var hasErrors: Bool { errorCount > 0 }
  /// Tells whether nothing was found.
  public var isEmpty: Bool { errorCount == 0 && warningCount == 0 }

  /// Adds one.
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

  /// Adds an error.
  public mutating func error(_ message: String, at position: TextPosition) {
    add(Diagnostic(at: position, .error, message))
  }

  /// Adds a warning.
  public mutating func warning(_ message: String, at position: TextPosition) {
    add(Diagnostic(at: position, .warning, message))
  }

  /// Adds a parser's error.
  public mutating func add(_ error: JSONError) { self.error(error.message, at: error.position) }

  /// How many of each severity are not kept; none that is complete.
  public var omitted: [(severity: Diagnostic.Severity, count: Int)] {
    [(.error, omittedErrorCount), (.warning, omittedWarningCount)].filter { $0.1 > 0 }
  }

  /// One line each, in the order of the text, without a newline at the end.
  public var description: String { lines.joined(separator: "\n") }

  /// A line for each, in the order of the text.
  public var lines: [String] {
    // Sorted by place and then by order of finding: `sorted(by:)` alone does not promise to keep that.
    let sorted = list.enumerated().sorted {
      let (a, b) = ($0.element.position, $1.element.position)
      return (a.line, a.column, $0.offset) < (b.line, b.column, $1.offset)
    }
    var lines = sorted.map { $0.element.rendered(file: file) }
    for (severity, count) in omitted { lines.append("\(file): \(severity.rawValue): and \(count) more") }
    return lines
  }
}

/// Where the readers of one text put what they find.
///
/// A reference, so that a reader handed to a nested object reports into the same list.
public final class DiagnosticsCollector {
  /// What was found so far.
  public var diagnostics: Diagnostics

  /// Creates a collector for a text of this name.
  public init(file: String) { diagnostics = Diagnostics(file: file) }

  /// Adds an error; see ``Diagnostics/error(_:at:)``.
  public func error(_ message: String, at position: TextPosition) { diagnostics.error(message, at: position) }

  /// Adds a warning; see ``Diagnostics/warning(_:at:)``.
  public func warning(_ message: String, at position: TextPosition) { diagnostics.warning(message, at: position) }
}
