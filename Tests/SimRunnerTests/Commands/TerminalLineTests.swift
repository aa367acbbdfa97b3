import Link
import Testing

@testable import Console

@Suite struct TerminalLineTests {
  @Test func `a line keeps the tool's own colours and nothing else that steers`() {
    let own = Terminal.styled("PASS", .green, .bold, when: true)
    #expect(Terminal.line(own + " and more") == own + " and more")
    #expect(Terminal.line("a\nPASS") == #"a\u000APASS"#)
    // Concealed text, a title, another screen: no style of the tool's.
    #expect(Terminal.line("\u{1B}[8mx\u{1B}]0;t\u{07}\u{1B}[?1049h") == #"\u001B[8mx\u001B]0;t\u0007\u001B[?1049h"#)
    #expect(Terminal.line("\u{1B}") == #"\u001B"#)
    #expect(Terminal.lines("a\nb\u{202E}") == "a\nb\\u202E")
  }

  @Test func `a failure is one line, or as many as it has problems`() {
    #expect(Failure.input("x\nPASS").text == #"x\u000APASS"#)
    #expect(Failure.problems(["a\nb", "c"]).text == "a\\u000Ab\nc")
    #expect(Failure.problems([]).status == 2)
  }

  @Test func `a word of a command with control characters can be pasted`() {
    #expect(CommandWords.join(["run", "a\nb'c\\"]) == #"run $'a\x0Ab\'c\\'"#)
    #expect(CommandWords.join(["\u{202E}x"]) == #"$'\xE2\x80\xAEx'"#)
  }
}
