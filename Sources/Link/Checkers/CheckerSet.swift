/// Kinds of checkers, and which of them listen to which events.
///
/// Laid out once for all the runs of a process: a short run takes little longer than that.
@safe public struct CheckerSet: Sendable {
  /// A kind that listens to a name.
  @safe struct Listener: Sendable {
    /// Held by the set, and so not counted as held here.
    let plan: Unmanaged<CheckerPlan>
    /// Where a judge's checker of the kind stands among its checkers, in bytes.
    let offset: Int
    /// The kind's bit among those at rest; 0 for a kind that never rests.
    let restBit: UInt64
  }

  /// Those who listen to the lines of a code.
  @safe struct Group {
    /// All of them; who may rest from such lines stands behind the others.
    var all = unsafe UnsafeBufferPointer<Listener>(start: nil, count: 0)
    /// All but those; enough while they are all at rest.
    var awake = unsafe UnsafeBufferPointer<Listener>(start: nil, count: 0)
    /// Those, a bit each.
    var resters: UInt64 = 0
    /// Whether one of the others may come to rest with such a line, or be at rest no more.
    var mayTurn = false
    /// The places whose lines are handed over; none for a code that is not known.
    var writers: TraceEvent.Writers = []
  }

  /// What the memory of all checkers together is aligned to, in bytes.
  static let alignment = 64

  let kinds: [any Checker.Type]
  let plans: [CheckerPlan]
  /// Where a judge's checkers stand among each other, in bytes.
  let offsets: [Int]
  /// How much room they take together, in bytes.
  let byteCount: Int
  /// The kind of message that some pass over; nil where nobody does.
  let passedKind: String?
  /// Who listens to which name.
  private let table: ListenerTable

  /// Lays out kinds, which are asked in their order.
  public init(_ kinds: [any Checker.Type]) {
    self.kinds = kinds
    plans = kinds.map { $0.plan }
    var offsets: [Int] = []
    var byteCount = 0
    for plan in plans {
      precondition(plan.alignment <= Self.alignment, "a checker's place is aligned to at most \(Self.alignment)")
      byteCount = (byteCount + plan.alignment - 1) / plan.alignment * plan.alignment
      offsets.append(byteCount)
      byteCount += plan.size
    }
    self.offsets = offsets
    self.byteCount = byteCount
    var names: [TraceEvent.Name] = []
    var listeners: [[Int]] = []
    for (index, kind) in kinds.enumerated() {
      for name in kind.interests {
        if let place = names.firstIndex(of: name) {
          listeners[place].append(index)
        } else {
          names.append(name)
          listeners.append([index])
        }
      }
    }
    // Known to the table, so that a line from the wrong place is found whether or not anyone listens to its name.
    for name in TraceEvent.Name.reservedNames where !names.contains(name) {
      names.append(name)
      listeners.append([])
    }
    /// Adds who listens to a sort of the lines of a name.
    func add(_ code: UInt64, of name: TraceEvent.Name, where listens: (any Checker.Type) -> Bool) {
      guard let place = names.firstIndex(of: name) else { return }
      let sort = TraceEvent.Name(name.text, code: code)
      precondition(!names.contains(sort), "a name has the code of a sort of line")
      names.append(sort)
      listeners.append(listeners[place].filter { listens(kinds[$0]) })
    }
    for sort in FrameSort.allCases {
      add(LineSorter.code(sent: sort), of: .frameSent) { $0.frameSorts?.contains(sort) ?? true }
    }
    add(LineSorter.deliveredPlain, of: "frame.delivered") { $0.frameSorts?.contains(.plain) ?? true }
    let passedKind = kinds.lazy.compactMap { $0.passedKind }.first
    self.passedKind = passedKind
    precondition(kinds.allSatisfy { $0.passedKind == nil || $0.passedKind == passedKind }, "one kind is passed over")
    add(LineSorter.receivedPassed, of: "message.received") { $0.passedKind == nil }
    let plans = plans
    let restful = kinds.indices.filter { !kinds[$0].restsFrom.isEmpty }
    precondition(restful.count <= 64, "who is at rest is said by a bit each")
    let all = kinds.indices.map { index in
      unsafe Listener(
        plan: Unmanaged.passUnretained(plans[index]), offset: offsets[index],
        restBit: restful.firstIndex(of: index).map { 1 << UInt64($0) } ?? 0)
    }
    table = ListenerTable(
      zip(names, listeners).map { name, indices in
        // A sort of line has its name's text.
        let rests = { (index: Int) in kinds[index].restsFrom.contains { $0.text == name.text } }
        return ListenerTable.Entry(
          code: name.code, writers: TraceEvent.Name(name.text).writers,
          awake: indices.filter { !rests($0) }.map { all[$0] },
          resters: indices.filter(rests).map { all[$0] })
      })
  }

  /// Those that listen to the lines of a code: in the order of the kinds, behind them those who may rest in theirs.
  @inline(__always)
  func listeners(of code: UInt64) -> Group { table.listeners(of: code) }
}

/// Finds those who listen to a name by its code: open addressing over a power of two, at most half full.
///
/// In memory of its own that never changes: each event of each run is looked up here, and each listener read.
@safe private final class ListenerTable: @unchecked Sendable {
  /// What is looked up.
  struct Entry {
    let code: UInt64
    let writers: TraceEvent.Writers
    let awake: [CheckerSet.Listener]
    let resters: [CheckerSet.Listener]
  }

  /// A code's place; one that is free has no writers.
  private struct Slot {
    var code: UInt64 = 0
    var group = CheckerSet.Group()
  }

  private let slots: UnsafeMutablePointer<Slot>
  private let listeners: UnsafeMutablePointer<CheckerSet.Listener>
  private let mask: Int

  init(_ entries: [Entry]) {
    var size = 16
    while size < entries.count * 4 { size *= 2 }
    mask = size - 1
    unsafe slots = .allocate(capacity: size)
    unsafe slots.initialize(repeating: Slot(), count: size)
    unsafe listeners = .allocate(capacity: max(1, entries.reduce(0) { $0 + $1.awake.count + $1.resters.count }))
    var count = 0
    for entry in entries {
      let first = unsafe listeners + count
      for listener in entry.awake + entry.resters {
        unsafe (listeners + count).initialize(to: listener)
        count += 1
      }
      var place = Int(truncatingIfNeeded: entry.code ^ entry.code >> 32) & mask
      while unsafe !slots[place].group.writers.isEmpty { place = (place + 1) & mask }
      unsafe slots[place].code = entry.code
      unsafe slots[place].group = CheckerSet.Group(
        all: UnsafeBufferPointer(start: first, count: entry.awake.count + entry.resters.count),
        awake: UnsafeBufferPointer(start: first, count: entry.awake.count),
        resters: entry.resters.reduce(0) { $0 | $1.restBit }, mayTurn: entry.awake.contains { $0.restBit != 0 },
        writers: entry.writers)
    }
  }

  deinit {
    unsafe slots.deallocate()
    unsafe listeners.deallocate()
  }

  @inline(__always)
  func listeners(of code: UInt64) -> CheckerSet.Group {
    var place = Int(truncatingIfNeeded: code ^ code >> 32) & mask
    while unsafe !slots[place].group.writers.isEmpty {
      if unsafe slots[place].code == code { return unsafe slots[place].group }
      place = (place + 1) & mask
    }
    return CheckerSet.Group()
  }
}
