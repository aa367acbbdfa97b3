public import Link

/// Why a device does not do what a scenario's command asks for.
public struct CommandRefusal: Error, Sendable, Equatable {
  /// One sentence for the trace: what was found, and what would have been right.
  public var why: String

  /// Creates a refusal.
  public init(_ why: String) { self.why = why }

  /// The line of the trace that says so.
  public func event(_ command: String, at now: VirtualTime, on role: NodeRole) -> TraceEvent {
    TraceEvent(
      "command.refused", at: now, on: role.place, [.init("kind", .string(command)), .init("why", .string(why))])
  }
}

extension NodeCommand {
  /// Reads the command's arguments: what a scenario's event says besides `at` and `do`.
  ///
  /// - Parameter read: Reads all keys it knows, and returns nil after reporting what is wrong with them.
  /// - Throws: The first thing that is wrong, keys that nobody asked for included.
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
