/// Paces in hundredths of a second per kilometre, from integers.
package enum AveragePace {
  /// The pace of `centimetres` in `milliseconds`, in seconds per kilometre, two decimals.
  ///
  /// Nil if it is not greater than 0, and for no distance at all. The quotient of two integers below 2^53 is rounded
  /// once, the same on every machine.
  @inline(__always)
  package static func secondsPerKilometre(centimetres: Int64, milliseconds: Int64) -> Double? {
    guard centimetres > 0, milliseconds > 0 else { return nil }
    // A millisecond a centimetre is 100 seconds a kilometre; times 100 again for the decimals.
    let hundredths = Int64(Double(milliseconds * 10_000) / Double(centimetres) + 0.5)
    return hundredths > 0 ? Double(hundredths) / 100 : nil
  }
}
