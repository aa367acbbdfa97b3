/// The checkers of a judge, one after the other in memory.
///
/// A list of `any Checker` costs a call into the box of each checker and a test for its other owners, at each of about
/// forty calls for a second of a run: a tenth of a judged run. Copies share the memory until one of
/// them changes.
@safe struct CheckerStore: Sendable {
  private var memory: Memory

  /// Creates a checker of each kind for the trace that begins with `header`.
  init(_ kinds: [any Checker.Type], header: TraceHeader) { memory = Memory(kinds.map { $0.init(header: header) }) }

  /// Passes an event to the checkers with some indices, in that order.
  @inline(__always)
  mutating func observe(_ event: TypedEvent, line: Int, by indices: ArraySlice<Int>, into report: inout [Violation]) {
    ensureUnique()
    for index in indices {
      let place = memory.places[index]
      unsafe Self.observe(place.kind, memory.start + place.offset, event, line, &report)
    }
  }

  /// Passes a line that is earlier than one before it to all checkers.
  mutating func observeStepBack(
    _ event: TraceEvent, line: Int, from latest: VirtualTime, on latestLine: Int, into report: inout [Violation]
  ) {
    ensureUnique()
    for place in memory.places {
      unsafe Self.observeStepBack(place.kind, memory.start + place.offset, event, line, latest, latestLine, &report)
    }
  }

  /// Lets all checkers judge what remains at the end of the trace.
  mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {
    ensureUnique()
    for place in memory.places { unsafe Self.finish(place.kind, memory.start + place.offset, ending, &report) }
  }

  @inline(__always)
  private mutating func ensureUnique() {
    if !isKnownUniquelyReferenced(&memory) { memory = Memory(memory.checkers) }
  }

  // MARK: Calls of a checker whose kind is known from here on

  @inline(__always)
  private static func observe<Kind: Checker>(
    _ kind: Kind.Type, _ address: UnsafeMutableRawPointer, _ event: TypedEvent, _ line: Int,
    _ report: inout [Violation]
  ) {
    unsafe address.assumingMemoryBound(to: kind).pointee.observe(event, line: line, into: &report)
  }

  private static func observeStepBack<Kind: Checker>(
    _ kind: Kind.Type, _ address: UnsafeMutableRawPointer, _ event: TraceEvent, _ line: Int, _ latest: VirtualTime,
    _ latestLine: Int, _ report: inout [Violation]
  ) {
    unsafe address.assumingMemoryBound(to: kind).pointee
      .observeStepBack(event, line: line, from: latest, on: latestLine, into: &report)
  }

  private static func finish<Kind: Checker>(
    _ kind: Kind.Type, _ address: UnsafeMutableRawPointer, _ ending: TraceEnding, _ report: inout [Violation]
  ) {
    unsafe address.assumingMemoryBound(to: kind).pointee.finish(ending, into: &report)
  }

  // MARK: Memory

  /// Where a checker is.
  private struct Place {
    let kind: any Checker.Type
    /// In bytes from the start.
    let offset: Int
  }

  /// Memory with checkers, which it owns.
  ///
  /// A store changes the checkers only while it is the memory's only owner.
  @safe private final class Memory: @unchecked Sendable {
    let places: [Place]
    let start: UnsafeMutableRawPointer

    init(_ checkers: [any Checker]) {
      var places: [Place] = []
      var (end, alignment) = (0, 1)
      for checker in checkers { Self.add(checker, to: &places, &end, &alignment) }
      self.places = places
      unsafe start = .allocate(byteCount: max(end, 1), alignment: alignment)
      for (place, checker) in zip(places, checkers) { unsafe Self.write(checker, start + place.offset) }
    }

    deinit {
      for place in places { unsafe Self.destroy(place.kind, start + place.offset) }
      unsafe start.deallocate()
    }

    /// Copies of the checkers.
    var checkers: [any Checker] {
      places.map { place in unsafe Self.read(place.kind, start + place.offset) }
    }

    private static func add<Kind: Checker>(
      _ checker: Kind, to places: inout [Place], _ end: inout Int, _ alignment: inout Int
    ) {
      let own = MemoryLayout<Kind>.alignment
      let offset = (end + own - 1) / own * own
      places.append(Place(kind: Kind.self, offset: offset))
      end = offset + MemoryLayout<Kind>.size
      alignment = max(alignment, own)
    }

    private static func write<Kind: Checker>(_ checker: Kind, _ address: UnsafeMutableRawPointer) {
      unsafe address.initializeMemory(as: Kind.self, to: checker)
    }

    private static func read<Kind: Checker>(_ kind: Kind.Type, _ address: UnsafeMutableRawPointer) -> any Checker {
      unsafe address.assumingMemoryBound(to: kind).pointee
    }

    private static func destroy<Kind: Checker>(_ kind: Kind.Type, _ address: UnsafeMutableRawPointer) {
      unsafe address.assumingMemoryBound(to: kind).deinitialize(count: 1)
    }
  }
}
