public import Link

/// The body of a `/generate-script` response.
///
/// Lines have the shape of a script's lines; the receiver validates their triggers.
public struct GenerateScriptResponse: Sendable, Equatable {
  public var scriptId: String
  public var messages: [Line]

  public static let countMax = 10_000

  public struct Line: Sendable, Equatable, JSONConvertible {
    public var id: String
    /// A script's `triggerSpec`; not validated here.
    public var triggerSpec: JSONValue
    public var text: String
    /// The branch it belongs to; nil for all.
    public var branchKey: String?
    /// Among several due lines the highest priority goes first; nil for the default.
    public var priority: Int?

    public init(id: String, triggerSpec: JSONValue, text: String, branchKey: String? = nil, priority: Int? = nil) {
      self.id = id
      self.triggerSpec = triggerSpec
      self.text = text
      self.branchKey = branchKey
      self.priority = priority
    }

    init?(_ reader: JSONObjectReader) {
      let id = reader.string("id", required: true)
      let triggerSpec = reader.value("triggerSpec", required: true)?.node.value.withoutPositions
      let text = reader.string("text", required: true)
      let branchKey = reader.string("branchKey")
      let priority = reader.integer("priority", in: -1_000_000...1_000_000)
      guard let id, let triggerSpec, let text else { return nil }
      self.init(id: id, triggerSpec: triggerSpec, text: text, branchKey: branchKey, priority: priority.map { Int($0) })
    }

    package var json: JSONValue {
      .object(of: ["id": id, "triggerSpec": triggerSpec, "text": text, "branchKey": branchKey, "priority": priority])
    }
  }

  public init(scriptId: String, messages: [Line]) {
    self.scriptId = scriptId
    self.messages = messages
  }
}

extension GenerateScriptResponse: EdgeShape {
  public init?(_ value: JSONValueReader) {
    guard let reader = value.object() else { return nil }
    let scriptId = reader.string("scriptId", required: true)
    let messages = reader.list("messages", countMax: Self.countMax, required: true) { Line($0) }
    reader.finish()
    guard let scriptId, let messages else { return nil }
    self.init(scriptId: scriptId, messages: messages)
  }

  public var json: JSONValue {
    .object(of: ["scriptId": scriptId, "messages": messages])
  }
}
