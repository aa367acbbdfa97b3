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

/// Guesses which known word a misspelt one means.
public enum Spelling {
  /// Returns the nearest known word, the first of equally near ones; nil if none is near.
  ///
  /// A word is near if at most a third of the longer word's letters are wrong, at least one; case does not matter.
  /// Words longer than 64 letters have no near one, which bounds the work for untrusted text.
  public static func nearest(to word: String, among known: [String]) -> String? {
    guard word.utf8.count <= 64 else { return nil }
    let letters = Array(word.lowercased().unicodeScalars)
    var best: (word: String, distance: Int)?
    for candidate in known where candidate.utf8.count <= 64 {
      let other = Array(candidate.lowercased().unicodeScalars)
      let distance = distance(letters, other)
      guard distance <= max(1, max(letters.count, other.count) / 3), distance < max(letters.count, other.count) else {
        continue
      }
      if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.word
  }

  /// Counts the insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
  ///
  /// This is the restricted Damerau-Levenshtein distance.
  static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var cost = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
        row.append(cost)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
