import Console
import Link
import Simulator

/// The reference page of the invariants.
enum CheckerReference {
  /// `docs/internals/checkers.md`.
  static var page: String {
    var text = Markdown.head("Invariants")
    text += """

      Every run is judged by all of these while it goes on, and every trace by `sim-runner check`. A checker reads the
      lines of the trace and nothing else, so a trace made by any program, in any language, is judged the same way.
      A checker implements the rules itself: the coach's checkers do not call the engine that
      they judge.

      * A violation has its invariant, the instant, what is wrong in words, and the numbers of the lines that show it.
        At most \(Judge.violationsMax) of each invariant are kept.
      * Safety is judged under faults. Liveness ("it finishes", "it converges") is judged after the `healed` line, when
        every fault has ended and the queues had 10 minutes to drain, or more where frames were still on their way that a
        fault had delayed by so much.
      * A trace without its `end` line is truncated: violations in it count, but events that may be missing are not
        held against it, and without a violation the verdict is *unknown*, which is not a pass.
      * The `expectation` and `violation` lines in a trace are an earlier judgement, and are not read.
      * Any other line that is earlier than one before it breaks `causality`, whatever its event.
      * `sim-runner invariants --json` lists the events that each one reads.


      """
    text += section("The link", "`Sources/Link/Checkers`", Invariants.linked.ofLink.all)
    text += "\n" + section("The coach", "`Sources/CoachCheckers`", Invariants.linked.ofCoach.all)
    text += """

      ## Adding one

      A file in one of the two folders with a type that conforms to `Checker`, a line in its catalogue, and two traces
      in its test: one that passes, and a minimal one that fails. It has a method for each kind of event that it reads
      (`LinkMethods`, `DeviceMethods`); a line that lacks a field of its kind comes to none.

      """
    return text
  }

  private static func section(_ title: String, _ folder: String, _ checkers: [any Checker.Type]) -> String {
    "## \(title)\n\nIn \(folder).\n\n"
      + Markdown.table(
        ["invariant", "what it says"], checkers.map { [Markdown.code($0.invariant), $0.about] })
  }
}
