/// Whose lines are believed.
///
/// A node writes its own lines into the trace, and could clear itself with one that only the runner can know: that it was
/// killed, or that a fault is on. Such a line is kept in the trace, and no reader believes it.
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
  /// The places whose lines of this name are believed: all of them, unless the name is reserved.
  public var writers: TraceEvent.Writers { Self.reserved[code] ?? .all }

  /// The names that not every place may write.
  public static let reservedNames: [TraceEvent.Name] = reservations.flatMap { $0.names }

  private static let reservations: [(names: [TraceEvent.Name], writers: TraceEvent.Writers)] = [
    (
      [
        "node.started", "node.restarted", "node.killed", "node.suspended", "node.resumed", "node.failed",
        "command.dropped", "control", "stopped", "expectation", "violation", "healed", "end",
      ], .runner
    ),
    (["fault.begin", "fault.end"], [.media, .runner]),
    (["frame.delivered", "frame.dropped", "frame.duplicated", "link.down", "link.up"], .media),
    // Written by the runner from the frame's header, in the sender's name.
    (["frame.sent"], .nodes),
  ]

  private static let reserved: [UInt64: TraceEvent.Writers] = {
    var writers: [UInt64: TraceEvent.Writers] = [:]
    for reservation in reservations {
      for name in reservation.names { writers[name.code] = reservation.writers }
    }
    return writers
  }()
}
