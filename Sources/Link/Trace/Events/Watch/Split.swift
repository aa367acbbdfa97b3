/// One completed kilometre.
public struct Split: EventValue {
  /// Counted from 1.
  public var kmIndex: Int
  /// Seconds without pauses, three decimals.
  public var durationSeconds: Double
  /// Seconds per kilometre, two decimals.
  public var paceSecPerKm: Double
  /// Mean in beats per minute; nil without readings.
  public var avgHeartRate: Int?

  public init(kmIndex: Int, durationSeconds: Double, paceSecPerKm: Double, avgHeartRate: Int? = nil) {
    self.kmIndex = kmIndex
    self.durationSeconds = durationSeconds
    self.paceSecPerKm = paceSecPerKm
    self.avgHeartRate = avgHeartRate
  }

  /// Reads an object of a line; nil unless its numbers are those of a run.
  public init?(traceValue value: TraceValue) {
    guard case .json(let text) = value, let node = try? JSONParser.parse(text, dialect: .json),
      case .object(let members) = node.value
    else { return nil }
    func number(_ key: String) -> Double? {
      switch members.first(where: { $0.key == key })?.node.value {
      case .integer(let value)?: Double(value)
      case .number(let value)?: value
      default: nil
      }
    }
    guard let index = number("kmIndex").flatMap({ Int(exactly: $0) }), let duration = number("durationSeconds"),
      let pace = number("paceSecPerKm"), (1...1_000_000).contains(index), (0...1e9).contains(duration),
      (0...1e9).contains(pace)
    else { return nil }
    self.init(
      kmIndex: index, durationSeconds: duration, paceSecPerKm: pace,
      avgHeartRate: number("avgHeartRate").flatMap { (1...1_000).contains($0) ? Int(exactly: $0) : nil })
  }

  public var traceValue: TraceValue {
    var text = "{\"kmIndex\":\(kmIndex),\"durationSeconds\":"
    TraceValue.number(durationSeconds, places: 3).append(to: &text)
    text += ",\"paceSecPerKm\":"
    TraceValue.number(paceSecPerKm, places: 2).append(to: &text)
    if let avgHeartRate { text += ",\"avgHeartRate\":\(avgHeartRate)" }
    return .json(text + "}")
  }

  public static var shape: EventFieldShape { .json }
}
