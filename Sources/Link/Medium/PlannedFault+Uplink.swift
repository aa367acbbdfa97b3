extension FaultPlan {
  /// Reads a fault of the phone-edge link: `{ at, for, direction, uplink: { loss: { probability: 0.2 } } }`.
  ///
  /// - Returns: Nil after reporting an error.
  static func readUplink(_ reader: JSONObjectReader) -> PlannedFault? {
    let id = reader.string("id")
    let at = reader.duration("at") ?? .zero
    let length = reader.duration("for")
    let direction = reader.oneOf("direction", Direction.ofUplink.map { ($0.text, $0) })
    if let channels = reader.value("channels") {
      channels.error("found channels beside uplink, expected none: an uplink carries only \(Channel.http.text)")
    }
    let others = FaultCatalog.all.filter { reader.has($0.kind) }.map { $0.kind }
    reader.allow(others)
    if let other = others.first {
      reader.error(
        "more than one kind of fault: \(other) is beside uplink, expected it inside uplink or in another fault")
    }
    let found = reader.object("uplink") { readBody($0) }
    reader.finish()
    guard let (type, body) = found else { return nil }
    if !type.isSelective, direction != nil {
      reader.error("\(type.kind) affects \(type.hits); direction does not apply (loss with probability 1 does)")
    }
    return PlannedFault(
      id: id, begin: .start + at, end: length.map { .start + at + $0 }, direction: direction, onUplink: true, body)
  }

  private static func readBody(_ reader: JSONObjectReader) -> (any FaultKind.Type, PlannedFault.Body)? {
    let kinds = FaultCatalog.ofUplink
    reader.allow(kinds.map { $0.kind })
    let present = kinds.filter { reader.has($0.kind) }
    guard let type = present.first, present.count == 1, let value = reader.value(type.kind) else {
      let names = kinds.map { $0.kind }.joined(separator: ", ")
      let ofDevice = FaultCatalog.nodeFaults.first { reader.has($0.kind) }.map { $0.kind }
      if let ofDevice {
        reader.allow([ofDevice])
        reader.error("\(ofDevice) is a fault of a device, expected one of \(names)")
      } else {
        reader.error(present.isEmpty ? "no kind of fault; expected one of \(names)" : "more than one kind of fault")
      }
      return nil
    }
    if let frame = type as? any FrameFault.Type { return make(frame, value, reader).map { (type, .frame($0)) } }
    if let world = type as? any WorldFault.Type { return make(world, value, reader).map { (type, .world($0)) } }
    preconditionFailure("\(type.kind) is a fault of a link")
  }
}
