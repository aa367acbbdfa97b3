/// A quantity that a device recorded.
struct SourceQuantity: Sendable, Equatable {
  /// The device's name.
  var source: String
  /// In seconds since 1970; nil if the sample does not say when.
  var time: Range<Int64>?
  var value: Double

  /// The sum of quantities, in which each time counts for one device.
  ///
  /// A watch precedes other devices, then the one that recorded more; of another device's sample the share counts that
  /// no preceding device covers.
  static func total(_ quantities: [SourceQuantity]) -> Double {
    let groups = Dictionary(grouping: quantities, by: \.source).map { source, own in
      (isWatch: source.lowercased().contains("watch"), sum: own.reduce(0) { $0 + $1.value }, source: source, own: own)
    }
    guard groups.count > 1 else { return quantities.reduce(0) { $0 + $1.value } }
    let ranked = groups.sorted { left, right in
      if left.isWatch != right.isWatch { return left.isWatch }
      return left.sum != right.sum ? left.sum > right.sum : left.source < right.source
    }
    var covered: [Range<Int64>] = []
    var total = 0.0
    for group in ranked {
      for quantity in group.own { total += quantity.value * share(of: quantity.time, notIn: covered) }
      covered = union(covered + group.own.compactMap(\.time))
    }
    return total
  }

  /// Which share of a time is in none of the sorted, disjoint ranges: 0 to 1.
  private static func share(of time: Range<Int64>?, notIn covered: [Range<Int64>]) -> Double {
    guard let time else { return 1 }
    var (low, high) = (0, covered.count)
    while low < high {
      let middle = (low + high) / 2
      if covered[middle].upperBound <= time.lowerBound { low = middle + 1 } else { high = middle }
    }
    if time.isEmpty { return low < covered.count && covered[low].contains(time.lowerBound) ? 0 : 1 }
    var free = time.upperBound - time.lowerBound
    for range in covered[low...] {
      guard range.lowerBound < time.upperBound else { break }
      free -= min(range.upperBound, time.upperBound) - max(range.lowerBound, time.lowerBound)
    }
    return Double(free) / Double(time.upperBound - time.lowerBound)
  }

  /// The same times as sorted, disjoint ranges.
  private static func union(_ ranges: [Range<Int64>]) -> [Range<Int64>] {
    var result: [Range<Int64>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = result.last, range.lowerBound <= last.upperBound {
        result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }
}
