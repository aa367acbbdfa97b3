import Link

@testable import TraceTools

/// A link of known values, and two clocks, from which captures are drawn.
struct CaptureModel: Sendable {
  var name: String
  var distribution = DelayDistribution.exponential
  /// In milliseconds.
  var latency = 80.0
  var jitter = 20.0
  /// The same from the phone to the watch, where it differs.
  var latencyBack: Double?
  var jitterBack: Double?
  var distributionBack: DelayDistribution?
  var loss = 0.0
  var lossBack: Double?
  var chain: Chain?
  var bytesPerSecond: Double?
  /// How far the phone's clock is ahead at the beginning, in seconds, and how much it gains, in millionths.
  var offset = 0.0
  var drift = 0.0
  /// Frames of each direction, and the seconds between two.
  var count = 400
  var every = 1.0
  var isBothWays = true
  var cuts: [(from: Double, to: Double)] = []
  /// Whether a device keeps frames during a cut, and sends them when it notices the return.
  var keepsFrames = false

  struct Chain: Sendable {
    var goodToBad: Double
    var badToGood: Double
    var lossGood: Double
    var lossBad: Double
  }

  /// The middle of the capture, for which an offset is stated.
  var middle: Double { begin + Double(count) * every / 2 }
  private var begin: Double { 5 }
  private static let slot = 0.03
  private static let reconnect = 2.0

  func capture(seed: Int) -> Capture {
    let random = RandomStream(seed: UInt64(seed), name: "capture.\(name)")
    var key: UInt64 = 0
    func draw() -> Double {
      key += 1
      return Double(random.bits(for: key) >> 11) / 0x1p53
    }
    func byPhone(_ time: Double) -> Double { time + offset + drift * 1e-6 * time }
    var (isBad, slot) = (false, 0)
    var busy = [0.0, 0.0]
    var samples: [Capture.Sample] = []
    for number in 0..<count {
      for way in 0..<(isBothWays ? 2 : 1) {
        let sent = begin + (Double(number) + 0.45 * Double(way)) * every
        let bytes = bytesPerSecond == nil ? 400 - 100 * way : 60 + Int(draw() * 4_000)
        let mean = way == 1 ? latencyBack ?? latency : latency
        let spread = way == 1 ? jitterBack ?? jitter : jitter
        let air = (way == 1 ? distributionBack ?? distribution : distribution)
          .quantile(mean: Int64(mean * 1e6), jitter: Int64(spread * 1e6), share: draw())
        var leaves = max(sent, busy[way])
        if let bytesPerSecond {
          leaves += Double(bytes) / bytesPerSecond
          busy[way] = leaves
        }
        var isLost = draw() < (way == 1 ? lossBack ?? loss : loss)
        while let chain, slot < Int(sent / Self.slot) {
          slot += 1
          isBad = draw() < (isBad ? 1 - chain.badToGood : chain.goodToBad)
        }
        if let chain { isLost = draw() < (isBad ? chain.lossBad : chain.lossGood) }
        if let cut = cuts.first(where: { $0.from <= sent && sent < $0.to }) {
          isLost = !keepsFrames
          leaves = cut.to + Self.reconnect + (sent - cut.from) / 100
        }
        let came = leaves + Double(air) / 1e9
        let times = way == 0 ? (sent, byPhone(came)) : (byPhone(sent), came)
        samples.append(
          Capture.Sample(
            sent: Self.rounded(times.0), received: isLost ? nil : Self.rounded(times.1), isToPhone: way == 0,
            bytes: bytes, result: isLost ? .lost : .delivered))
      }
    }
    var capture = Capture()
    capture.samples = samples.enumerated().sorted { ($0.element.sent, $0.offset) < ($1.element.sent, $1.offset) }
      .map(\.element)
    return capture
  }

  /// To a tenth of a millisecond, as a capture made by hand has it.
  private static func rounded(_ seconds: Double) -> Int64 { Int64((seconds * 1e4).rounded()) * 100_000 }
}
