/// A way the medium misbehaves towards frames.
///
/// A frame passes the medium's stages in a fixed order, and within a stage the active faults in plan
/// order. A fault implements the verb of its stage; the others do nothing. Loss and corruption are
/// judged once a frame, before copies exist; a delay is drawn for every copy.
///
/// To add one: a file in `Faults/`, or in `Quirks/` for what the real framework gets wrong, and a line in ``FaultCatalog``.
public protocol FrameFault: FaultKind {
  /// Stage 3: narrows the queue that the frame has to pass.
  func narrow(_ limit: inout Bandwidth)
  /// Stage 4: tells whether the frame is lost, and under which cause.
  mutating func lose(_ passage: Passage) -> DropCause?
  /// Stage 5: tells whether the frame arrives with a flipped bit.
  mutating func corrupts(_ passage: Passage) -> Bool
  /// Whether ``observe(_:)`` is wanted.
  static var observes: Bool { get }
  /// After stage 5: takes note of a frame that no stage and no other fault lost or corrupted.
  mutating func observe(_ passage: Passage)
  /// Stage 6: the time added to copy number `copy`, in nanoseconds, at least 0.
  func delay(_ passage: Passage, copy: Int) -> Int64
  /// Stage 7: how long the frame is held back while later ones pass, in nanoseconds; 0 for not at all.
  func holdBack(_ passage: Passage) -> Int64
  /// Stage 8: how many further copies are made.
  func copies(_ passage: Passage) -> Int
}

extension FrameFault {
  public var body: PlannedFault.Body { .frame(self) }
  public func narrow(_ limit: inout Bandwidth) {}
  public mutating func lose(_ passage: Passage) -> DropCause? { nil }
  public mutating func corrupts(_ passage: Passage) -> Bool { false }
  public static var observes: Bool { false }
  public mutating func observe(_ passage: Passage) {}
  public func delay(_ passage: Passage, copy: Int) -> Int64 { 0 }
  public func holdBack(_ passage: Passage) -> Int64 { 0 }
  public func copies(_ passage: Passage) -> Int { 0 }
}

/// A way the world misbehaves: timed orders to whoever owns the link and the nodes.
public protocol WorldFault: FaultKind {
  /// The order with this number, counted from 0, in the order of time; nil past the last one.
  ///
  /// - Parameters:
  ///   - begin: When the fault begins.
  ///   - end: When it ends; nil while nothing ends it.
  func order(_ number: Int, begin: VirtualTime, end: VirtualTime?) -> (at: VirtualTime, FaultOrder)?
}

extension WorldFault {
  public var body: PlannedFault.Body { .world(self) }
}

/// What a ``WorldFault`` has the conductor do.
public enum FaultOrder: Sendable, Equatable {
  /// The radio link is cut.
  case cutLink
  /// This fault no longer cuts the link.
  case restoreLink
}

/// What every kind of fault says of itself.
public protocol FaultKind: Sendable, Equatable {
  /// The name in scenarios and traces.
  static var kind: String { get }
  /// The reference page.
  static var page: FaultPage { get }
  /// One ordinary instance, for the tests that every fault must pass and for the reference page.
  static var example: Self { get }
  /// Whether it can be narrowed to a direction and to channels.
  static var isSelective: Bool { get }
  /// Whether it can be narrowed to channels; false where only a direction makes sense.
  static var hasChannels: Bool { get }
  /// What it hits that cannot be narrowed, for messages.
  static var hits: String { get }
  /// Whether `for` says how long it lasts; false for what strikes once.
  static var lasts: Bool { get }
  /// One as the nemesis draws it: of a size that is met in reality, or that finds what breaks.
  static func draw(_ dice: inout FaultDice) -> Self
  /// Variants that are easier to explain, the easiest first: what a shrinker tries in its place.
  var simpler: [Self] { get }
  /// The fault as one of its family.
  var body: PlannedFault.Body { get }
  /// Reads the parameters: the value of the key named after the kind.
  ///
  /// - Parameter fault: The object around it, for kinds whose parameters stand beside their name.
  /// - Returns: Nil after reporting what is wrong.
  init?(_ value: JSONValueReader, in fault: JSONObjectReader)
  /// The parameters in plain numbers, under their names.
  var params: [JSONMember] { get }
  /// Kind and parameters as a scenario spells them, in plain numbers.
  var spelling: [JSONMember] { get }
}

extension FaultKind {
  public static var hits: String { "the whole link" }
  public static var hasChannels: Bool { isSelective }
  public static var lasts: Bool { true }
  public var simpler: [Self] { [] }
  public var spelling: [JSONMember] { [JSONMember(Self.kind, .object(params))] }
}

/// What a user reads about a kind of fault.
public struct FaultPage: Sendable, Equatable {
  /// What happens to the world, in a sentence.
  public var about: String
  /// How it is computed.
  public var formula: String
  /// What is met in reality, with its source.
  public var reality: String
  /// Its parameters.
  public var parameters: [Parameter]

  /// One parameter.
  public struct Parameter: Sendable, Equatable {
    public var name: String
    /// Unit and bounds.
    public var range: String
    /// What stands in when it is absent; nil where it must be given.
    public var standard: String?
    public var about: String

    /// Creates a parameter's line.
    public init(_ name: String, _ range: String, standard: String?, _ about: String) {
      self.name = name
      self.range = range
      self.standard = standard
      self.about = about
    }
  }

  /// Creates a page.
  public init(about: String, formula: String, reality: String, parameters: [Parameter]) {
    self.about = about
    self.formula = formula
    self.reality = reality
    self.parameters = parameters
  }
}
