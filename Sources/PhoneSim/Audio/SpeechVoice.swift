package import Link

/// The voice that speaks the coach's lines: the best one that is installed, unless the user chose another: a scenario's
/// `phone.voice`.
package struct SpeechVoice: Sendable, Equatable {
  /// A quality in which a voice of the user's language can be installed; a better one speaks more slowly.
  package enum Quality: String, Sendable, CaseIterable {
    case compact, enhanced, premium

    /// How long a word takes.
    var word: VirtualTime.Span {
      switch self {
      case .compact: .milliseconds(400)
      case .enhanced: .milliseconds(420)
      case .premium: .milliseconds(450)
      }
    }
  }

  /// The installed ones; the system has always a compact one.
  package var installed: [Quality] = [.compact]
  /// What the user chose in the settings; nil for the best.
  package var chosen: Quality?

  package init() {}

  /// The one that speaks: a chosen one that is not installed does not count.
  package var quality: Quality {
    let all = Set(installed + [.compact])
    if let chosen, all.contains(chosen) { return chosen }
    return Quality.allCases.last { all.contains($0) } ?? .compact
  }

  /// How long a line takes: its words, and 0.2 s of silence before and after it.
  package func span(words: Int) -> VirtualTime.Span {
    VirtualTime.Span(nanoseconds: quality.word.nanoseconds * Int64(words)) + .milliseconds(400)
  }

  /// How a scenario's `phone.voice` is read and described.
  package static let schema = ObjectSchema<Self>(
    "phone.voice", "The voice of the coach: the best one that is installed, or a chosen one.", Self(),
    [
      Field(
        "installed", \.installed, .array(of: .word, count: 0...3), "qualities; a word takes 0.4, 0.42 or 0.45 s",
        .otherwise("`compact`")),
      Field("chosen", \.chosen, .word, "the user's choice, if it is installed", .otherwise("the best one")),
    ])
}
