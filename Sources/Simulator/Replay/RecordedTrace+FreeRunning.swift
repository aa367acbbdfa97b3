package import Console
package import Link

extension RecordedTrace {
  /// Refuses a trace in which a node of one of these roles was a free-running app, which no built-in node can repeat.
  ///
  /// - Throws: ``Failure/input(_:)``.
  package func refuseFreeRunning(_ roles: [NodeRole]) throws(Failure) {
    guard let names = header.extra("freeRunning") else { return }
    for role in roles where names.elements.contains(where: { $0.text == role.text }) {
      throw .input(
        "\(path):1:\(names.position.column): error: found a \(role.text) with timers of its own, which cannot be "
          + "made to do the same again; expected one that follows grants")
    }
  }
}
