// Speed and distance packed into three bytes, as old foot pods and watches record them: twelve bits of speed in
// hundredths of a metre a second, then twelve bits of distance in sixteenths of a metre, which roll over every 256 m.

/// Unrolls the packed distance.
struct FITDistanceAccumulator: Sendable, Equatable {
  private var sixteenths = 0
  private var last: Int?

  /// Adds the three bytes of one record; nil for another number of bytes.
  ///
  /// - Returns: Metres per second, and metres since the first record.
  mutating func add(_ packed: ArraySlice<UInt8>) -> (speed: Double, distance: Double)? {
    guard packed.count == 3 else { return nil }
    let bits = packed.reversed().reduce(0) { $0 << 8 | Int($1) }
    let speed = bits & 0xFFF
    let count = bits >> 12 & 0xFFF
    sixteenths += (count - (last ?? 0)) & 0xFFF
    last = count
    return (Double(speed) / 100, Double(sixteenths) / 16)
  }
}
