/// Faults near what users do.
extension Nemesis {
  /// The prefix of the ids of faults that are drawn near something.
  public static let nearPrefix = idPrefix + "near-"
  /// Moments that are further apart are not covered by one fault.
  private static let gapMax = VirtualTime.Span.seconds(600)
  /// How long before the first moment, and after the last one, a fault that covers both lasts at most.
  private static let margin = VirtualTime.Span.seconds(5)
  /// Numbers of these faults for streams that both kinds share.
  private static let numbersFrom = 1_000_000

  /// Draws further faults of a seed near some moments, beside ``faults(seed:before:points:apps:)``: half as many as these on
  /// average.
  ///
  /// A third of them covers two moments that follow one another, such as an end and the next start.
  ///
  /// - Parameters:
  ///   - moments: When users do something, in any order.
  ///   - seed: The seed of the run.
  ///   - end: Replaces ``until`` if that is nil.
  ///   - points: The available crash points; at least one.
  ///   - apps: The nodes played by other programs, which only have the session's points.
  public func faults(
    near moments: [VirtualTime], seed: UInt64, before end: VirtualTime, points: [CrashPoint] = CrashPoint.session,
    apps: [NodeRole] = []
  ) -> [PlannedFault] {
    let until = self.until ?? end
    let moments = moments.filter { $0 >= from && $0 + Self.lengthMin < until }.sorted()
    guard !moments.isEmpty else { return [] }
    let random = RandomStream(seed: seed, name: "nemesis.near")
    let kinds = ofApps(apps).enabled(seed: seed)
    let expected = (until - from).nanoseconds / max(1, meanInterval.nanoseconds) / 2
    let count = min(Int64(maximum), max(1, expected), Int64(moments.count) * 2)
    var plan: [PlannedFault] = []
    for number in 1...Int(count) {
      let key = UInt64(number)
      let index = Int(random.number(below: UInt64(moments.count), for: key, draw: 0))
      let drawn = Self.exponential(meanDuration, bits: random.bits(for: key, draw: 1))
      var length = min(max(drawn, Self.lengthMin), meanDuration * Self.lengthMeansMax)
      // The moment lies in the fault, or up to a second before it.
      var begin = moments[index] + Self.part(of: length, random, key, 2) * -1
      if random.number(below: 10, for: key, draw: 3) == 0 {
        begin = moments[index] + Self.part(of: .seconds(1), random, key, 2)
      }
      if index + 1 < moments.count, random.number(below: 3, for: key, draw: 4) == 0,
        moments[index + 1] - moments[index] <= Self.gapMax
      {
        begin = moments[index] + Self.part(of: Self.margin, random, key, 5) * -1
        length = moments[index + 1] - begin + Self.part(of: Self.margin, random, key, 6)
      }
      begin = max(from, begin)
      let room = until - begin
      guard room >= Self.lengthMin else { continue }
      plan.append(
        planned(
          id: "\(Self.nearPrefix)\(number)", number: number + Self.numbersFrom, seed: seed, kinds, random, begin: begin,
          length: min(max(length, Self.lengthMin), room), points: points, apps: apps))
    }
    return plan
  }

  private static func part(
    of span: VirtualTime.Span, _ random: RandomStream, _ key: UInt64, _ draw: UInt64
  ) -> VirtualTime.Span {
    let milliseconds = UInt64(max(0, span.nanoseconds / 1_000_000))
    return .milliseconds(Int64(random.number(below: milliseconds + 1, for: key, draw: draw)))
  }
}
