import Link
import Synchronization

/// A script as a `script.loaded` line carries it.
extension ReckonedScript {
  /// What a text came to.
  struct Reading: Sendable {
    /// nil where the text is JSON and no script.
    let script: ReckonedScript?
  }

  /// Reads a text; nil where it is no JSON.
  ///
  /// The text read last is not read again: several checkers read each line, and the runs of a sweep load the same script.
  static func read(_ text: String) -> Reading? {
    if let known = latest.withLock({ $0.flatMap { $0.text == text ? $0.reading : nil } }) { return known }
    guard let node = try? JSONParser.parse(text, dialect: .json) else { return nil }
    let reading = Reading(script: ReckonedScript(node))
    latest.withLock { $0 = Latest(text: text, reading: reading) }
    return reading
  }

  private struct Latest: Sendable {
    let text: String
    let reading: Reading
  }

  private static let latest = Mutex<Latest?>(nil)
}
