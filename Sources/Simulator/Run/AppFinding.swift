import Console
package import Link
import LinkTransport

/// A defect of the user's app that ended a run in virtual time: a deadlock, or an endless loop.
package struct AppFinding: Sendable, Equatable {
  package var role: NodeRole
  /// As in docs/internals/virtual-time.md.
  package var kind: String
  /// Threads, owners and calls; several lines.
  package var text: String
  package var time: VirtualTime

  /// The finding in a sentence, without its text.
  package var title: String { "the \(role.text)'s app at \(time.text): \(kind)" }

  /// The member of `--json`.
  var object: JSONValue {
    .fields(["node": .string(role.text), "kind": .string(kind), "text": .string(text), "t": .integer(time.nanoseconds)])
  }

  /// The finding behind a failure; nil for any other failure.
  init?(_ failure: NodeFailure, at time: VirtualTime) {
    guard let role = failure.role, case .finding(let kind, let text) = failure.cause else { return nil }
    self.role = role
    self.kind = kind
    self.text = text
    self.time = time
  }
}
