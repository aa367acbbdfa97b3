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
/// At most ``countMax`` diagnostics are kept; the ones past that are only counted.
public struct Diagnostics: Error, Sendable, Equatable, CustomStringConvertible {
  /// Diagnostics kept.
  public static let countMax = 100

  /// The text's name, as the user gave it.
  public let file: String
  /// What was found, in the order of finding.
  public private(set) var list: [Diagnostic] = []
  /// How many more there were.
  public private(set) var omittedCount = 0
  /// Tells whether one was an error.
  public private(set) var hasErrors = false

  /// Creates an empty list for a text of this name.
  public init(file: String) { self.file = file }

  /// Tells whether nothing was found.
  public var isEmpty: Bool { list.isEmpty }

  /// Adds one.
  public mutating func add(_ diagnostic: Diagnostic) {
    if diagnostic.severity == .error { hasErrors = true }
    guard list.count < Self.countMax else {
      omittedCount += 1
      return
    }
    list.append(diagnostic)
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

  /// One line each, in the order of the text, without a newline at the end.
  public var description: String {
    // Sorted by place and then by order of finding: `sorted(by:)` alone does not promise to keep that.
    let sorted = list.enumerated().sorted {
      let (a, b) = ($0.element.position, $1.element.position)
      return (a.line, a.column, $0.offset) < (b.line, b.column, $1.offset)
    }
    var lines = sorted.map { $0.element.rendered(file: file) }
    if omittedCount > 0 { lines.append("\(file): and \(omittedCount) more") }
    return lines.joined(separator: "\n")
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
