/// A checker at a place of its own, which handing it an event does not move or copy.
///
/// A run has tens of thousands of events, most of which concern ten checkers. Held as `any Checker`, each would be
/// asked at each of them whether its storage is shared with another copy of the judge; ``CheckerBoxes`` asks once an
/// event for all of them.
@safe class CheckerBox {
  func observe(_ event: TraceEvent, line: Int, into report: inout [Violation]) {}
  func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
  func copy() -> CheckerBox { self }

  /// A box with a new checker of a kind.
  static func make(_ kind: any Checker.Type, header: TraceHeader) -> CheckerBox { open(kind, header) }

  private static func open<Kind: Checker>(_ kind: Kind.Type, _ header: TraceHeader) -> CheckerBox {
    TypedCheckerBox(Kind(header: header))
  }
}

@safe private final class TypedCheckerBox<Kind: Checker>: CheckerBox {
  private let place: UnsafeMutablePointer<Kind>

  init(_ checker: Kind) {
    unsafe place = UnsafeMutablePointer.allocate(capacity: 1)
    unsafe place.initialize(to: checker)
  }

  deinit {
    unsafe place.deinitialize(count: 1)
    unsafe place.deallocate()
  }

  override func observe(_ event: TraceEvent, line: Int, into report: inout [Violation]) {
    unsafe place.pointee.observe(event, line: line, into: &report)
  }

  override func finish(_ ending: TraceEnding, into report: inout [Violation]) {
    unsafe place.pointee.finish(ending, into: &report)
  }

  override func copy() -> CheckerBox { unsafe TypedCheckerBox(place.pointee) }
}

/// The checkers of one judge; shared between copies of it until one of them is handed an event.
@safe final class CheckerBoxes: @unchecked Sendable {
  // Sendable although it is changed in place: only the one judge that holds it alone changes it.
  private let boxes: [CheckerBox]
  /// The same ones, to be called without being counted as held.
  private let places: [Unmanaged<CheckerBox>]

  convenience init(_ kinds: [any Checker.Type], header: TraceHeader) {
    self.init(kinds.map { CheckerBox.make($0, header: header) })
  }

  private init(_ boxes: [CheckerBox]) {
    self.boxes = boxes
    unsafe places = boxes.map { unsafe Unmanaged.passUnretained($0) }
  }

  func copy() -> CheckerBoxes { CheckerBoxes(boxes.map { $0.copy() }) }

  @inline(__always)
  func observe(_ event: TraceEvent, line: Int, by index: Int, into report: inout [Violation]) {
    unsafe places[index]._withUnsafeGuaranteedRef { $0.observe(event, line: line, into: &report) }
  }

  func finish(_ ending: TraceEnding, by index: Int, into report: inout [Violation]) {
    boxes[index].finish(ending, into: &report)
  }
}
