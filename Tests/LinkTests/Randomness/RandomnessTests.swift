import Testing

@testable import Link

@Suite struct `Randomness` {
  @Test func `the mixing function is SplitMix64`() {
    // The first outputs of the published generator for the seed 0 and the seed 1234567.
    #expect(RandomStream.mix(0) == 0xE220_A839_7B1D_CDAF)
    #expect(RandomStream.mix(0x9E37_79B9_7F4A_7C15) == 0x6E78_9E6A_A1B9_65F4)
    #expect(RandomStream.mix(1_234_567) == 6_457_827_717_110_365_317)
  }

  @Test func `a draw depends only on seed, name, key and draw`() {
    let stream = RandomStream(seed: 1, name: "loss-1")
    let first = stream.bits(for: 5)
    _ = stream.bits(for: 6)
    #expect(stream.bits(for: 5) == first)
    #expect(RandomStream(seed: 1, name: "loss-1").bits(for: 5) == first)
    let others = [
      RandomStream(seed: 2, name: "loss-1").bits(for: 5), RandomStream(seed: 1, name: "loss-2").bits(for: 5),
      stream.bits(for: 6), stream.bits(for: 5, draw: 1), RandomStream(seed: 1, name: "").bits(for: 5),
      RandomStream(seed: 1, name: "1-ssol").bits(for: 5),
    ]
    #expect(Set(others + [first]).count == 7)
  }

  @Test func `streams, keys and draws are independent of each other`() {
    // Single bits of neighbours agree as often as two fair coins.
    let a = RandomStream(seed: 1, name: "a")
    let b = RandomStream(seed: 1, name: "b")
    var counts = [0, 0, 0]
    for key: UInt64 in 0..<20_000 {
      counts[0] += (~(a.bits(for: key) ^ b.bits(for: key))).nonzeroBitCount
      counts[1] += (~(a.bits(for: key) ^ a.bits(for: key + 1))).nonzeroBitCount
      counts[2] += (~(a.bits(for: key) ^ a.bits(for: key, draw: 1))).nonzeroBitCount
    }
    for count in counts { #expect(abs(count - 640_000) < 4 * 566) }
  }

  @Test func `numbers below a bound are even`() {
    let stream = RandomStream(seed: 3, name: "die")
    var counts = [Int](repeating: 0, count: 6)
    for key: UInt64 in 0..<60_000 { counts[Int(stream.number(below: 6, for: key))] += 1 }
    for count in counts { #expect(abs(count - 10_000) < 370) }
    #expect(stream.number(below: 1, for: 9) == 0)
    #expect((0..<1_000).allSatisfy { stream.number(below: .max, for: $0) < .max })
  }

  @Test(arguments: [0, 1e-300, 0.001, 0.5, 0.999, 1])
  func `events happen as often as their probability`(value: Double) throws {
    let probability = try #require(Probability(value))
    let stream = RandomStream(seed: 4, name: "p")
    let count = (0..<100_000).count { stream.happens(probability, for: $0) }
    #expect(abs(Double(count) - 100_000 * value) <= 4 * (100_000 * value * (1 - value)).squareRoot() + 1e-9)
    #expect(probability.value == value)
  }

  @Test func `a probability is from 0 to 1`() {
    #expect(Probability(-0.0001) == nil)
    #expect(Probability(1.0001) == nil)
    #expect(Probability(.nan) == nil)
    #expect(Probability(.infinity) == nil)
    #expect(Probability(-0.0) != nil)
    #expect(Probability(0)?.threshold == 0 && Probability(1)?.threshold == 1 << 53)
    #expect(Probability(1) == .always && Probability(0) == .never)
  }

  // MARK: Identifiers

  @Test func `an identifier is a version 4 UUID and reads back`() {
    let stream = RandomStream(seed: 5, name: "ids")
    var seen: Set<String> = []
    for key: UInt64 in 0..<1_000 {
      let identifier = Identifier(stream, for: key)
      let text = identifier.text
      #expect(text.count == 36 && text == text.lowercased())
      let letters = Array(text)
      #expect(letters[14] == "4" && "89ab".contains(letters[19]))
      #expect(Identifier(text: text) == identifier)
      #expect(Identifier(text: text.uppercased()) == identifier)
      seen.insert(text)
    }
    #expect(seen.count == 1_000)
    #expect(
      Identifier(high: 0x0123_4567_89AB_CDEF, low: 0x0011_2233_4455_6677).text
        == "01234567-89ab-cdef-0011-223344556677")
    #expect(Identifier(high: 0, low: 2) < Identifier(high: 1, low: 1))
  }

  @Test(arguments: [
    "", "0", "0123456789abcdef0123456789abcdef", "01234567-89ab-cdef-0123-456789abcde",
    "01234567-89ab-cdef-0123-456789abcdef0", "01234567-89ab-cdef-0123-456789abcdeg",
    "01234567x89ab-cdef-0123-456789abcdef", "0123456-789ab-cdef-0123-456789abcdef",
    "{01234567-89ab-cdef-0123-456789abcdef}", "01234567-89ab-cdef-0123-456789abcdé",
    "-1234567-89ab-cdef-0123-456789abcdef",
  ])
  func `anything else is not an identifier`(text: String) { #expect(Identifier(text: text) == nil) }

  // MARK: Tables

  /// Mean and standard deviation of a table over uniform bits.
  private static func moments(_ table: [Int32]) -> (mean: Double, deviation: Double) {
    var mean = 0.0
    var square = 0.0
    for (low, high) in zip(table, table.dropFirst()) {
      let (a, b) = (Double(low) / 1e6, Double(high) / 1e6)
      mean += (a + b) / 2
      square += (a * a + a * b + b * b) / 3
    }
    mean /= 256
    return (mean, (square / 256 - mean * mean).squareRoot())
  }

  @Test func `the tables have the means and the spreads of their distributions`() {
    let normal = Self.moments(QuantileTable.normal)
    #expect(abs(normal.mean) < 1e-6 && abs(normal.deviation - 1) < 0.01)
    let exponential = Self.moments(QuantileTable.exponential)
    #expect(abs(exponential.mean) < 0.01 && abs(exponential.deviation - 1) < 0.01)
    let logNormal = Self.moments(QuantileTable.logNormal)
    // exp(0.08), and exp(0.08) * sqrt(exp(0.16) - 1).
    #expect(abs(logNormal.mean / 1.083_287 - 1) < 0.01 && abs(logNormal.deviation / 0.451_239 - 1) < 0.01)
    // A third of the variance of this distribution lies past every table's end.
    let pareto = Self.moments(QuantileTable.pareto)
    #expect(abs(pareto.mean) < 0.01 && abs(pareto.deviation - 0.87) < 0.01)
  }

  @Test func `the tables ascend and have the right quantiles`() {
    for table in [QuantileTable.normal, QuantileTable.pareto, QuantileTable.exponential, QuantileTable.logNormal] {
      #expect(table.count == 257)
      #expect(table == table.sorted())
    }
    // Published quantiles: of the standard normal distribution at 3/4, of the others by their formulas.
    #expect(abs(Double(QuantileTable.normal[192]) / 1e6 - 0.674_490) < 1e-6)
    #expect(QuantileTable.normal[128] == 0)
    #expect(zip(QuantileTable.normal, QuantileTable.normal.reversed()).allSatisfy { $0 == -$1 })
    #expect(abs(Double(QuantileTable.exponential[128]) / 1e6 - (0.693_147 - 1)) < 2e-6)
    #expect(QuantileTable.logNormal[128] == 1_000_000)
    // Pareto with shape 3 at 7/8 is 2 before shifting by 3/2 and scaling by 2 / sqrt(3).
    #expect(abs(Double(QuantileTable.pareto[224]) / 1e6 - 0.577_350) < 1e-6)
  }

  @Test(arguments: DelayDistribution.allCases)
  func `a delay has its mean and spread, and is never negative`(distribution: DelayDistribution) {
    let stream = RandomStream(seed: 6, name: "delay")
    let draws = (0..<50_000).map { key in
      Double(distribution.draw(mean: 500_000_000, jitter: 50_000_000, bits: stream.bits(for: key))) / 1e6
    }
    let mean = draws.reduce(0, +) / 50_000
    let deviation = (draws.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 50_000).squareRoot()
    #expect(abs(mean - 500) < 1.5)
    let spread: Double =
      switch distribution {
      case .constant: 0
      case .uniform: 50 / 3.0.squareRoot()
      case .normal, .exponential: 50
      case .pareto: 43.5
      }
    #expect(abs(deviation - spread) <= 0.03 * spread)
    #expect((0..<2_000).allSatisfy { distribution.draw(mean: 1, jitter: 1_000_000, bits: stream.bits(for: $0)) >= 0 })
    #expect(distribution.draw(mean: 7, jitter: 0, bits: .max) == 7)
    let day: Int64 = 86_400_000_000_000
    for bits in [0, .max, 1 << 63] as [UInt64] { #expect(distribution.draw(mean: day, jitter: day, bits: bits) >= 0) }
  }

  @Test func `a table is interpolated between its steps`() {
    let table = (0...256).map { Int32($0 * 1_000_000) }
    #expect(DelayDistribution.quantile(table, 0) == 0)
    #expect(DelayDistribution.quantile(table, 1 << 63) == 128)
    #expect(DelayDistribution.quantile(table, 1 << 55) == 0.5)
    #expect(abs(DelayDistribution.quantile(table, .max) - 256) < 1e-6)
  }

  @Test func `a stream's name can be appended in parts`() {
    let whole = RandomStream(seed: 7, name: "nemesis.choice.loss")
    #expect(RandomStream(seed: 7, name: "nemesis.choice.").appending("loss") == whole)
    #expect(RandomStream(seed: 7, name: "").appending("nemesis").appending(".choice.loss") == whole)
    #expect(RandomStream(seed: 7, name: "nemesis.choice.").appending("delay") != whole)
  }
}
