package import Link

/// A hash of everything that determines the rest of a run: nodes with their stores, links, sessions, future commands.
///
/// It reads values with `Mirror`, so that machines need no code for it, and new properties are included automatically.
/// Values that it cannot read are hashed by their bytes: references then always differ, which can make equal states
/// look different, but never different states equal.
struct StateHash {
  private(set) var value: UInt64

  /// Properties without state of the run: how to build a node, where its store is, the host's own data.
  private static let skipped: Set<String> = ["build", "kept", "journal"]
  /// Deeper values are hashed by their bytes.
  private static let depthMax = 60

  init(_ values: [Any]) {
    var hasher = Hasher()
    for value in values { Self.add(value, to: &hasher, depth: 0) }
    value = UInt64(bitPattern: Int64(hasher.finalize()))
  }

  private static func add(_ value: Any, to hasher: inout Hasher, depth: Int) {
    if let text = value as? String { return hasher.combine(text) }
    let mirror = Mirror(reflecting: value)
    guard depth < depthMax else { return addBytes(of: value, to: &hasher) }
    switch mirror.displayStyle {
    case .set, .dictionary:
      // Their order differs from run to run.
      var sum = 0
      for child in mirror.children {
        var own = Hasher()
        add(child.value, to: &own, depth: depth + 1)
        sum &+= own.finalize()
      }
      hasher.combine(mirror.children.count)
      hasher.combine(sum)
      return
    case .collection, .optional: hasher.combine(mirror.children.count)
    case .enum: if let name = mirror.children.first?.label { hasher.combine(name) }
    default: break
    }
    var isLeaf = true
    for child in mirror.children {
      isLeaf = false
      if let label = child.label, skipped.contains(label) { continue }
      add(child.value, to: &hasher, depth: depth + 1)
    }
    guard isLeaf, mirror.displayStyle != .collection, mirror.displayStyle != .optional else { return }
    addBytes(of: value, to: &hasher)
  }

  private static func addBytes(of value: Any, to hasher: inout Hasher) {
    func open<Value>(_ value: Value) {
      unsafe withUnsafeBytes(of: value) { unsafe hasher.combine(bytes: $0) }
    }
    open(value)
  }
}

/// Updates the hash of a run's state before an instant.
package final class StateProbe {
  /// The state before everything at this instant or later.
  let at: VirtualTime
  /// Nil until the run reaches the instant.
  package private(set) var hash: UInt64?

  package init(at: VirtualTime) { self.at = at }

  /// Updates the hash.
  func update(_ values: [Any]) { hash = StateHash(values).value }
}
