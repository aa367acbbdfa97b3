package import Link

/// Something that happens to the server: one of a scenario's `edge.events`.
package struct EdgeEvent: Sendable, Equatable {
  package enum Effect: String, Sendable, CaseIterable {
    /// Its process ends and starts again: requests in progress are lost, files stay.
    case restart
    /// Its files are lost.
    case wipe
    /// It restarts, and half of a file is missing.
    case powerLoss
  }

  package var at = VirtualTime.start
  package var effect: Effect
  /// Of `powerLoss`: the file that is half written.
  package var file = EdgeFile.contextStore

  package init(_ effect: Effect) { self.effect = effect }

  package static let countMax = 1_000

  package static let schema = ObjectSchema<Self>(
    "edge.events[]", "Something that happens to the server and its files ([totals](built-in-apps.md#daily-totals)).",
    Self(.restart),
    [
      Field("at", \.at, .instant, "since the run's start", .required),
      Field("do", \.effect, .word, "what happens", .required),
      Field("file", \.file, .word, "of powerLoss: the file that is half written"),
    ])
}
