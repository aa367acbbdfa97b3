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
    /// The kind's place in the set.
    let index: Int
  }

  /// What the memory of all checkers together is aligned to, in bytes.
  static let alignment = 64

  let kinds: [any Checker.Type]
  let plans: [CheckerPlan]
  /// Where a judge's checkers stand among each other, in bytes.
  let offsets: [Int]
  /// How much room they take together, in bytes.
  let byteCount: Int
  /// Those that listen to a name, in the order of the kinds; one name's after the other's.
  let listeners: [Listener]
  private let names: NameTable
  /// The part of the order that belongs to a name, by the name's place in the table.
  private let parts: [Range<Int>]

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
    var order: [Listener] = []
    var parts: [Range<Int>] = []
    for indices in listeners {
      parts.append(order.count..<order.count + indices.count)
      for index in indices {
        order.append(
          unsafe Listener(plan: Unmanaged.passUnretained(plans[index]), offset: offsets[index], index: index))
      }
    }
    self.names = NameTable(names)
    self.listeners = order
    self.parts = parts
  }

  /// The part of the listeners with those that listen to a name, given by its code; nil for a name that nobody listens to.
  @inline(__always)
  func listeners(of code: UInt64) -> Range<Int>? { names.place(of: code).map { parts[$0] } }
}

/// Finds a name's place by its code: open addressing over a power of two, at most half full.
private struct NameTable: Sendable {
  private var codes: [UInt64]
  private var places: [Int]
  private let mask: Int

  init(_ names: [TraceEvent.Name]) {
    var size = 16
    while size < names.count * 4 { size *= 2 }
    mask = size - 1
    codes = Array(repeating: 0, count: size)
    places = Array(repeating: -1, count: size)
    for (place, name) in names.enumerated() {
      var slot = Int(truncatingIfNeeded: name.code ^ name.code >> 32) & mask
      while places[slot] >= 0 { slot = (slot + 1) & mask }
      codes[slot] = name.code
      places[slot] = place
    }
  }

  @inline(__always)
  func place(of code: UInt64) -> Int? {
    var slot = Int(truncatingIfNeeded: code ^ code >> 32) & mask
    while places[slot] >= 0 {
      if codes[slot] == code { return places[slot] }
      slot = (slot + 1) & mask
    }
    return nil
  }
}
