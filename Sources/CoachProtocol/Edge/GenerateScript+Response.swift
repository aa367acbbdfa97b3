public import Link

/// A script, as the edge makes one.
///
/// Its lines have the shape of a script's; whether their triggers mean anything is judged by who uses them.
public struct GenerateScriptResponse: Sendable, Equatable {
  /// Names the script.
  public var scriptId: String
  /// Its lines.
  public var messages: [Line]

  /// Lines of one response, at most.
  public static let countMax = 10_000

  /// One line.
  public struct Line: Sendable, Equatable {
    /// Names it.
    public var id: String
    /// When it is to be spoken, as a script's `triggerSpec`; not judged here.
    public var triggerSpec: JSONValue
    /// What is said.
    public var text: String
    /// The branch it belongs to; nil for all.
    public var branchKey: String?
    /// Which goes first among several that are due; nil for the default.
    public var priority: Int?

    /// Creates a line.
    public init(id: String, triggerSpec: JSONValue, text: String, branchKey: String? = nil, priority: Int? = nil) {
      self.id = id
      self.triggerSpec = triggerSpec
      self.text = text
      self.branchKey = branchKey
      self.priority = priority
    }

    init?(_ reader: JSONObjectReader) {
      let id = reader.string("id", required: true)
      let triggerSpec = reader.value("triggerSpec", required: true)?.node.value.placeless
      let text = reader.string("text", required: true)
      let branchKey = reader.string("branchKey")
      let priority = reader.integer("priority", in: -1_000_000...1_000_000)
      guard let id, let triggerSpec, let text else { return nil }
      self.init(id: id, triggerSpec: triggerSpec, text: text, branchKey: branchKey, priority: priority.map { Int($0) })
    }

    var json: JSONValue {
      var members = EdgeMembers()
      members.add("id", id)
      members.add("triggerSpec", triggerSpec)
      members.add("text", text)
      members.add("branchKey", branchKey)
      members.add("priority", priority)
      return members.json
    }
  }

  /// Creates a response.
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
    var members = EdgeMembers()
    members.add("scriptId", scriptId)
    members.add("messages", messages.map(\.json))
    return members.json
  }
}
