/// Kinds of checkers, and which of them listen to which events.
///
/// Laid out once for all the runs of a process: a short run takes little longer than that.
public struct CheckerSet: Sendable {
  let kinds: [any Checker.Type]
  /// The places of the kinds that listen to a name, in the order of the kinds; one name's after the other's.
  let order: [Int]
  private let names: NameTable
  /// The part of the order that belongs to a name, by the name's place in the table.
  private let parts: [Range<Int>]

  /// Lays out kinds, which are asked in their order.
  public init(_ kinds: [any Checker.Type]) {
    self.kinds = kinds
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
    var order: [Int] = []
    var parts: [Range<Int>] = []
    for indices in listeners {
      parts.append(order.count..<order.count + indices.count)
      order += indices
    }
    self.names = NameTable(names)
    self.order = order
    self.parts = parts
  }

  /// The part of the order with those that listen to a name, given by its code; nil for a name that nobody listens to.
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
