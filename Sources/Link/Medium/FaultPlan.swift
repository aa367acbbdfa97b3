/// Reads the `faults` of a scenario.
public enum FaultPlan {
  /// Reads the list; invalid faults are reported and left out.
  ///
  /// Faults with equal content get different ids, by their order.
  ///
  /// - Parameters:
  ///   - list: The elements of the array.
  ///   - points: The available crash points.
  ///   - hasUplink: Whether there is an uplink.
  ///   - end: The end of the run, for a warning about faults that begin then or later; nil if unknown.
  public static func read(
    _ list: [JSONValueReader], points: [CrashPoint] = CrashPoint.session, hasUplink: Bool = true,
    end: VirtualTime? = nil
  ) -> [PlannedFault] {
    var plan: [PlannedFault] = []
    for element in list {
      guard let reader = element.object() else { continue }
      guard var fault = read(reader, points, hasUplink) else { continue }
      let name = fault.id
      var count = 1
      while plan.contains(where: { $0.id == fault.id }) {
        count += 1
        fault.id = "\(name)-x\(count)"
      }
      if let end, fault.begin >= end {
        reader.warning(
          "begins after the end of the run, which is at \(end.durationText) at the latest: it never happens")
      }
      if count > 1, reader.has("id") { reader.error("a second fault with the id \"\(name)\"") }
      plan.append(fault)
    }
    return plan
  }

  private static func read(
    _ reader: JSONObjectReader, _ points: [CrashPoint], _ hasUplink: Bool
  ) -> PlannedFault? {
    let isOnUplink = reader.has("uplink")
    if isOnUplink, !hasUplink {
      reader.error("found a fault of the uplink in a scenario without one, expected the key uplink or edge")
    }
    defer { reader.finish() }
    let target = FaultTarget.schema(isOnUplink: isOnUplink).read(reader)
    let body = isOnUplink ? reader.object("uplink") { readBody($0, of: FaultCatalog.ofUplink, points) } : nil
    if isOnUplink { refuseOthers(reader) }
    guard let body = isOnUplink ? body : readBody(reader, of: FaultCatalog.all, points), let target else { return nil }
    let type = type(of: body.fault)
    if !type.isSelective, target.direction != nil || target.channels != nil {
      let keys = isOnUplink ? "direction does" : "direction and channels do"
      reader.error("\(type.kind) affects \(type.hits); \(keys) not apply (loss with probability 1 does)")
    } else if !type.hasChannels, target.channels != nil {
      reader.error("\(type.kind) affects \(type.hits); channels do not apply")
    }
    return PlannedFault(
      id: target.id, begin: .start + target.at, end: target.length.map { .start + target.at + $0 },
      direction: target.direction, channels: target.channels, onUplink: isOnUplink, body)
  }

  /// Reports what may not be beside the key `uplink`.
  private static func refuseOthers(_ reader: JSONObjectReader) {
    if let channels = reader.value("channels") {
      channels.error("found channels beside uplink, expected none: an uplink carries only \(Channel.http.text)")
    }
    let others = FaultCatalog.all.map { $0.kind }.filter { reader.has($0) }
    reader.allow(others)
    guard let other = others.first else { return }
    reader.error(
      "more than one kind of fault: \(other) is beside uplink, expected it inside uplink or in another fault")
  }

  /// Reads the one kind of fault in an object; nil after reporting an error.
  private static func readBody(
    _ reader: JSONObjectReader, of kinds: [any FaultKind.Type], _ points: [CrashPoint]
  ) -> PlannedFault.Body? {
    let present = kinds.filter { reader.has($0.kind) }
    if let type = present.first, present.count == 1 {
      return reader.value(type.kind).flatMap { type.readBody($0, in: reader, points: points) }
    }
    reader.allow(kinds.map { $0.kind })
    let names = kinds.map { $0.kind }.joined(separator: ", ")
    // A fault of a device inside `uplink`.
    if present.isEmpty, let other = FaultCatalog.nodeFaults.first(where: { reader.has($0.kind) }) {
      reader.allow([other.kind])
      reader.error("\(other.kind) is a fault of a device, expected one of \(names)")
    } else {
      reader.error(present.isEmpty ? "no kind of fault; expected one of \(names)" : "more than one kind of fault")
    }
    return nil
  }
}

extension FaultPlan {
  /// The elements of `faults` as data.
  ///
  /// - Parameter points: The available crash points.
  public static func description(points: [CrashPoint]) -> ValueDescription {
    let ofLink = FaultCatalog.all.map { kind in
      let own = kind.description(points: points)
      let refused = (kind.isSelective ? [] : ["direction"]) + (kind.hasChannels ? [] : ["channels"])
      let target = FaultTarget.schema(isOnUplink: false).description.fields.filter { !refused.contains($0.name) }
      return ValueDescription.object(element(kind, "fault.\(kind.kind)", target, own))
    }
    let ofUplink = FaultCatalog.ofUplink.map { kind in
      ValueDescription.object(element(kind, "uplink.\(kind.kind)", [], kind.description()))
    }
    var target = FaultTarget.schema(isOnUplink: true).description
    target.name = "fault.uplink"
    target.fields.append(
      FieldDescription("uplink", .either(ofUplink), standard: nil, "puts the fault on the phone-edge link"))
    return .either(ofLink + [.object(target)])
  }

  private static func element(
    _ kind: any FaultKind.Type, _ name: String, _ target: [FieldDescription], _ own: ObjectDescription
  ) -> ObjectDescription {
    var element = own
    element.about = kind.page.about
    element.fields = target
    if kind.isBeside {
      element.fields += own.fields
    } else {
      var inner = own
      inner.name = ""
      element.forms = []
      element.fields.append(FieldDescription(kind.kind, .object(inner), standard: nil, "its parameters"))
    }
    element.name = name
    return element
  }
}
