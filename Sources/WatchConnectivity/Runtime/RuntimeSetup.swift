import Foundation
import Link

/// What a session is told of its run.
struct RuntimeSetup: Sendable {
  var role: NodeRole
  var seed: UInt64
  /// When this start of the app begins.
  var now = VirtualTime.start
  /// The date at the run's start, in nanoseconds since 1970.
  var startedAt: Int64 = 1_767_254_400_000_000_000
  /// How long a message waits for its reply or its receipt: five minutes were seen (docs/watchconnectivity.md).
  var replyTimeout = VirtualTime.Span.seconds(300)
  /// How long what goes in the background waits before it is sent.
  var backgroundDelay = BackgroundDelay.ofApps
  /// Where nodes are killed at random moments, the number of the last grant whose answer the conductor has; else nil.
  var answered: UInt64?
  /// Where this device keeps what outlives the app.
  var folder: String

  init(role: NodeRole, seed: UInt64, folder: String) {
    self.role = role
    self.seed = seed
    self.folder = folder
  }

  /// Reads the text of a `welcome`.
  ///
  /// - Throws: What is wrong with it, as text.
  init(welcome text: String, role: NodeRole, folder: String) throws(RuntimeError) {
    let collector = DiagnosticsCollector(file: "welcome")
    let node: JSONNode
    do throws(JSONError) { node = try JSONParser.parse(Array(text.utf8), dialect: .json) } catch {
      throw RuntimeError("welcome:\(error.description)")
    }
    guard let reader = JSONObjectReader(node, into: collector), let seed = reader.unsigned("seed", required: true),
      let now = reader.integer("now", in: 0...(.max), required: true)
    else { throw RuntimeError(collector.diagnostics.description) }
    self.init(role: role, seed: seed, folder: folder)
    self.now = VirtualTime(nanoseconds: now)
    answered = reader.unsigned("answered")
    let scenario: (VirtualTime.Span?, String?, BackgroundDelay?)? = reader.object("scenario") { scenario in
      let link = scenario.object("link") { LinkProfile(reading: $0) }
      return (scenario.duration("replyTimeout"), scenario.string("startedAt"), link?.backgroundDelay)
    }
    if let timeout = scenario?.0 { replyTimeout = timeout }
    if let delay = scenario?.2 { backgroundDelay = delay }
    if let text = scenario?.1, let date = Self.date(text) {
      startedAt = Int64((date.timeIntervalSince1970 * 1e9).rounded())
    }
  }

  private static func date(_ text: String) -> Date? {
    let formatter = ISO8601DateFormatter()
    if let date = formatter.date(from: text) { return date }
    formatter.formatOptions.insert(.withFractionalSeconds)
    return formatter.date(from: text)
  }
}

/// Why a session cannot work at all.
struct RuntimeError: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
