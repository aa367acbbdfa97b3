/// Limits the link: bytes wait in a queue, and frames that do not fit are dropped.
public struct BandwidthFault: FrameFault {
  /// Bytes per second; at least 1.
  public var bytesPerSecond: Int64
  /// How many bytes may wait.
  public var queueBytes: Int64

  public init(bytesPerSecond: Int64, queueBytes: Int64 = 262_144) {
    precondition(bytesPerSecond > 0, "\(bytesPerSecond) bytes a second")
    self.bytesPerSecond = bytesPerSecond
    self.queueBytes = queueBytes
  }

  public static let kind = "bandwidth"
  public static let onlyLosesOrDelays = true
  public static let example = Self(bytesPerSecond: 20_000)
  public static let isSelective = true
  public static let page = FaultPage(
    about: "Each direction passes a limited number of bytes per second, first in, first out.",
    formula: "a frame of n bytes (header included) passes n / bytesPerSecond after the one before it; if more than"
      + " queueBytes would wait, it is dropped as overflow. The smallest limit of all active faults and the profile wins."
      + " Queued frames are rescheduled at the new rate when a limit begins or ends.",
    reality:
      "3 to 7 KB/s at the low end of BLE (BluetoothKit issue 18, arduino-esp32 issue 8540), 20 to 50 KB/s with good"
      + " parameters (Apple forums 770717), 1 MB/s over Wi-Fi (assumed).")
  public static let story = FaultStory(ending: "the link has its full bandwidth again") {
    "only \($0.count("bytesPerSecond")) bytes a second get through"
  }
  public static let parameters = ObjectSchema<Self>(
    kind, "", Self(bytesPerSecond: 1),
    [
      Field("bytesPerSecond", \.bytesPerSecond, .integer(1...1 << 40), "of each direction", .required),
      Field("queueBytes", \.queueBytes, .integer(1...1 << 40), "how many bytes may wait"),
    ])

  public static func draw(_ dice: inout FaultDice) -> Self {
    // A snapshot with its headers takes some 400 bytes a second: the smallest limits starve it, the largest hardly
    // matter.
    Self(
      bytesPerSecond: dice.number(along: [200, 500, 1_000, 2_000, 5_000, 20_000]),
      queueBytes: dice.number(along: [1_000, 4_000, 16_000, 65_000, 262_144]))
  }

  public var simpler: [Self] { [Self(bytesPerSecond: bytesPerSecond)] }

  public func narrow(_ limit: inout Bandwidth) {
    limit.bytesPerSecond = min(limit.bytesPerSecond ?? .max, bytesPerSecond)
    limit.queueBytes = min(limit.queueBytes, queueBytes)
  }
}
