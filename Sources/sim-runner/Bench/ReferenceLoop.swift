/// Work of the standard library that has nothing of the product in it: what a processor is worth at this moment.
///
/// Two virtual processors may be two halves of a core of which a stranger uses the other half. Arithmetic hardly notices;
/// programs of many small functions, as a simulation is one, then take up to two thirds longer, minute by minute. This
/// loop of texts, hashes and allocations takes longer by as much, so a ratio to it says the same in every minute.
enum ReferenceLoop {
  /// How many different texts are counted.
  private static let texts = 1_024

  /// Counts so many short texts in a dictionary; millions a second.
  static func rate(_ count: Int) -> Double {
    let begin = ContinuousClock.now
    var counts: [String: Int] = [:]
    for index in 0..<count { counts["key \(index & (texts - 1))", default: 0] += 1 }
    precondition(counts.values.reduce(0, +) == count, "a text was not counted")
    return Double(count) / 1e6 / begin.secondsSince
  }
}
