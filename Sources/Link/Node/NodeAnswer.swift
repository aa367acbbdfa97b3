/// The output of a node process at a granted instant: frames and lines, in order.
///
/// The answer is reused, so that a running run allocates only the payloads of frames.
public struct NodeAnswer: Sendable {
  /// An item of the output.
  public enum Item: Sendable, Equatable {
    /// A sent frame.
    case frame(Frame)
    /// A line of the trace: its range in ``NodeAnswer/text``.
    case line(Range<Int>)
    /// The end of the output for one input.
    case handled
  }

  /// The limits of an answer.
  public struct Limits: Sendable, Equatable {
    /// The most frames and lines together.
    public var itemsMax: Int
    /// The most bytes of payloads and lines together.
    public var bytesMax: Int

    /// Creates limits: a million items, 64 MiB.
    public init(itemsMax: Int = 1_000_000, bytesMax: Int = 64 << 20) {
      self.itemsMax = itemsMax
      self.bytesMax = bytesMax
    }
  }

  /// The output in order.
  public private(set) var items: [Item] = []
  /// The texts of all lines, without newlines or gaps.
  public private(set) var text: [UInt8] = []
  /// When the node must be called; nil if not before its next input.
  public private(set) var nextDeadline: VirtualTime?
  /// The deadline of the app's own timers; nil if there is none, and for a node that is not an app in virtual time.
  public private(set) var appDeadline: VirtualTime?
  /// The number of inputs that the answer covers.
  public private(set) var handledCount = 0
  /// The crash point at which the node stopped, which ends the answer; nil for a complete answer.
  public private(set) var stoppedAt: String?
  /// For an answer to a welcome in a run with a journal: the new epoch, and the number of the last fully reported
  /// grant; otherwise nil.
  public private(set) var beginning: (epoch: Epoch, answered: UInt64)?
  /// Whether nothing follows the end of the last input.
  public var endsHandled: Bool {
    guard let last = items.last else { return true }
    if case .handled = last { return true }
    return false
  }

  private var payloadBytes = 0
  /// The prefix of every line at ``prefixInstant``.
  private var prefix: [UInt8] = []
  private var prefixInstant: VirtualTime?
  private var prefixRole = NodeRole.watch

  public init() {}

  /// The bytes of one line, without its newline.
  public func line(_ range: Range<Int>) -> ArraySlice<UInt8> { text[range] }

  /// Empties the answer and keeps its capacity.
  public mutating func removeAll() {
    items.removeAll(keepingCapacity: true)
    if text.capacity <= 1 << 20 { text.removeAll(keepingCapacity: true) } else { text = [] }
    nextDeadline = nil
    appDeadline = nil
    payloadBytes = 0
    handledCount = 0
    stoppedAt = nil
    beginning = nil
  }

  /// Reads the available part of an answer.
  ///
  /// - Parameters:
  ///   - decoder: Provides the bytes; empty after a complete answer.
  ///   - role: The node: each line must name it.
  ///   - instant: The granted instant: each line must have it, and no deadline may be earlier.
  ///   - limits: The largest answer that is accepted.
  ///   - isBeginning: Whether this answers a welcome in a run with a journal.
  /// - Returns: Whether the answer is complete.
  public mutating func readAnswer(
    from decoder: inout RecordDecoder, of role: NodeRole, at instant: VirtualTime, limits: Limits = Limits(),
    isBeginning: Bool = false
  ) throws(WireError) -> Progress {
    while let record = try decoder.next(isBeginning ? .beginning : .answer, text: &text) {
      switch record {
      case .frame(let frame):
        payloadBytes += frame.wireBytes
        items.append(.frame(frame))
      case .line(let range):
        try checkLine(range, of: role, at: instant)
        items.append(.line(range))
      case .handled:
        handledCount += 1
        items.append(.handled)
      case .done(let deadline, let app):
        let first = min(deadline ?? .distantFuture, app ?? .distantFuture)
        if first < instant { throw .deadlineInThePast(found: first.nanoseconds, granted: instant.nanoseconds) }
        guard decoder.pendingBytes == 0 else { throw .unasked(bytes: decoder.pendingBytes) }
        nextDeadline = deadline
        appDeadline = app
        return .complete
      case .stopped(let point):
        guard decoder.pendingBytes == 0 else { throw .unasked(bytes: decoder.pendingBytes) }
        stoppedAt = point
        return .complete
      case .began(let epoch, let answered): beginning = (epoch, answered)
      case .failed(let why): return .failed(why)
      case .join, .welcome, .grant, .link, .uplink, .command, .condition, .arm, .end:
        preconditionFailure("the decoder accepts no other record")
      }
      guard items.count <= limits.itemsMax else { throw .answerItems(max: limits.itemsMax) }
      guard payloadBytes + text.count <= limits.bytesMax else { throw .answerBytes(max: limits.bytesMax) }
    }
    return .incomplete
  }

  /// The state of an answer.
  public enum Progress: Sendable, Equatable {
    /// More bytes are needed.
    case incomplete
    /// The answer is complete.
    case complete
    /// The node gave up, with its reason.
    case failed(String)
  }

  /// Compares the beginning of a line with that of every line of this node and instant.
  private mutating func checkLine(_ range: Range<Int>, of role: NodeRole, at instant: VirtualTime) throws(WireError) {
    if prefixInstant != instant || prefixRole != role {
      prefix = Array("{\"t\":\(instant.nanoseconds),\"node\":\"\(role.place.text)\",\"event\":\"".utf8)
      prefixInstant = instant
      prefixRole = role
    }
    let found = text.span.extracting(range)
    let expected = prefix.span
    var isRight = found.count >= expected.count
    if isRight { for index in expected.indices { isRight = isRight && found[index] == expected[index] } }
    guard isRight else { throw .foreignLine(expected: String(decoding: prefix, as: UTF8.self)) }
  }
}

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
