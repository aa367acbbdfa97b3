/// A fault of a run with its time and target.
public struct PlannedFault: Sendable {
  /// Its name in the trace, and the name of its random stream.
  public var id: String
  /// When it begins.
  public var begin: VirtualTime
  /// When it ends; nil if only the end of the run ends it.
  public var end: VirtualTime?
  /// The affected direction; nil for both.
  public var direction: Direction?
  /// The affected channels; nil for all.
  public var channels: [Channel]?
  /// Whether it affects the phone-edge link; never true for a fault of a device.
  public var isOnUplink = false
  /// Its kind and parameters.
  public var body: Body

  /// A fault of one of the three families.
  public enum Body: Sendable {
    case frame(any FrameFault)
    case world(any WorldFault)
    case node(any NodeFault)

    /// Simpler variants, the simplest first, without this one itself.
    public var simpler: [Body] {
      let own = JSONNode(.object(fault.spelling))
      return fault.simpler.filter { JSONNode(.object($0.spelling)) != own }.map { $0.body }
    }

    /// The fault, of whichever family.
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

  /// The place of its lines in the trace.
  public var place: TraceEvent.Place {
    if case .node = body { return .runner }
    return isOnUplink ? .uplink : .link
  }

  /// Creates a planned fault; without an `id`, derives one from the content.
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

  /// Creates a planned world fault.
  public init(id: String? = nil, begin: VirtualTime = .start, end: VirtualTime? = nil, _ fault: some WorldFault) {
    self.init(id: id, begin: begin, end: end, .world(fault))
  }

  /// Creates a planned fault of a device.
  public init(id: String? = nil, begin: VirtualTime = .start, end: VirtualTime? = nil, _ fault: some NodeFault) {
    self.init(id: id, begin: begin, end: end, .node(fault))
  }

  /// The kind and a hash of everything else: equal content gives equal ids in every run.
  private var derivedID: String {
    let name = TraceEvent.Name(String(decoding: JSONWriter.compact(JSONNode(json(withID: false))), as: UTF8.self))
    return "\(isOnUplink ? "uplink-" : "")\(kind)-\(hexText(name.code >> 40, digits: 6))"
  }

  /// The fault in the keys of a scenario, with plain numbers.
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

/// Reads the `faults` of a scenario.
public enum FaultPlan {
  /// Reads the list; invalid faults are reported and left out.
  ///
  /// Faults with equal content get different ids, by their order.
  ///
  /// - Parameters:
  ///   - points: The available crash points.
  ///   - hasUplink: Whether there is an uplink.
  ///   - end: The end of the run, for a warning about faults that begin then or later; nil if unknown.
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
        reader.warning(
          "begins after the end of the run, which is at \(end.durationText) at the latest: it never happens")
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
    // It would affect nothing, but appear in the trace.
    if named?.isEmpty == true { reader.value("channels")?.refuse(expected: "at least one, or no key for all") }
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
        "\(type.kind) affects \(type.hits); direction and channels do not apply (loss with probability 1 does)")
    } else if !type.hasChannels, channels != nil {
      reader.error("\(type.kind) affects \(type.hits); channels do not apply")
    }
    let body: PlannedFault.Body?
    if let frame = type as? any FrameFault.Type {
      body = make(frame, value, reader).map { .frame($0) }
    } else if let world = type as? any WorldFault.Type {
      body = make(world, value, reader).map { .world($0) }
    } else if let node = type as? any NodeFault.Type {
      body = make(node, value, reader, points).map { .node($0) }
    } else {
      preconditionFailure("\(type.kind) belongs to a family")
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
