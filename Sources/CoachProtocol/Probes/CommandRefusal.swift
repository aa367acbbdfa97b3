public import Link

/// Why a device refuses a scenario's command.
public struct CommandRefusal: Error, Sendable, Equatable {
  /// One sentence for the trace: found and expected.
  public var why: String

  public init(_ why: String) { self.why = why }

  /// The `command.refused` event.
  public func event(_ command: String, at now: VirtualTime, on role: NodeRole) -> TraceEvent {
    TraceEvent(CommandRefused.self, at: now, on: role.place) {
      $0.kind = command
      $0.why = why
    }
  }
}

extension NodeCommand {
  /// Reads the command's arguments, the members of a scenario's event besides `at` and `do`.
  ///
  /// - Parameter read: Reads all known keys, and returns nil after reporting errors.
  /// - Throws: The first error, including unknown keys.
  public func reading<Value>(_ read: (JSONObjectReader) -> Value?) throws(CommandRefusal) -> Value {
    let collector = DiagnosticsCollector(file: name)
    var found: Value?
    do {
      let node = try JSONParser.parse(arguments, dialect: .json)
      if let reader = JSONObjectReader(node, into: collector) {
        found = read(reader)
        reader.finish()
      }
    } catch {
      collector.diagnostics.add(error)
    }
    guard let found, collector.diagnostics.isEmpty else {
      throw CommandRefusal(collector.diagnostics.list.first?.message ?? "its arguments cannot be used")
    }
    return found
  }
}
