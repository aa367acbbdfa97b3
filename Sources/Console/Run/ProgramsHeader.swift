package import Link

/// The header's member about user programs that played nodes.
package enum ProgramsHeader {
  /// The member's key; a trace without it has built-in nodes only.
  package static let key = "programs"

  /// Whether the phone was an app, which follows grants by the session or runs freely, so that there was no coach.
  ///
  /// Other programs, such as a node in another language, may well be a coach's phone.
  package static func hasAppAsPhone(_ header: TraceHeader) -> Bool { isApp(.phone, in: header) }

  /// Whether a device was an app.
  package static func isApp(_ role: NodeRole, in header: TraceHeader) -> Bool {
    guard let program = header.extra(key)?[role.text] else { return false }
    let freeRunning = header.extra("freeRunning")?.elements ?? []
    return program["virtualTime"] != nil || freeRunning.contains { $0.text == role.text }
  }
}
