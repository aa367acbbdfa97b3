import Console
import Link

/// Finds this process's shard in its scheduler's environment variables.
package enum ShardEnvironment {
  /// One scheduler and its variables.
  package struct Scheduler: Sendable {
    package var name: String
    /// The variable of the shard's index.
    var index: String
    /// The variable of the number of shards.
    var count: String
    /// The first index: a number, or the variable that has it.
    var first: First
    /// The variable of the difference between two indices; nil for 1.
    var step: String?

    /// The first index.
    enum First: Sendable {
      case number(Int)
      case variable(String)
    }
  }

  /// All schedulers, in the order of the help.
  package static let all: [Scheduler] = [
    // The control plane sets the index only; the manifest must repeat `completions` in JOB_COMPLETIONS.
    Scheduler(
      name: "Kubernetes Indexed Jobs", index: "JOB_COMPLETION_INDEX", count: "JOB_COMPLETIONS", first: .number(0)),
    Scheduler(
      name: "Slurm arrays", index: "SLURM_ARRAY_TASK_ID", count: "SLURM_ARRAY_TASK_COUNT",
      first: .variable("SLURM_ARRAY_TASK_MIN"), step: "SLURM_ARRAY_TASK_STEP"),
    Scheduler(name: "GitLab", index: "CI_NODE_INDEX", count: "CI_NODE_TOTAL", first: .number(1)),
    Scheduler(name: "CircleCI", index: "CIRCLE_NODE_INDEX", count: "CIRCLE_NODE_TOTAL", first: .number(0)),
    Scheduler(
      name: "Buildkite", index: "BUILDKITE_PARALLEL_JOB", count: "BUILDKITE_PARALLEL_JOB_COUNT", first: .number(0)),
    Scheduler(
      name: "AWS Batch", index: "AWS_BATCH_JOB_ARRAY_INDEX", count: "AWS_BATCH_JOB_ARRAY_SIZE", first: .number(0)),
  ]

  /// Finds the shard.
  ///
  /// - Throws: If no scheduler is found, or two are, and for invalid numbers.
  static func find(_ environment: [String: String]) throws(Failure) -> Shard {
    let present = all.filter { environment[$0.index] != nil }
    guard let scheduler = present.first else {
      // GitLab sets a total of one for a job without `parallel`, and no index.
      if environment["CI_NODE_TOTAL"] == "1" { return Shard(number: 1, count: 1) }
      let names = all.map { "\($0.index) (\($0.name))" }.joined(separator: ", ")
      throw .input("--shard auto: the environment has none of \(names)")
    }
    guard present.count == 1 else {
      let names = present.map { "\($0.name) (\($0.index))" }
      throw .input(
        "--shard auto: the environment has variables of \(StoryText.list(names)), expected one scheduler; use --shard I/N instead"
      )
    }
    return try shard(scheduler, environment)
  }

  private static func shard(_ scheduler: Scheduler, _ environment: [String: String]) throws(Failure) -> Shard {
    func number(_ variable: String) throws(Failure) -> Int {
      guard let text = environment[variable] else {
        throw .input("--shard auto: \(scheduler.name): \(variable) is not set beside \(scheduler.index)")
      }
      guard let number = Int(text), number >= 0 else {
        throw .input(
          "--shard auto: \(scheduler.name): found \(variable)=\"\(TerminalText.escape(text))\", expected a whole number"
        )
      }
      return number
    }
    let count = try number(scheduler.count)
    let index = try number(scheduler.index)
    let first: Int =
      switch scheduler.first {
      case .number(let first): first
      case .variable(let name): try number(name)
      }
    var step = 1
    if let variable = scheduler.step, environment[variable] != nil { step = try number(variable) }
    guard (1...Shard.countMax).contains(count) else {
      throw .input("--shard auto: found \(scheduler.count)=\(count), expected a number from 1 to \(Shard.countMax)")
    }
    let (distance, overflow) = index.subtractingReportingOverflow(first)
    guard !overflow, step > 0, distance >= 0, distance % step == 0, distance / step < count else {
      throw .input(
        "--shard auto: found \(scheduler.index)=\(index), expected an index from \(first) on, one of \(count)"
          + (scheduler.name == "Slurm arrays" ? " and in even steps (not a list such as 1,5,7)" : ""))
    }
    return Shard(number: distance / step + 1, count: count)
  }
}
