import Link
import PhoneSim

/// The page of the invariants.
enum CheckerReference {
  /// The events that a checker reads, each once.
  static func events(_ checker: any Checker.Type) -> [String] {
    var names: [String] = []
    for name in checker.interests where !names.contains(name.text) { names.append(name.text) }
    return names
  }

  /// `docs/checkers.md`.
  static var page: String {
    var text = Markdown.head("Invariants")
    text += """

      Every run is judged by all of these while it goes on, and every trace by `sim-runner check`. A checker reads the
      lines of the trace and nothing else, so a trace made by any program, in any language, is judged the same way.
      What a checker needs to know of the rules it computes for itself: those of the coach do not call the engine that
      they judge.

      * A violation names its invariant, the moment, what is wrong in words, and the numbers of the lines that show it.
        At most \(Judge.violationsMax) of each invariant are kept.
      * Safety is judged under faults. Liveness ("it finishes", "it converges") is judged after the `healed` line, when
        every fault has ended and the queues had 10 minutes to drain, or more where frames were still on their way that a
        fault had delayed by so much.
      * A trace without its `end` line is truncated: what is wrong in it is wrong, but what may yet have come is not
        held against it, and without a violation the verdict is *unknown*, which is no pass.
      * The `expectation` and `violation` lines in a trace are somebody's judgement, and are not read.
      * Any other line that is earlier than one before it breaks `causality`, whatever it tells of.


      """
    text += section("The link", "`Sources/Link/Checkers`", CheckerCatalog.all)
    text += "\n" + section("The coach", "`Sources/PhoneSim/Checkers`", CoachCheckerCatalog.all)
    text += """

      ## Adding one

      A file in one of the two folders with a type that conforms to `Checker`, a line in its catalogue, and two traces
      in its test: one that passes, and a minimal one that fails. It switches over the kinds of events in `EventBody`; a line
      that lacks a field of its kind is foreign to it.

      """
    return text
  }

  private static func section(_ title: String, _ folder: String, _ checkers: [any Checker.Type]) -> String {
    "## \(title)\n\nIn \(folder).\n\n"
      + Markdown.table(
        ["invariant", "what it says", "reads"],
        checkers.map { checker in
          [Markdown.code(checker.invariant), checker.about, events(checker).map(Markdown.code).joined(separator: ", ")]
        })
  }
}
