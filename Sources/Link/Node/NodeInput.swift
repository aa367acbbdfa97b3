/// An input of a node.
public enum NodeInput: Sendable, Equatable {
  /// This side's knowledge of the radio, with the delays of the link profile.
  case link(isUp: Bool)
  /// The phone's knowledge of the uplink, with the delays of the uplink's profile.
  case uplink(isUp: Bool)
  /// A frame from the medium.
  case frame(Frame)
  /// An action of the user or the system, from the scenario, a key or a script.
  case command(NodeCommand)
  /// A condition of this side's device or its counterpart.
  case condition(NodeCondition)
  /// The host's answer to a page order, passed in at once.
  case page(StorePage)
}

/// An action of the user or the system on a device: `pause`, `mute`, `interrupt`.
public struct NodeCommand: Sendable, Equatable {
  /// Its name: the `do` of a scenario's event.
  public var name: String
  /// The other members of the event as a JSON object, `{}` if there are none.
  public var arguments: String

  public init(_ name: String, arguments: String = "{}") {
    self.name = name
    self.arguments = arguments
  }
}

extension NodeCommand {
  /// The value of another member of the event; nil if absent.
  public func argument(_ key: String) -> JSONValue? {
    guard let node = try? JSONParser.parse(arguments, dialect: .json), case .object(let members) = node.value else {
      return nil
    }
    return members.first { $0.key == key }?.node.value
  }
}

extension NodeCommand {
  /// The name of the command that hands an act to an app.
  public static let actName = "act"

  /// Hands an act to an app.
  ///
  /// - Parameters:
  ///   - name: The name of the act.
  ///   - arguments: A JSON object.
  public init(act name: String, with arguments: JSONNode?) {
    var members = [JSONMember("do", .string(name))]
    if let arguments { members.append(JSONMember(key: "with", at: .nowhere, arguments)) }
    self.init(Self.actName, arguments: String(decoding: JSONWriter.compact(JSONNode(.object(members))), as: UTF8.self))
  }

  /// The act that the command hands over, with its arguments as a JSON object; nil for another command.
  public var act: (name: String, json: [UInt8])? {
    guard name == Self.actName, case .string(let name)? = argument("do") else { return nil }
    var json: [UInt8] = []
    JSONWriter.append(argument("with") ?? .object([]), to: &json)
    return (name, json)
  }
}

/// A complete simulated device with its app: a machine whose orders go into a ``Turn``.
///
/// It and its driver keep the contract of a ``Machine``.
public protocol NodeMachine: Sendable {
  /// The instant by which the driver must call with nil; nil if no timer is pending.
  var nextDeadline: VirtualTime? { get }

  /// Handles one input; fires due timers if `input` is nil.
  mutating func receive(_ input: NodeInput?, in turn: inout Turn)
}
