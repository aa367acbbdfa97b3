import Link

/// The lines that the coach says if no reply arrived in time.
enum StockLines {
  /// Picks the line for a question; the same seed and question give the same line.
  static func line(personality: String, for question: Identifier, _ random: RandomStream) -> String {
    let lines = byPersonality.first { $0.name == personality }?.lines ?? encouraging
    return lines[Int(random.number(below: UInt64(lines.count), for: question.low))]
  }

  private static let encouraging = [
    "I heard you. Keep it going just like this, we talk about it after the run.",
    "Good question. For now: easy breath, loose shoulders, next step.",
    "I am with you, even if the line is not. You are doing well.",
  ]

  private static let byPersonality: [(name: String, lines: [String])] = [
    (FallbackScript.personalityDefault, encouraging),
    (
      "calm",
      [
        "I heard you. Let it rest for now, and breathe out slowly.",
        "The answer can wait. Your rhythm is fine.",
        "We have time for that later. Stay with your breath.",
      ]
    ),
    (
      "drill_sergeant",
      [
        "Questions later! Eyes front, keep moving!",
        "I heard you! The answer is: run!",
        "No signal, no excuses! Knees up!",
      ]
    ),
    (
      "roast_coach",
      [
        "I had a clever answer, but the network runs even slower than you do.",
        "Ask me again when we are somewhere with signal. Until then, less talking, more running.",
        "My lawyer says I should not answer that while you are breathing like this.",
      ]
    ),
  ]
}
