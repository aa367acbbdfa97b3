/// What a driver tells a node.
public enum NodeInput: Sendable, Equatable {
  /// What this side learns of the radio, as late as the link profile says.
  case link(isUp: Bool)
  /// What the phone learns of its way to the edge, as late as the uplink's profile says.
  case uplink(isUp: Bool)
  /// A frame from the medium.
  case frame(Frame)
  /// What the scenario, a key or a script has the user or the system do.
  case command(NodeCommand)
  /// What this side learns of its device, or of its counterpart.
  case condition(NodeCondition)
  /// What the node asked its store for; comes at once, from the host.
  case page(StorePage)
}

/// Something the user or the system does on a device: `pause`, `mute`, `interrupt`.
public struct NodeCommand: Sendable, Equatable {
  /// What: the `do` of a scenario's event.
  public var name: String
  /// The event's further members as a JSON object text, `{}` where there are none.
  public var arguments: String

  /// Creates a command.
  public init(_ name: String, arguments: String = "{}") {
    self.name = name
    self.arguments = arguments
  }
}

extension NodeCommand {
  /// The value of one of the event's further members; nil where there is none.
  public func argument(_ key: String) -> JSONValue? {
    guard let node = try? JSONParser.parse(arguments, dialect: .json), case .object(let members) = node.value else {
      return nil
    }
    return members.first { $0.key == key }?.node.value
  }
}

/// A whole simulated device with its app.
public protocol NodeMachine: Machine where Input == NodeInput, Output == NodeOutput {}
