import Link

/// The runner's lines about nodes, as the coach's checkers read them.
enum NodeLines {
  static let interests: [TraceEvent.Name] = [
    "node.started", "node.killed", "node.failed", "node.suspended", "node.resumed",
  ]

  /// Whether the phone runs after this line; nil for a line that says nothing of it.
  static func isPhoneUp(after event: TraceEvent) -> Bool? { isUp(.phone, after: event) }

  /// Whether a node runs after this line; nil for a line that says nothing of it.
  static func isUp(_ place: TraceEvent.Place, after event: TraceEvent) -> Bool? {
    guard event["target"]?.text == place.text else { return nil }
    switch event.name.code {
    case TraceEvent.Name.Code.nodeStarted, TraceEvent.Name.Code.nodeResumed: return true
    case TraceEvent.Name.Code.nodeKilled, TraceEvent.Name.Code.nodeFailed, TraceEvent.Name.Code.nodeSuspended:
      return false
    default: return nil
    }
  }
}

extension TraceEvent {
  /// The text under a key that usually stands last; nil for none.
  func lastText(_ key: String) -> String? {
    if let last = fields.last, last.key == key { return last.value.text }
    return fields.last { $0.key == key }?.value.text
  }

  /// Whether a text stands under a key, which usually stands last: asked without taking the text out.
  @inline(__always)
  func lastSays(_ key: String, _ text: String) -> Bool {
    let place = fields.count - 1
    guard place >= 0, fields[place].key.isIdentical(to: key), case .string(let value) = fields[place].value else {
      return searchedSays(key, text)
    }
    return value.isIdentical(to: text) || value == text
  }

  @inline(never)
  private func searchedSays(_ key: String, _ text: String) -> Bool { lastText(key) == text }

  /// Whether a snapshot says that its workout ended; the state usually stands last.
  @inline(__always)
  var saysEnded: Bool {
    // Nearly all say that it runs, which is told by their bits.
    if let last = fields.last, last.key.isIdentical(to: "state"), case .string(let text) = last.value,
      text.isIdentical(to: "running")
    {
      return false
    }
    return lastSays("state", "ended")
  }
}
