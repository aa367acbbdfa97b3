/// The default script of every personality: lines at each kilometre, halfway, and near the finish.
///
/// Positional lines only: they need nothing but distance, so there is always something to say.
package enum FallbackScript {
  /// The default personality, also for unknown names.
  package static let personalityDefault = "encouraging"

  /// The personalities with their own lines.
  package static let personalities = voices.map(\.name)

  /// Metres before the finish at which the last line is due, in a plan that is long enough.
  package static let remainingMeters = 500.0

  /// Makes the script of a personality.
  ///
  /// - Parameters:
  ///   - personality: One of ``personalities``; any other speaks like ``personalityDefault``.
  ///   - plan: The athlete's plan; lines that it has no room for are left out.
  package static func make(personality: String, plan: Plan) -> Script {
    let voice = voices.first { $0.name == personality } ?? encouraging
    var messages = [
      ScriptMessage(id: "kilometre", trigger: DistanceEveryTrigger(everyMeters: 1000), text: voice.kilometre)
    ]
    let halfway = HalfwayTrigger()
    if halfway.whyNever(under: plan) == nil {
      messages.append(ScriptMessage(id: "halfway", trigger: halfway, text: voice.halfway, priority: 60))
    }
    // In a short plan the finish line would come before halfway.
    if let distance = plan.distance, distance > 2 * remainingMeters {
      let nearFinish = NearFinishTrigger(remainingMeters: remainingMeters)
      messages.append(ScriptMessage(id: "finish", trigger: nearFinish, text: voice.finish, priority: 70))
    }
    return Script(
      id: "fallback-\(voice.name)", personality: personality, model: "built-in", messages: messages)
  }

  private struct Voice {
    var name: String
    var kilometre: String
    var halfway: String
    var finish: String
  }

  private static let encouraging = Voice(
    name: personalityDefault,
    kilometre: "Another kilometre done. You are doing well, keep it smooth.",
    halfway: "That is the halfway mark. Shake out your arms and carry on just like this.",
    finish: "Five hundred metres left. Lift your head and bring it home.")

  private static let voices = [
    encouraging,
    Voice(
      name: "calm",
      kilometre: "One more kilometre behind you. Breathe out, let the shoulders drop.",
      halfway: "Half of it is run. Nothing to change, only to continue.",
      finish: "The last five hundred metres. Stay easy and let them come."),
    Voice(
      name: "drill_sergeant",
      kilometre: "Kilometre down! Eyes front, knees up, next one!",
      halfway: "Halfway! Nobody told you to slow down, so do not!",
      finish: "Five hundred metres! Empty the tank, now!"),
    Voice(
      name: "roast_coach",
      kilometre: "Another kilometre. I have seen parked cars with more urgency.",
      halfway: "Halfway. Your couch called, it misses you already.",
      finish: "Five hundred metres to go. Try to look like you meant to run today."),
  ]
}
