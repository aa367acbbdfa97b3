/// Reads the `faults` of a scenario.
public enum FaultPlan {
  /// Reads the list; invalid faults are reported and left out.
  ///
  /// Faults with equal content get different ids, by their order.
  ///
  /// - Parameters:
  ///   - list: The elements of the array.
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
    let isOnUplink = reader.has("uplink")
    if isOnUplink, !hasUplink {
      reader.error("found a fault of the uplink in a scenario without one, expected the key uplink or edge")
    }
    defer { reader.finish() }
    let target = FaultTarget.schema(isOnUplink: isOnUplink).read(reader)
    let body = isOnUplink ? reader.object("uplink") { readBody($0, of: FaultCatalog.ofUplink, points) } : nil
    if isOnUplink { refuseOthers(reader) }
    guard let body = isOnUplink ? body : readBody(reader, of: FaultCatalog.all, points), let target else { return nil }
    let type = type(of: body.fault)
    if !type.isSelective, target.direction != nil || target.channels != nil {
      let keys = isOnUplink ? "direction does" : "direction and channels do"
      reader.error("\(type.kind) affects \(type.hits); \(keys) not apply (loss with probability 1 does)")
    } else if !type.hasChannels, target.channels != nil {
      reader.error("\(type.kind) affects \(type.hits); channels do not apply")
    }
    return PlannedFault(
      id: target.id, begin: .start + target.at, end: target.length.map { .start + target.at + $0 },
      direction: target.direction, channels: target.channels, onUplink: isOnUplink, body)
  }

  /// Reports what may not be beside the key `uplink`.
  private static func refuseOthers(_ reader: JSONObjectReader) {
    if let channels = reader.value("channels") {
      channels.error("found channels beside uplink, expected none: an uplink carries only \(Channel.http.text)")
    }
    let others = FaultCatalog.all.map { $0.kind }.filter { reader.has($0) }
    reader.allow(others)
    guard let other = others.first else { return }
    reader.error(
      "more than one kind of fault: \(other) is beside uplink, expected it inside uplink or in another fault")
  }

  /// Reads the one kind of fault in an object; nil after reporting an error.
  private static func readBody(
    _ reader: JSONObjectReader, of kinds: [any FaultKind.Type], _ points: [CrashPoint]
  ) -> PlannedFault.Body? {
    let present = kinds.filter { reader.has($0.kind) }
    if let type = present.first, present.count == 1 {
      return reader.value(type.kind).flatMap { type.readBody($0, in: reader, points: points) }
    }
    reader.allow(kinds.map { $0.kind })
    let names = kinds.map { $0.kind }.joined(separator: ", ")
    // A fault of a device inside `uplink`.
    if present.isEmpty, let other = FaultCatalog.nodeFaults.first(where: { reader.has($0.kind) }) {
      reader.allow([other.kind])
      reader.error("\(other.kind) is a fault of a device, expected one of \(names)")
    } else {
      reader.error(present.isEmpty ? "no kind of fault; expected one of \(names)" : "more than one kind of fault")
    }
    return nil
  }
}

extension FaultPlan {
  /// The elements of `faults` as data.
  ///
  /// - Parameter points: The available crash points.
  public static func description(points: [CrashPoint]) -> ValueDescription {
    let ofLink = FaultCatalog.all.map { kind in
      let own = kind.description(points: points)
      let refused = (kind.isSelective ? [] : ["direction"]) + (kind.hasChannels ? [] : ["channels"])
      let target = FaultTarget.schema(isOnUplink: false).description.fields.filter { !refused.contains($0.name) }
      return ValueDescription.object(element(kind, "fault.\(kind.kind)", target, own))
    }
    let ofUplink = FaultCatalog.ofUplink.map { kind in
      ValueDescription.object(element(kind, "uplink.\(kind.kind)", [], kind.description()))
    }
    var target = FaultTarget.schema(isOnUplink: true).description
    target.name = "fault.uplink"
    target.fields.append(
      FieldDescription("uplink", .either(ofUplink), standard: nil, "puts the fault on the phone-edge link"))
    return .either(ofLink + [.object(target)])
  }

  private static func element(
    _ kind: any FaultKind.Type, _ name: String, _ target: [FieldDescription], _ own: ObjectDescription
  ) -> ObjectDescription {
    var element = own
    element.about = kind.page.about
    element.fields = target
    if kind.isBeside {
      element.fields += own.fields
    } else {
      var inner = own
      inner.name = ""
      element.forms = []
      element.fields.append(FieldDescription(kind.kind, .object(inner), standard: nil, "its parameters"))
    }
    element.name = name
    return element
  }
}

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
    let target = FaultTarget(
      id: withID ? id : nil, at: begin - .start, length: end.map { $0 - begin }, direction: direction,
      channels: channels)
    let spelling = body.fault.spelling
    return .object(
      FaultTarget.schema(isOnUplink: isOnUplink).members(of: target)
        + (isOnUplink ? [JSONMember("uplink", .object(spelling))] : spelling))
  }

  /// The parameters as canonical JSON text.
  public var paramsText: String {
    String(decoding: JSONWriter.compact(JSONNode(.object(body.fault.params))), as: UTF8.self)
  }
}

/// When and on what a fault of a scenario acts: the keys beside its kind.
public struct FaultTarget: Sendable {
  /// Its name; nil to derive one from its content.
  var id: String?
  /// When it begins, from the start of the run.
  var at = VirtualTime.Span.zero
  /// How long it lasts; nil until the end of the run.
  var length: VirtualTime.Span?
  /// The affected direction; nil for both.
  var direction: Direction?
  /// The affected channels; nil for all.
  var channels: [Channel]?

  /// The keys of a fault of one of the two links.
  static func schema(isOnUplink: Bool) -> ObjectSchema<Self> { isOnUplink ? ofUplink : ofLink }

  private static let ofUplink = ObjectSchema(
    "", "A fault of the phone-edge link.", Self(), common + [directionField(Direction.ofUplink)])
  private static let ofLink = ObjectSchema(
    "", "A fault of the watch-phone link, or of a device.", Self(),
    common + [
      directionField(Direction.ofLink),
      Field(
        "channels", \.channels, .array(of: .choice((Channel.ofLink + [.mirror]).map { ($0.text, $0) }), count: 1...5),
        "which frames it hits; `mirror` are those of apps' HealthKit", .otherwise("all")),
    ])

  private static let common = [
    Field(
      "id", \Self.id, .string, "its name in the trace, and of its random stream",
      .otherwise("the kind and a hash of the rest")),
    Field("at", \.at, .duration(), "when it begins"),
    Field("for", \.length, .duration(), "how long it lasts; not for instantaneous faults", .otherwise("to the end")),
  ]

  private static func directionField(_ directions: [Direction]) -> Field<Self> {
    Field(
      "direction", \.direction, .choice(directions.map { ($0.text, $0) }), "which frames it hits", .otherwise("both"))
  }

  /// The keys of both links, for the reference page.
  public static var description: ObjectDescription {
    var description = ofLink.description
    for index in description.fields.indices where description.fields[index].name == "direction" {
      description.fields[index].value = .words(Direction.allCases.map(\.text))
      description.fields[index].about += "; the last two on the uplink"
    }
    return description
  }
}
