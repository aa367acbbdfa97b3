/// The properties of every kind of fault.
public protocol FaultKind: Sendable, Equatable {
  /// The name in scenarios and traces.
  static var kind: String { get }
  /// The reference page, without the parameters.
  static var page: FaultPage { get }
  /// What stories say about it.
  static var story: FaultStory { get }
  /// The parameters, in the order of the page and of the trace.
  ///
  /// They are in an object, the value of the key named after the kind. If the first one has the name of the kind
  /// itself, they are beside each other in the fault's object instead.
  static var parameters: ObjectSchema<Self> { get }
  /// The parameters if these crash points are available.
  static func parameters(points: [CrashPoint]) -> ObjectSchema<Self>
  /// A typical instance, for the tests of all faults and for the reference page.
  static var example: Self { get }
  /// Whether it can be limited to a direction and to channels.
  static var isSelective: Bool { get }
  /// Whether it can be limited to channels; false if only a direction makes sense.
  static var hasChannels: Bool { get }
  /// The target of a fault that cannot be limited, for messages.
  static var hits: String { get }
  /// Whether `for` sets its length; false for an instantaneous fault.
  static var lasts: Bool { get }
  /// Whether it applies only to a node that is an app.
  static var isForAppsOnly: Bool { get }
  /// Whether a nemesis that lists no kinds draws it. A new kind is drawn only by name, so that seeds keep their faults.
  static var isDrawnByDefault: Bool { get }
  /// Whether such a nemesis draws it in runs with an app, though not in others.
  static var isDrawnForApps: Bool { get }
  /// Whether an app sees no more of it than frames that are lost or late; groups of failures treat all such kinds as one.
  static var onlyLosesOrDelays: Bool { get }
  /// Draws an instance for the nemesis: of a realistic size, or one that finds bugs.
  static func draw(_ dice: inout FaultDice) -> Self
  /// Simpler variants, the simplest first, for the shrinker to try.
  var simpler: [Self] { get }
  /// The fault in its family.
  var body: PlannedFault.Body { get }
}

extension FaultKind {
  public static var hits: String { "the whole link" }
  public static var hasChannels: Bool { isSelective }
  public static var lasts: Bool { true }
  public static var isForAppsOnly: Bool { false }
  public static var isDrawnByDefault: Bool { !isForAppsOnly }
  public static var isDrawnForApps: Bool { false }
  public static var onlyLosesOrDelays: Bool { false }
  public var simpler: [Self] { [] }
  public static func parameters(points: [CrashPoint]) -> ObjectSchema<Self> { parameters }

  /// The parameters as data.
  public static func description(points: [CrashPoint] = CrashPoint.session) -> ObjectDescription {
    parameters(points: points).description
  }

  /// The parameters by name, with plain numbers, as the trace has them; the device is `node`.
  public var params: [JSONMember] {
    Self.parameters.members(of: self).map { member in
      member.key == Self.kind ? JSONMember("node", member.node.value) : member
    }
  }

  /// Kind and parameters in the keys of a scenario, with plain numbers.
  public var spelling: [JSONMember] {
    let members = Self.parameters.members(of: self)
    return Self.isBeside ? members : [JSONMember(Self.kind, .object(members))]
  }

  /// Whether the parameters are beside the key named after the kind, whose value is the first of them.
  static var isBeside: Bool { parameters.fields.first?.name == kind }

  /// Reads an instance; nil after reporting an error.
  ///
  /// - Parameters:
  ///   - value: The value of the key named after the kind.
  ///   - fault: The surrounding object.
  ///   - points: The available crash points.
  static func readBody(
    _ value: JSONValueReader, in fault: JSONObjectReader, points: [CrashPoint]
  ) -> PlannedFault.Body? {
    let parameters = parameters(points: points)
    guard !isBeside else { return parameters.read(fault)?.body }
    return value.object().flatMap { parameters.readWhole($0) }?.body
  }
}

/// The reference of a kind of fault, except for its parameters.
public struct FaultPage: Sendable, Equatable {
  /// Its effect, in a sentence.
  public var about: String
  /// Its computation.
  public var formula: String
  /// What happens in reality, with sources.
  public var reality: String
}

/// The sentences about a kind of fault in stories and reports.
public struct FaultStory: Sendable {
  /// What is over at the end, such as `the slow stretch is over`.
  public var ending: String
  /// Whether stories leave the fault to the events of the device's app, which report the same.
  public var isReportedByDevice = false
  /// What happens from the beginning on, such as `the link is cut`, without capital letter and full stop.
  public var beginning: @Sendable (any FaultValues) -> String
}

/// The parameters of a fault in a trace, formatted for people.
///
/// A trace may come from elsewhere: a missing value, or one of another type, counts as zero or as an empty text.
public protocol FaultValues {
  /// Whether a parameter is there.
  func has(_ key: String) -> Bool
  /// Whether a parameter is `true`.
  func isTrue(_ key: String) -> Bool
  /// A number.
  func number(_ key: String) -> Double
  /// The device with the fault, escaped for terminals.
  var device: String { get }
  /// A text, escaped for terminals; nil if it is missing.
  func text(_ key: String) -> String?
  /// A probability as a percentage, such as `0.5 %`.
  func percent(_ key: String) -> String
  /// A span, such as `10.25 s`, by the path to it.
  func length(_ path: String...) -> String
  /// A span as parameters are formatted.
  func length(_ span: VirtualTime.Span) -> String
  /// A whole number with commas, at least 0.
  func count(_ key: String) -> String
  /// The number of a frame in a row, such as `3rd`.
  func ordinal(_ key: String) -> String
}
