// Developer fields: values of apps and sensors that the profile does not have, described within the file itself.

/// The developer fields of records that stand for values of the profile.
struct FITDeveloperFields {
  private enum Quantity {
    case distance, speed, heartRate, cadence, power
  }

  private struct Description {
    var developer: UInt8
    var number: UInt8
    var type: FITBaseType
    var quantity: Quantity
    var factor: Double
    var offset: Double
  }

  /// The fields of the profile's record, by number.
  private static let native: [UInt64: Quantity] = [
    3: .heartRate, 4: .cadence, 5: .distance, 6: .speed, 7: .power, 73: .speed,
  ]
  /// In lower case, without blanks and underscores.
  private static let names: [String: Quantity] = [
    "distance": .distance, "speed": .speed, "heartrate": .heartRate, "hr": .heartRate,
  ]
  /// Metres, and metres per second.
  private static let units: [String: Double] = [
    "": 1, "m": 1, "meters": 1, "metres": 1, "km": 1_000, "cm": 0.01, "mi": 1_609.344, "m/s": 1, "mps": 1,
    "km/h": 1 / 3.6, "kph": 1 / 3.6, "mph": 0.44704, "bpm": 1, "rpm": 1, "spm": 1, "watts": 1, "w": 1,
  ]

  private var descriptions: [Description] = []

  /// Adds a field description; a later one of the same field replaces it.
  mutating func add(_ message: FITMessage) {
    guard let developer = message.unsigned(0).flatMap(UInt8.init(exactly:)),
      let number = message.unsigned(1).flatMap(UInt8.init(exactly:)), let code = message.unsigned(2),
      let type = Self.type(code), type != .string
    else { return }
    descriptions.removeAll { $0.developer == developer && $0.number == number }
    let name = (message.text(3) ?? "").lowercased().filter { $0 != " " && $0 != "_" }
    let isOfRecord = message.unsigned(14).map { $0 == UInt64(FITNames.Message.record) } ?? true
    let quantity = isOfRecord ? message.unsigned(15).flatMap { Self.native[$0] } ?? Self.names[name] : nil
    guard let quantity, let factor = Self.units[(message.text(8) ?? "").lowercased()], descriptions.count < 256 else {
      return
    }
    let scale = message.scaled(6) ?? 1
    descriptions.append(
      Description(
        developer: developer, number: number, type: type, quantity: quantity,
        factor: factor / (scale == 0 ? 1 : scale), offset: (message.scaled(7) ?? 0) * factor))
  }

  private static func type(_ code: UInt64) -> FITBaseType? {
    guard let low = UInt8(exactly: code & 0x1F) else { return nil }
    return FITBaseType(rawValue: low) ?? FITBaseType(rawValue: low | 0x80)
  }

  /// Fills in what a record has only as a developer field.
  func complete(_ sample: inout RecordedWorkout.Sample, from message: FITMessage) {
    guard !message.definition.developerFields.isEmpty else { return }
    for description in descriptions {
      guard let raw = message.developerValue(description.developer, description.number, description.type) else {
        continue
      }
      let value = raw * description.factor - description.offset
      switch description.quantity {
      case .distance: if sample.distance == nil, (0...1e9).contains(value) { sample.distance = value }
      case .speed: if sample.speed == nil, (0...1_000).contains(value) { sample.speed = value }
      case .heartRate:
        if sample.heartRate == nil, (0.5...300).contains(value) { sample.heartRate = Int(value.rounded()) }
      case .cadence: if sample.cadence == nil, (0...500).contains(value) { sample.cadence = value }
      case .power: if sample.power == nil, (0...10_000).contains(value) { sample.power = value }
      }
    }
  }
}

extension FITMessage {
  /// The first value of a developer field; nil if absent, invalid, or not finite.
  func developerValue(_ developer: UInt8, _ number: UInt8, _ type: FITBaseType) -> Double? {
    guard
      let field = definition.developerFields.first(where: { $0.number == number && $0.developer == developer }),
      field.byteCount >= type.byteCount, field.byteCount.isMultiple(of: type.byteCount)
    else { return nil }
    return self.number(FITField(number: number, offset: field.offset, byteCount: field.byteCount, type: type), type)
  }
}
