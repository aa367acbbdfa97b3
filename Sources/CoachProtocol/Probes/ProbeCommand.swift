public import Link

/// A scenario's command for test traffic on a channel; the same on both devices.
public enum ProbeCommand: ScenarioCommand, Equatable {
  /// Send `count` messages of `bytes` each.
  case sendMessage(count: Int, bytes: Int, wantsReply: Bool, payload: ProbePayload = .probe)
  /// Set a context of `bytes`.
  case updateApplicationContext(bytes: Int, payload: ProbePayload = .probe)
  /// Queue `count` user infos of `bytes` each.
  case transferUserInfo(count: Int, bytes: Int, payload: ProbePayload = .probe)
  /// Queue `count` complication transfers of `bytes` each.
  case transferCurrentComplicationUserInfo(count: Int, bytes: Int)
  /// Queue a file; by default its name is its number.
  case transferFile(bytes: Int, name: String?)
  /// Cancel all queued transfers.
  case cancelTransfers

  public static let countMax = 10_000
  /// The largest payload in bytes: beyond every channel's limit, so that refusals can be tested.
  public static let bytesMax = 524_288
  /// Limit in bytes for all payloads of one command, which are in memory together.
  public static let totalBytesMax = 67_108_864
  public static let fileBytesMax = 67_108_864
  public static let bytesDefault = 256
  /// The longest file name, in bytes of UTF-8.
  public static let nameBytesMax = 255

  /// The keys of all forms.
  private struct Draft: Sendable {
    var count = 1
    var bytes = ProbeCommand.bytesDefault
    var wantsReply = false
    var payload = ProbePayload.probe
    var name: String?
  }

  public static let forms: [CommandForm<Self>] = [
    CommandForm("sendMessage", "sends messages", Draft(), [count, bytes, wantsReply, payload]) { draft, reader in
      fits(draft, reader)
        ? .sendMessage(
          count: draft.count, bytes: draft.bytes, wantsReply: draft.wantsReply, payload: draft.payload) : nil
    },
    CommandForm("updateApplicationContext", "sets the context", Draft(), [bytes, payload]) { draft, _ in
      .updateApplicationContext(bytes: draft.bytes, payload: draft.payload)
    },
    CommandForm("transferUserInfo", "queues user infos", Draft(), [count, bytes, payload]) { draft, reader in
      fits(draft, reader)
        ? .transferUserInfo(count: draft.count, bytes: draft.bytes, payload: draft.payload) : nil
    },
    CommandForm(
      "transferCurrentComplicationUserInfo", "queues complication transfers", Draft(), [count, bytes]
    ) { draft, reader in
      fits(draft, reader) ? .transferCurrentComplicationUserInfo(count: draft.count, bytes: draft.bytes) : nil
    },
    CommandForm("transferFile", "queues a file", Draft(), [fileBytes, name]) { draft, _ in
      .transferFile(bytes: draft.bytes, name: draft.name)
    },
    CommandForm("cancelTransfers", "cancels all queued transfers", .cancelTransfers),
  ]

  private static let count = Field<Draft>(
    "count", \.count, .integer(1...Int64(countMax)), "how many; at most \(totalBytesMax) bytes in all")
  private static let bytes = Field<Draft>(
    "bytes", \.bytes, .integer(0...Int64(bytesMax)), "of each payload")
  private static let wantsReply = Field<Draft>("wantsReply", \.wantsReply, .bool, "whether a reply is wanted")
  private static let payload = Field<Draft>(
    "payload", \.payload, .word,
    "what another build says, bytes that are no property list, or the command to begin a run")
  private static let fileBytes = Field<Draft>(
    "bytes", \.bytes, .integer(0...Int64(fileBytesMax)), "how large the file is", .required)
  private static let name = Field<Draft>(
    "name", \.name, .string(bytes: 1...nameBytesMax), "the file's name", .otherwise("its number"))

  private static func fits(_ draft: Draft, _ reader: JSONObjectReader) -> Bool {
    guard draft.count * draft.bytes > totalBytesMax else { return true }
    reader.error(
      "found \(draft.count) times \(draft.bytes) bytes, expected at most \(totalBytesMax) bytes in one command")
    return false
  }

  /// Reads a command that reached a device.
  ///
  /// - Returns: Nil for a command of another kind.
  /// - Throws: Errors in its arguments.
  public static func reading(_ command: NodeCommand) throws(CommandRefusal) -> ProbeCommand? {
    guard words.contains(command.name) else { return nil }
    return try command.reading { ProbeCommand(command.name, $0) }
  }
}

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
