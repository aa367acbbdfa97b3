/// The event `app.act`.
public struct AppActTaken: TraceEventKind {
  public static let name: TraceEvent.Name = "app.act"
  public static let about = "A user does something in an app, and a handler of the app takes it."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var action: String = ""
  public var arguments: JSONText?

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("do", &action, "what is done, as the scenario names it")
    fields.field("with", &arguments, "its arguments, an object")
  }
}

/// The event `app.finding`.
public struct AppFindingMade: TraceEventKind {
  public static let name: TraceEvent.Name = "app.finding"
  public static let about =
    "Something is wrong with an app, or virtual time cannot control it ([virtual-time.md](virtual-time.md))."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var kind: String = ""
  public var text: String = ""

  public init() {}
  public var body: EventBody { .appFinding(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field(
      "kind", &kind,
      "`fact` for a fact that is refused, `log` for lines of the log that are dropped, `act` for an act without a handler, or what "
        + "cannot be controlled")
    fields.field("text", &text, "the finding")
  }
}

/// The level of a line of an app's log.
public enum AppLogLevel: String, EventWord, Comparable {
  case debug, info, notice, error, fault

  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rank < rhs.rank }
  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The event `app.log`.
public struct AppLogged: TraceEventKind {
  public static let name: TraceEvent.Name = "app.log"
  public static let about =
    "An app writes a line to its log, through the modules `os` or `OSLog`. No verdict depends on it."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]
  /// The limit of the text in bytes, as a device truncates it.
  public static let textBytesMax = 1024
  /// The limit of the subsystem, and of the category, in bytes.
  public static let nameBytesMax = 256
  /// The limit of lines of one app at one instant; further ones are dropped.
  public static let instantMax = 1000

  public var level: AppLogLevel = .notice
  public var subsystem: String?
  public var category: String?
  public var text: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("level", &level, "the level")
    fields.field("subsystem", &subsystem, "the subsystem of its logger")
    fields.field("category", &category, "the category of its logger")
    fields.field("text", &text, "the line, at most 1,024 bytes")
  }
}
