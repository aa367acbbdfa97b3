/// How a judge holds a kind of checker and hands it events, without knowing the kind.
///
/// A run has thousands of events, most of which concern ten checkers. Asked as `any Checker`, each would be looked up,
/// and its storage asked whether another copy of the judge shares it, at every event. Here each kind says once, in its
/// own terms, how one of its checkers is made and called at a place in memory that the judge has for it.
@safe public final class CheckerPlan: Sendable {
  /// How much room a checker takes, in bytes.
  let size: Int
  /// What its place must be divisible by.
  let alignment: Int
  let create: @Sendable (UnsafeMutableRawPointer, TraceHeader) -> Void
  let observe: @Sendable (UnsafeMutableRawPointer, TraceEvent, Int, inout [Violation]) -> Void
  let isAtRest: @Sendable (UnsafeMutableRawPointer) -> Bool
  let takeStepBack: @Sendable (UnsafeMutableRawPointer, TraceEvent, Int, VirtualTime, Int, inout [Violation]) -> Void
  let finish: @Sendable (UnsafeMutableRawPointer, TraceEnding, inout [Violation]) -> Void
  let copy: @Sendable (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void
  let destroy: @Sendable (UnsafeMutableRawPointer) -> Void

  @usableFromInline init(
    size: Int, alignment: Int, create: @escaping @Sendable (UnsafeMutableRawPointer, TraceHeader) -> Void,
    observe: @escaping @Sendable (UnsafeMutableRawPointer, TraceEvent, Int, inout [Violation]) -> Void,
    isAtRest: @escaping @Sendable (UnsafeMutableRawPointer) -> Bool,
    takeStepBack:
      @escaping @Sendable (
        UnsafeMutableRawPointer, TraceEvent, Int, VirtualTime, Int, inout [Violation]
      ) -> Void,
    finish: @escaping @Sendable (UnsafeMutableRawPointer, TraceEnding, inout [Violation]) -> Void,
    copy: @escaping @Sendable (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void,
    destroy: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
  ) {
    self.size = size
    self.alignment = alignment
    unsafe self.create = create
    unsafe self.observe = observe
    unsafe self.isAtRest = isAtRest
    unsafe self.takeStepBack = takeStepBack
    unsafe self.finish = finish
    unsafe self.copy = copy
    unsafe self.destroy = destroy
  }
}

extension Checker {
  /// How a judge holds checkers of this kind.
  ///
  /// A requirement with this one answer, and not only an extension: so it is compiled once for each kind, with the
  /// kind's own code in it.
  @inlinable public static var plan: CheckerPlan {
    unsafe CheckerPlan(
      size: MemoryLayout<Self>.size, alignment: MemoryLayout<Self>.alignment,
      create: { unsafe $0.bindMemory(to: Self.self, capacity: 1).initialize(to: Self(header: $1)) },
      observe: { unsafe $0.assumingMemoryBound(to: Self.self).pointee.observe($1, line: $2, into: &$3) },
      isAtRest: { unsafe $0.assumingMemoryBound(to: Self.self).pointee.isAtRest },
      takeStepBack: {
        unsafe $0.assumingMemoryBound(to: Self.self).pointee.takeStepBack(
          $1, line: $2, from: $3, on: $4, into: &$5)
      },
      finish: { unsafe $0.assumingMemoryBound(to: Self.self).pointee.finish($1, into: &$2) },
      copy: {
        unsafe $1.bindMemory(to: Self.self, capacity: 1).initialize(
          to: $0.assumingMemoryBound(to: Self.self).pointee)
      },
      destroy: { _ = unsafe $0.assumingMemoryBound(to: Self.self).deinitialize(count: 1) })
  }
}

/// The checkers of one judge, one after the other in memory; shared between copies of the judge until one of them is
/// handed an event.
@safe final class CheckerBoxes: @unchecked Sendable {
  // Sendable although it is changed in place: only the one judge that holds it alone changes it.
  private let set: CheckerSet
  private let memory: UnsafeMutableRawPointer
  /// Who is at rest, a bit each kind.
  private var resting: UInt64 = 0

  /// Creates a checker of each kind for the trace that begins with `header`.
  init(_ set: CheckerSet, header: TraceHeader) {
    self.set = set
    unsafe memory = Self.room(for: set)
    for (plan, offset) in zip(set.plans, set.offsets) { unsafe plan.create(memory + offset, header) }
  }

  private init(copying other: CheckerBoxes) {
    set = other.set
    resting = other.resting
    unsafe memory = Self.room(for: set)
    for (plan, offset) in zip(set.plans, set.offsets) { unsafe plan.copy(other.memory + offset, memory + offset) }
  }

  deinit {
    for (plan, offset) in zip(set.plans, set.offsets) { unsafe plan.destroy(memory + offset) }
    unsafe memory.deallocate()
  }

  private static func room(for set: CheckerSet) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer.allocate(byteCount: max(1, set.byteCount), alignment: CheckerSet.alignment)
  }

  func copy() -> CheckerBoxes { CheckerBoxes(copying: self) }

  /// Hands an event to those who listen to it, but those who rest from it.
  @inline(__always)
  func observe(
    _ event: TraceEvent, line: Int, by group: CheckerSet.Group, into report: inout [Violation]
  ) {
    let isResting = group.resters & ~resting == 0
    let listeners = unsafe isResting ? group.awake : group.all
    for place in listeners.indices {
      let listener = unsafe listeners[place]
      unsafe listener.plan._withUnsafeGuaranteedRef {
        unsafe $0.observe(memory + listener.offset, event, line, &report)
      }
    }
    if !isResting || group.mayTurn { unsafe noteResting(of: listeners) }
  }

  /// Notes who of those that were handed an event is at rest now.
  @inline(never)
  private func noteResting(of listeners: UnsafeBufferPointer<CheckerSet.Listener>) {
    for place in listeners.indices {
      let listener = unsafe listeners[place]
      guard listener.restBit != 0 else { continue }
      let isAtRest = unsafe listener.plan._withUnsafeGuaranteedRef { unsafe $0.isAtRest(memory + listener.offset) }
      resting = isAtRest ? resting | listener.restBit : resting & ~listener.restBit
    }
  }

  /// Hands all checkers an event that is earlier than one before it.
  func takeStepBack(
    _ event: TraceEvent, line: Int, from latest: VirtualTime, on latestLine: Int, into report: inout [Violation]
  ) {
    for (plan, offset) in zip(set.plans, set.offsets) {
      unsafe plan.takeStepBack(memory + offset, event, line, latest, latestLine, &report)
    }
  }

  func finish(_ ending: TraceEnding, by index: Int, into report: inout [Violation]) {
    unsafe set.plans[index].finish(memory + set.offsets[index], ending, &report)
  }
}
