import Testing

@testable import Experiments
@testable import Console

@Suite struct SeedRangeTests {
  private static func message<Result>(_ body: () throws(Failure) -> Result) -> String {
    do throws(Failure) {
      _ = try body()
      return ""
    } catch {
      return error.text
    }
  }

  @Test func `a range is read as Swift writes it`() throws {
    let range = try SeedRange("3..<10")
    #expect(range == SeedRange(lower: 3, upper: 10))
    #expect(range.count == 7 && range.text == "3..<10")
    #expect(try SeedRange("0..<\(UInt64.max)").count == .max)
  }

  @Test(arguments: [
    ("200", 0, 200), ("1", 0, 1), ("0-199", 0, 200), ("0..199", 0, 200), ("0...199", 0, 200), ("7-7", 7, 8),
    ("3..9", 3, 10), ("18446744073709551614-18446744073709551614", UInt64.max - 1, UInt64.max),
  ])
  func `a number is that many seeds, and other ranges include their last`(text: String, lower: UInt64, upper: UInt64)
    throws
  {
    #expect(try SeedRange(text) == SeedRange(lower: lower, upper: upper))
  }

  @Test(arguments: [
    "", "0", "..<3", "5..<5", "9..<3", "9-3", "9..3", "-1..<3", "-5", "1-2-3", "0..<18446744073709551616", "a..<b",
    "+5",
    "0-18446744073709551615", "5..<", "1e3", "0.. 9",
  ])
  func `anything else is refused with an example`(text: String) {
    let message = Self.message { () throws(Failure) in try SeedRange(text) }
    #expect(message.hasPrefix("--seeds: found \"\(text)\", expected a "), "\(message)")
  }

  @Test(arguments: ["0..", "0-", "17.."])
  func `a range that lost its end to the shell gets a hint about quotes`(text: String) {
    let message = Self.message { () throws(Failure) in try SeedRange(text) }
    #expect(message.contains("redirection: write '0..<1000'"), "\(message)")
  }

  @Test(arguments: [
    (SeedRange(lower: 0, upper: 1_000), 7), (SeedRange(lower: 5, upper: 8), 10), (SeedRange(lower: 0, upper: .max), 3),
    (SeedRange(lower: .max - 5, upper: .max), 4), (SeedRange(lower: 17, upper: 18), 1),
  ])
  func `the shards of a range are the range, and alike in size`(range: SeedRange, count: Int) {
    let parts = (1...count).map { Shard(number: $0, count: count).part(of: range) }
    #expect(parts.first?.lower == range.lower && parts.last?.upper == range.upper)
    for (part, next) in zip(parts, parts.dropFirst()) { #expect(part.upper == next.lower) }
    let sizes = parts.map(\.count)
    #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
  }

  @Test func `a shard is read by its number and the number of all`() throws {
    #expect(try Shard("2/8", environment: [:]) == Shard(number: 2, count: 8))
    for text in ["0/8", "9/8", "1/0", "1", "/", "1/2/3", "-1/2", "a/b", "1/9999999"] {
      let message = Self.message { () throws(Failure) in try Shard(text, environment: [:]) }
      #expect(message.contains("I from 1 to N"), "\(text): \(message)")
    }
  }

  @Test(arguments: [
    (["JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "4"], Shard(number: 1, count: 4)),
    (["JOB_COMPLETION_INDEX": "3", "JOB_COMPLETIONS": "4"], Shard(number: 4, count: 4)),
    (
      [
        "SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_MIN": "5",
        "SLURM_ARRAY_TASK_MAX": "8", "SLURM_ARRAY_TASK_STEP": "1",
      ], Shard(number: 3, count: 4)
    ),
    (
      [
        "SLURM_ARRAY_TASK_ID": "9", "SLURM_ARRAY_TASK_COUNT": "3", "SLURM_ARRAY_TASK_MIN": "1",
        "SLURM_ARRAY_TASK_STEP": "4",
      ], Shard(number: 3, count: 3)
    ),
    (["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "5"], Shard(number: 1, count: 5)),
    (["CI_NODE_INDEX": "5", "CI_NODE_TOTAL": "5"], Shard(number: 5, count: 5)),
    (["CI_NODE_TOTAL": "1"], Shard(number: 1, count: 1)),
    (["CIRCLE_NODE_INDEX": "0", "CIRCLE_NODE_TOTAL": "2"], Shard(number: 1, count: 2)),
    (["BUILDKITE_PARALLEL_JOB": "1", "BUILDKITE_PARALLEL_JOB_COUNT": "2"], Shard(number: 2, count: 2)),
    (["AWS_BATCH_JOB_ARRAY_INDEX": "9", "AWS_BATCH_JOB_ARRAY_SIZE": "10"], Shard(number: 10, count: 10)),
  ])
  func `auto reads what the scheduler says`(environment: [String: String], shard: Shard) throws {
    #expect(try Shard("auto", environment: environment.merging(["PATH": "/bin"]) { $1 }) == shard)
  }

  @Test(arguments: [
    ([:], "the environment has none of JOB_COMPLETION_INDEX"),
    (["JOB_COMPLETION_INDEX": "0"], "JOB_COMPLETIONS is not set"),
    (["CI_NODE_TOTAL": "2"], "the environment has none of "),
    (["CI_NODE_INDEX": "0", "CI_NODE_TOTAL": "5"], "an index from 1 on"),
    (["CI_NODE_INDEX": "6", "CI_NODE_TOTAL": "5"], "on, one of 5"),
    (["CIRCLE_NODE_INDEX": "x", "CIRCLE_NODE_TOTAL": "5"], "expected a whole number"),
    (["CIRCLE_NODE_INDEX": "0", "CIRCLE_NODE_TOTAL": "0"], "expected a number from 1"),
    (
      [
        "SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_COUNT": "3", "SLURM_ARRAY_TASK_MIN": "1",
        "SLURM_ARRAY_TASK_STEP": "4",
      ],
      "in even steps"
    ),
    (
      ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "5", "JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "4"],
      "expected one scheduler; use --shard I/N instead"
    ),
  ])
  func `auto says what is wrong with the environment`(environment: [String: String], expected: String) {
    let message = Self.message { () throws(Failure) in try Shard("auto", environment: environment) }
    #expect(message.contains(expected), "\(message)")
  }
}
