/// The phrases of one personality.
///
/// `{km}` is replaced by a count of kilometres, `{time}` by a clock time.
struct CoachVoice: Sendable {
  /// The personality's name.
  var name: String
  /// For the first line.
  var opening: [String]
  /// At a kilometre.
  var kilometre: [String]
  /// At a kilometre, if a target pace is known.
  var kilometreWithTime: [String]
  var halfway: [String]
  var finish: [String]
  /// When the last minutes were slower, or faster, than the target.
  var slow: [String]
  var fast: [String]
  /// When the heart rate is at its limit.
  var heart: [String]
  /// When the cadence is low.
  var cadence: [String]
  /// Openings of a reply, by what follows.
  var agree: [String]
  /// Endings of a summary.
  var farewell: [String]

  /// The voice of a personality; unknown ones get the first.
  static func named(_ name: String) -> Self { all.first { $0.name == name } ?? encouraging }

  static let all = [encouraging, calm, drillSergeant, roastCoach]

  private static let encouraging = Self(
    name: "encouraging",
    opening: ["Here we go. Start a little slower than you feel like.", "Good to have you out here. Settle in first."],
    kilometre: [
      "{km} done, and you look good doing it.", "That makes {km}. Keep this rhythm.",
      "{km} already. Every one of them counts.",
    ],
    kilometreWithTime: [
      "{km} done. The plan says {time} here; listen to your legs and carry on.",
      "{km}, and {time} would be right on plan. Nicely steady.",
    ],
    halfway: ["Half of it is yours. Shake out your arms and go on.", "Halfway there. The second half is the fun one."],
    finish: ["Five hundred metres left. Lift your head and enjoy it.", "Nearly home. One last bit of courage."],
    slow: [
      "A little behind the plan. Short steps, quick feet, no hurry.", "You have slowed down. Breathe, then pick it up.",
    ],
    fast: ["That is faster than planned. Save some of it for later.", "Lovely pace, but a touch too quick. Ease off."],
    heart: [
      "Your heart works hard. Ease off until you could say a sentence.", "Take a little pressure off, just a minute.",
    ],
    cadence: [
      "Try shorter steps for a while. Quick and light.", "Quicker feet, smaller steps. Your knees will thank you.",
    ],
    agree: ["I hear you.", "Good that you say so.", "Got it."],
    farewell: ["You can be proud of that one.", "Well run. Rest now."])

  private static let calm = Self(
    name: "calm",
    opening: [
      "Begin quietly. Nothing has to happen in the first minutes.", "Breathe in, breathe out, and let it begin.",
    ],
    kilometre: ["{km}. Let the shoulders drop.", "{km} behind you. Stay with the breath.", "That was {km}. Easy."],
    kilometreWithTime: [
      "{km}. On plan this is {time}. No need to force it.", "{km}. {time} would be even. Stay soft.",
    ],
    halfway: ["Half of the way. Nothing to change, only to continue.", "The middle. Notice how you run now."],
    finish: ["The last five hundred metres. Let them come to you.", "Almost done. Stay loose until the end."],
    slow: [
      "You are a little slower now. If it feels right, lengthen the breath and go on.",
      "Slower. That may be all right.",
    ],
    fast: ["A little fast. Let the pace come back to you.", "Quick feet today. Let them calm down."],
    heart: ["The heart is high. Soften the effort until it settles.", "Let go of some effort. The pulse will follow."],
    cadence: ["Let the steps become smaller, and a little quicker.", "Smaller steps. Quiet feet."],
    agree: ["Yes.", "I understand.", "All right."],
    farewell: ["Let it settle before the next one.", "A quiet, good run."])

  private static let drillSergeant = Self(
    name: "drill_sergeant",
    opening: [
      "Move out! Easy pace first, that is an order!", "Boots tied? Then run! No heroics in the first kilometre!",
    ],
    kilometre: ["{km} down! Eyes front!", "{km}! Did I say you could rest? Next one!", "That is {km}! Knees up!"],
    kilometreWithTime: [
      "{km}! The plan says {time}! Report late and you explain it!", "{km} at {time}, that is the order!",
    ],
    halfway: ["Halfway! Nobody told you to slow down!", "Half done is not done! Go!"],
    finish: ["Five hundred metres! Empty the tank, now!", "I can see the line! Sprint when I say! Now!"],
    slow: ["You are falling back! Close the gap!", "Slower than ordered! Quick march!"],
    fast: ["Hold the line! You are ahead of the column!", "Too fast! Discipline beats enthusiasm!"],
    heart: ["Pulse at the limit! Stand down one gear!", "Ease off! A broken runner is no use to me!"],
    cadence: ["Quick feet! This is no hiking trip!", "Shorten that stride! Left, right, left, right!"],
    agree: ["Heard!", "Understood!", "Noted!"],
    farewell: ["Dismissed! Drink something!", "Not bad, recruit. Do not let it go to your head!"])

  private static let roastCoach = Self(
    name: "roast_coach",
    opening: [
      "Oh good, you found the shoes. Start slow, that should come naturally.",
      "Off we go. The pigeons are laughing already.",
    ],
    kilometre: [
      "{km}. I have seen parked cars with more urgency.", "{km} done. Somebody alert the press, slowly.",
      "That was {km}. My grandmother sends her regards, from ahead.",
    ],
    kilometreWithTime: [
      "{km}. The plan said {time}. The plan was an optimist.", "{km}. At {time} you would be on plan. Imagine that.",
    ],
    halfway: ["Halfway. Your couch called, it misses you.", "Half done. The easy half, obviously."],
    finish: ["Five hundred metres. Try to look like you meant it.", "Nearly there. Smile, somebody may be filming."],
    slow: ["Slower than planned. Are we sightseeing?", "A snail just asked me to let it pass."],
    fast: ["Faster than planned. Who is chasing you?", "That pace is a lie and your legs know it."],
    heart: ["Your heart would like a word. Slow down before it files a complaint.", "Ease off. I do not do funerals."],
    cadence: ["Shorter steps. You run, you do not measure carpets.", "Quicker feet. This is not a moon landing."],
    agree: ["Noted, with sympathy.", "Oh dear.", "Tell me more. Or do not."],
    farewell: ["I have seen worse. Not often.", "Do not make me say something nice again."])
}
