/// A kind of trace event: a struct whose typed fields are declared once, in `visit(_:)`.
///
/// The reader, the writer, the reference page and the checks of `where` in an expectation are derived from that list.
///
/// ```swift
/// public struct FrameDuplicated: TraceEventKind {
///   public static let name: TraceEvent.Name = "frame.duplicated"
///   public static let about = "The link makes copies of a frame."
///   public static let places: TraceEvent.Writers = .media
///   public static let isReserved = true
///
///   public var id: Int64 = 0
///   public var copies: Int64 = 0
///
///   public init() {}
///
///   public mutating func visit(_ fields: inout some EventFieldVisitor) {
///     fields.field("id", &id, "the frame")
///     fields.field("copies", &copies, "how many were made, besides the original")
///   }
/// }
/// ```
public protocol TraceEventKind: FieldRecord {
  /// The `event` of its lines.
  static var name: TraceEvent.Name { get }
  /// What happens, in sentences, as Markdown.
  static var about: String { get }
  /// The places that write it: the `node` of its lines.
  static var places: TraceEvent.Writers { get }
  /// Whether lines from other places are not believed; false by default.
  static var isReserved: Bool { get }

  /// The event as one of the cases that code switches over; by default ``EventBody/other(_:)``.
  var body: EventBody { get }

  /// Calls the checker's method for this kind; by default none, since no checker reads it.
  func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report)

  /// The order to write this event: frequent kinds are ordered as values where the turn passes them.
  func order(in turn: borrowing Turn, on place: TraceEvent.Place) -> Turn.Item
}

extension TraceEventKind {
  public static var isReserved: Bool { false }
  public var body: EventBody { .other(OtherEvent(kind: self)) }

  @inlinable public func present(to checker: inout some Checker, at place: Occurrence, into report: inout Report) {}

  @inlinable public func order(in turn: borrowing Turn, on place: TraceEvent.Place) -> Turn.Item {
    .event(TraceEvent(self, at: turn.now, on: place))
  }
}

/// A kind of event that stories describe with a sentence of its own.
///
/// Such an event is rare and concerns one device; a story has the same sentence once a minute at most.
public protocol NarratedEvent: TraceEventKind {
  /// What the device does.
  var sentence: EventSentence { get }
}

/// What a story says about an event.
public struct EventSentence: Sendable, Equatable {
  /// The sentence without its subject, the device: `cannot queue a file: payloadTooLarge`.
  public let text: String
  /// Whether it is good news.
  public let isRelief: Bool

  /// Creates a sentence.
  public init(_ text: String, isRelief: Bool = false) {
    self.text = text
    self.isRelief = isRelief
  }
}

/// A kind of event in the catalogue.
public struct EventKindEntry: Sendable {
  /// The `event` of its lines.
  public let name: TraceEvent.Name
  /// What happens, as Markdown.
  public let about: String
  /// The places that write it.
  public let places: TraceEvent.Writers
  /// Whether lines from other places are not believed.
  public let isReserved: Bool
  /// The descriptions of its fields, in order.
  public let fields: [EventFieldDescription]
  /// Reads the fields of a line; nil if they are not those of the kind.
  let body: @Sendable ([TraceEvent.Field]) -> EventBody?
  /// An event of the kind with placeholder fields.
  let example: @Sendable () -> EventBody
  /// What a story says about a line; nil for kinds without a sentence of their own.
  public let sentence: (@Sendable ([TraceEvent.Field]) -> EventSentence?)?

  /// Creates the entry of a kind without a sentence of its own.
  init<Kind: TraceEventKind>(_ kind: Kind.Type) { self.init(kind, sentence: nil) }

  /// Creates the entry of a kind with a sentence.
  ///
  /// The compiler chooses between the two: a cast would search all conformances of the process, a fifth of the time in
  /// which an app starts.
  init<Kind: NarratedEvent>(_ kind: Kind.Type) { self.init(kind) { fields in kind.init(fields)?.sentence } }

  private init<Kind: TraceEventKind>(
    _ kind: Kind.Type, sentence: (@Sendable ([TraceEvent.Field]) -> EventSentence?)?
  ) {
    name = kind.name
    about = kind.about
    places = kind.places
    isReserved = kind.isReserved
    fields = kind.fieldDescriptions
    // Not by way of an optional, through which the fields would be copied twice: a seventh of the judging.
    body = { fields in
      var event = Kind()
      return event.read(fields) ? event.body : nil
    }
    example = { kind.init().body }
    self.sentence = sentence
  }
}

/// A kind of event that happens to one device.
public protocol DeviceEvent: TraceEventKind {
  /// The device.
  var target: NodeRole { get set }
}
