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
