import Link
import Testing

@Suite struct TerminalTextTests {
  @Test(arguments: [
    ("a\u{1B}[31mb", #"a\u001B[31mb"#), ("line\nPASS", #"line\u000APASS"#), ("\r\u{7F}\u{9B}", #"\u000D\u007F\u009B"#),
    ("\u{202E}\u{2066}\u{200E}\u{2028}\u{FEFF}", #"\u202E\u2066\u200E\u2028\uFEFF"#),
    ("\u{E0041}\u{FFFE}", #"\uDB40\uDC41\uFFFE"#),
  ])
  func `text that controls a terminal is escaped`(text: String, escaped: String) {
    #expect(TerminalText.escape(text) == escaped)
    #expect(TerminalText.escape(escaped) == escaped)
  }

  @Test(arguments: ["", "plain \\ \"text\"", "grüß dich 🏃", "👩‍👧", "می‌خواهم", "e\u{301}"])
  func `plain text is unchanged`(text: String) { #expect(TerminalText.escape(text) == text) }
}
