/// One fault of a run: what, when, and towards whom.
public struct PlannedFault: Sendable {
  /// Names it in the trace, and names its random stream.
  public var id: String
  /// When it begins.
  public var begin: VirtualTime
  /// When it ends; nil while only the run's end ends it.
  public var end: VirtualTime?
  /// Which direction it is for; nil for both.
  public var direction: Direction?
  /// Which channels it is for, by raw value; nil for all.
  public var channels: [Channel]?
  /// Whether it is one of the phone-edge link; a fault of a device never is.
  public var isOnUplink = false
  /// What it does.
  public var body: Body

  /// A fault of one of the families.
  public enum Body: Sendable {
    case frame(any FrameFault)
    case world(any WorldFault)
    case node(any NodeFault)

    /// Variants that are easier to explain, the easiest first, and none that is the same.
    public var simpler: [Body] {
      let own = JSONNode(.object(fault.spelling))
      return fault.simpler.filter { JSONNode(.object($0.spelling)) != own }.map { $0.body }
    }

    /// The fault, whichever family it is of.
    public var fault: any FaultKind {
      switch self {
      case .frame(let fault): fault
      case .world(let fault): fault
      case .node(let fault): fault
      }
    }
  }

  /// The name of its kind.
  public var kind: String { type(of: body.fault).kind }

  /// Where its lines stand in the trace.
  public var place: TraceEvent.Place {
    if case .node = body { return .runner }
    return isOnUplink ? .uplink : .link
  }

  /// Creates a planned fault; without an `id` one is derived from the content.
  public init(
    id: String? = nil, begin: VirtualTime = .start, end: VirtualTime? = nil, direction: Direction? = nil,
    channels: [Channel]? = nil, onUplink: Bool = false, _ body: Body
  ) {
    isOnUplink = onUplink
    self.begin = begin
    self.end = end
    self.direction = direction
    self.channels = channels
    self.body = body
    self.id = ""
    self.id = id ?? derivedID
  }

  /// Creates a planned frame fault.
  public init(
    id: String? = nil, begin: VirtualTime = .start, end: VirtualTime? = nil, direction: Direction? = nil,
    channels: [Channel]? = nil, _ fault: some FrameFault
  ) {
    self.init(id: id, begin: begin, end: end, direction: direction, channels: channels, .frame(fault))
  }

  /// Creates a planned fault of the world.
  public init(id: String? = nil, begin: VirtualTime = .start, end: VirtualTime? = nil, _ fault: some WorldFault) {
    self.init(id: id, begin: begin, end: end, .world(fault))
  }

  /// Creates a planned fault of a device.
  public init(id: String? = nil, begin: VirtualTime = .start, end: VirtualTime? = nil, _ fault: some NodeFault) {
    self.init(id: id, begin: begin, end: end, .node(fault))
  }

  /// Kind and a hash of everything else: the same content has the same name in every run.
  private var derivedID: String {
    let name = TraceEvent.Name(String(decoding: JSONWriter.compact(JSONNode(json(withID: false))), as: UTF8.self))
    return "\(isOnUplink ? "uplink-" : "")\(kind)-\(hexText(name.code >> 40, digits: 6))"
  }

  /// The fault as a scenario would spell it, in plain numbers.
  public var json: JSONValue { json(withID: true) }

  private func json(withID: Bool) -> JSONValue {
    var members: [JSONMember] = []
    if withID { members.append(JSONMember("id", .string(id))) }
    members.append(.seconds("at", begin - .start))
    if let end { members.append(.seconds("for", end - begin)) }
    if let direction { members.append(JSONMember("direction", .string(direction.text))) }
    if let channels {
      members.append(JSONMember("channels", .array(channels.map { JSONNode(.string($0.text)) })))
    }
    if isOnUplink {
      members.append(JSONMember("uplink", .object(body.fault.spelling)))
    } else {
      members += body.fault.spelling
    }
    return .object(members)
  }

  /// The parameters as canonical JSON text.
  public var paramsText: String {
    String(decoding: JSONWriter.compact(JSONNode(.object(body.fault.params))), as: UTF8.self)
  }
}

/// Reads a scenario's `faults`.
public enum FaultPlan {
  /// Reads the list; faults that are wrong are reported and left out.
  ///
  /// Two faults with the same content get different names by their place among their equals.
  ///
  /// - Parameters:
  ///   - points: The places at which a crash can be asked for.
  ///   - hasUplink: Whether there is an uplink that can be hit.
  ///   - end: The run's end: there is a warning about faults that begin then or later; nil where it is not known.
  public static func read(
    _ list: [JSONValueReader], points: [CrashPoint] = CrashPoint.session, hasUplink: Bool = true,
    end: VirtualTime? = nil
  ) -> [PlannedFault] {
    var plan: [PlannedFault] = []
    for element in list {
      guard let reader = element.object() else { continue }
      guard var fault = read(reader, points, hasUplink) else { continue }
      let name = fault.id
      var count = 1
      while plan.contains(where: { $0.id == fault.id }) {
        count += 1
        fault.id = "\(name)-x\(count)"
      }
      if let end, fault.begin >= end {
        reader.warning("begins when the run is over, which ends at \(end.durationText) at the latest: it never happens")
      }
      if count > 1, reader.has("id") { reader.error("a second fault with the id \"\(name)\"") }
      plan.append(fault)
    }
    return plan
  }

  private static func read(
    _ reader: JSONObjectReader, _ points: [CrashPoint], _ hasUplink: Bool
  ) -> PlannedFault? {
    if reader.has("uplink") {
      if !hasUplink {
        reader.error("found a fault of the uplink in a scenario without one, expected the key uplink or edge")
      }
      return readUplink(reader)
    }
    let kinds = FaultCatalog.all
    let present = kinds.filter { reader.has($0.kind) }
    let id = reader.string("id")
    let at = reader.duration("at") ?? .zero
    let length = reader.duration("for")
    let direction = reader.oneOf("direction", Direction.ofLink.map { ($0.text, $0) })
    let named = reader.array("channels", countMax: 4)
    // It would hit nothing, and be told as if it did.
    if named?.isEmpty == true { reader.value("channels")?.refuse(expected: "at least one; without the key it is all") }
    let channels = named?.compactMap { $0.oneOf(Channel.ofLink.map { ($0.text, $0) }) }
    guard let type = present.first, present.count == 1 else {
      reader.allow(kinds.map { $0.kind } + ["uplink"])
      reader.finish()
      let names = kinds.map { $0.kind }.joined(separator: ", ")
      reader.error(present.isEmpty ? "no kind of fault; expected one of \(names)" : "more than one kind of fault")
      return nil
    }
    guard let value = reader.value(type.kind) else { return nil }
    let end = length.map { VirtualTime.start + at + $0 }
    if !type.isSelective, direction != nil || channels != nil {
      reader.error(
        "\(type.kind) hits \(type.hits); direction and channels do not apply (loss with probability 1 does)")
    } else if !type.hasChannels, channels != nil {
      reader.error("\(type.kind) hits \(type.hits); channels do not apply")
    }
    let body: PlannedFault.Body?
    if let frame = type as? any FrameFault.Type {
      body = make(frame, value, reader).map { .frame($0) }
    } else if let world = type as? any WorldFault.Type {
      body = make(world, value, reader).map { .world($0) }
    } else if let node = type as? any NodeFault.Type {
      body = make(node, value, reader, points).map { .node($0) }
    } else {
      preconditionFailure("\(type.kind) is of no family")
    }
    reader.finish()
    return body.map {
      PlannedFault(id: id, begin: .start + at, end: end, direction: direction, channels: channels, $0)
    }
  }

  static func make(
    _ type: any FrameFault.Type, _ value: JSONValueReader, _ reader: JSONObjectReader
  ) -> (any FrameFault)? {
    type.init(value, in: reader)
  }

  static func make(
    _ type: any WorldFault.Type, _ value: JSONValueReader, _ reader: JSONObjectReader
  ) -> (any WorldFault)? {
    type.init(value, in: reader)
  }

  private static func make(
    _ type: any NodeFault.Type, _ value: JSONValueReader, _ reader: JSONObjectReader, _ points: [CrashPoint]
  ) -> (any NodeFault)? {
    type.init(value, in: reader, points: points)
  }
}
