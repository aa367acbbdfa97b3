import Testing

@testable import Console

@Suite struct CommandWordsTests {
  @Test(arguments: [
    ("a b  c", ["a", "b", "c"]), ("  a\tb ", ["a", "b"]), ("a 'b c' d", ["a", "b c", "d"]),
    (#"a "b 'c' \" \\ \n" d"#, ["a", #"b 'c' " \ \n"#, "d"]), (#"a\ b c"#, ["a b", "c"]), ("a '' b", ["a", "", "b"]),
    ("pre'mid'post", ["premidpost"]),
  ])
  func `a command falls into words at blanks that are not quoted`(text: String, words: [String]) throws {
    #expect(try CommandWords.split(text, option: "--watch-cmd") == words)
  }

  @Test(arguments: ["", "   ", "a 'b", "a \"b", "a\\", "'' a"])
  func `a command without a program or with half a quote is refused`(text: String) {
    #expect(throws: Failure.self) { try CommandWords.split(text, option: "--watch-cmd") }
  }

  @Test func `words that were joined fall into the same words again`() throws {
    let words = ["/bin/x", "it's", "a b", "", "$HOME", "\"q\"", "back\\slash", "--flag=1"]
    #expect(try CommandWords.split(CommandWords.join(words), option: "x") == words)
    #expect(CommandWords.join(["run", "scenarios/a.json5", "--seed", "42"]) == "run scenarios/a.json5 --seed 42")
  }
}
