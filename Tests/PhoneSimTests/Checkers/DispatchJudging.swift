import Link
import PhoneSim
import Testing

/// Judges what a made-up trace dispatches, for the suites that do so: lines of scripts, and the invariants they break.
protocol DispatchJudging {}

extension DispatchJudging {
  var km: String { "{\"id\":\"km\",\"triggerSpec\":{\"type\":\"distance\",\"everyMeters\":1000},\"text\":\"x\"}" }
  var at1k: String { "{\"id\":\"at1k\",\"triggerSpec\":{\"type\":\"distance\",\"atMeters\":1000},\"text\":\"x\"}" }
  var half: String { "{\"id\":\"half\",\"triggerSpec\":{\"type\":\"halfway\"},\"text\":\"x\",\"priority\":70}" }
  var finish: String {
    "{\"id\":\"near\",\"triggerSpec\":{\"type\":\"near_finish\",\"remainingMeters\":500},\"text\":\"x\"}"
  }

  func condition(_ expression: String, _ more: String = "", id: String = "c", spec: String = "") -> String {
    "{\"id\":\"\(id)\",\"triggerSpec\":{\"type\":\"condition\",\"expression\":\"\(expression)\"\(spec)},\"text\":\"x\"\(more)}"
  }

  var invariants: [String] {
    ["dispatch-window", "play-once", "dispatch-only-running", "dispatch-justified", "no-missed-dispatch"]
  }

  func broken(
    _ script: String, policy: String = "linear", plan: String = "{\"distance\":5000,\"time\":1500}",
    memory: String = "{}", _ write: (inout CoachTrace) -> Void
  ) throws -> [String] {
    var trace = CoachTrace()
    trace.state(0, "running")
    write(&trace)
    return try trace.judge(script: script, policy: policy, plan: plan, memory: memory, only: invariants).broken
  }
}
