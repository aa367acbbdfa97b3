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
