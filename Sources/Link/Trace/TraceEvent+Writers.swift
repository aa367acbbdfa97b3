/// The places whose lines are believed.
///
/// A node writes its own lines into the trace, and could excuse itself with a line that only the runner can know: that
/// it was killed, or that a fault is active. Such a line stays in the trace, but no reader believes it.
extension TraceEvent {
  /// Places whose lines of a name are believed.
  public struct Writers: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The set of one place.
    @inlinable public init(_ place: Place) { self.init(rawValue: 1 << place.rawValue) }

    /// Watch, phone and edge.
    public static let nodes: Self = [Self(.watch), Self(.phone), Self(.edge)]
    /// The link between watch and phone, and the phone's uplink.
    public static let media: Self = [Self(.link), Self(.uplink)]
    /// The runner.
    public static let runner = Self(.runner)
    /// Every place.
    public static let all: Self = [.nodes, .media, .runner]

    /// Whether a place's lines are believed.
    @inlinable public func contains(_ place: Place) -> Bool { rawValue & (1 << place.rawValue) != 0 }
  }

  /// Whether the line is from a place that may write it.
  public var isBelieved: Bool { name.writers.contains(place) }
}

extension TraceEvent.Name {
  /// The keys of this event's fields in the order in which they are written; nil for an event of another program.
  ///
  /// Includes optional keys, but not `t`, `node` and `event`, which every line has.
  public var keys: [String]? { EventCatalog.entry(self)?.fields.map(\.key) }

  /// The places whose lines of this name are believed: all of them, unless the name is reserved.
  public var writers: TraceEvent.Writers { Self.reserved[code] ?? .all }

  private static let reserved: [UInt64: TraceEvent.Writers] = Dictionary(
    uniqueKeysWithValues: EventCatalog.all.filter(\.isReserved).map { ($0.name.code, $0.places) })

  /// Every name that this package writes.
  public static let known: [TraceEvent.Name] = EventCatalog.all.map(\.name)

  /// The names that only some places may write.
  public static let reservedNames: [TraceEvent.Name] = EventCatalog.all.filter(\.isReserved).map(\.name)
}
