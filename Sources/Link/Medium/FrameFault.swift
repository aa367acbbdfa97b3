/// A fault of the medium that affects frames.
///
/// A frame passes the medium's stages in a fixed order, and within a stage the active faults in plan order. A fault
/// implements the method of its stage; the others do nothing. Loss and corruption are decided once for each frame,
/// before copies exist; a delay is drawn for every copy.
///
/// To add one: a file in `Faults/`, or in `Quirks/` for a flaw of the real framework, and a line in ``FaultCatalog``.
public protocol FrameFault: FaultKind {
  /// Stage 3: limits the queue that the frame has to pass.
  func narrow(_ limit: inout Bandwidth)
  /// Stage 4: returns the cause if the frame is lost; nil if it is not.
  mutating func lose(_ passage: Passage) -> DropCause?
  /// Stage 5: whether the frame arrives with a flipped bit.
  mutating func corrupts(_ passage: Passage) -> Bool
  /// Whether ``observe(_:)`` must be called.
  static var observes: Bool { get }
  /// After stage 5: sees a frame that the earlier stages and other faults neither lost nor corrupted.
  mutating func observe(_ passage: Passage)
  /// Stage 6: the delay of copy number `copy`, in nanoseconds, at least 0.
  func delay(_ passage: Passage, copy: Int) -> Int64
  /// Stage 7: how long the frame is held back while later ones pass, in nanoseconds; 0 for none.
  func holdBack(_ passage: Passage) -> Int64
  /// Stage 8: how many additional copies are made.
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

/// A fault of the world: timed orders to the owner of the link and the nodes.
public protocol WorldFault: FaultKind {
  /// The order with this number, from 0, in the order of time; nil past the last one.
  ///
  /// - Parameters:
  ///   - number: The index of the order, from 0.
  ///   - begin: When the fault begins.
  ///   - end: When it ends; nil if nothing ends it.
  func order(_ number: Int, begin: VirtualTime, end: VirtualTime?) -> (at: VirtualTime, FaultOrder)?
}

extension WorldFault {
  public var body: PlannedFault.Body { .world(self) }
}

/// An order of a ``WorldFault`` to the conductor.
public enum FaultOrder: Sendable, Equatable {
  /// The radio link is cut.
  case cutLink
  /// This fault no longer cuts the link.
  case restoreLink
}

/// A frame passing a stage of the medium, as a fault sees it: header fields, never the payload.
public struct Passage: Sendable {
  /// The key of draws about this frame.
  public var key: UInt64
  public var kind: Frame.Kind
  public var channel: Channel
  public var direction: Direction
  /// The length of header and payload, in bytes.
  public var wireBytes: Int
  /// When it passes.
  public var at: VirtualTime
  /// When the fault began.
  public var since: VirtualTime
  /// The fault's own stream.
  public var random: RandomStream
}

/// A byte-limited queue, first in, first out.
public struct Bandwidth: Sendable, Equatable {
  /// Bytes per second; nil for no limit.
  public var bytesPerSecond: Int64?
  /// How many bytes may wait.
  public var queueBytes: Int64
}

/// Why a copy of a frame did not arrive: the `cause` of `frame.dropped`.
public struct DropCause: Sendable, Hashable {
  /// The name in the trace.
  public let text: String
  /// Creates a cause; the cause of a quirk has the quirk's name.
  public init(_ text: String) { self.text = text }

  public static let loss = Self("loss")
  public static let disconnected = Self("disconnected")
  public static let corrupt = Self("corrupt")
  public static let overflow = Self("overflow")
  public static let nodeDown = Self("nodeDown")
  public static let suspended = Self("suspended")
}
