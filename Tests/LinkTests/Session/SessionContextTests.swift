import LinkTestSupport
import Testing

@testable import Link

/// What a session says about its application context.
@Suite struct `A session's context` {
  @Test func `a context that is set again is not sent, and a line says so`() throws {
    var pair = Pair()
    try pair.drive()
    try pair.context([1], from: .watch)
    try pair.drive()
    try pair.context([1], from: .watch)
    try pair.drive()
    #expect(pair.watch.lines("context.set").count == 1 && pair.phone.contexts == [[1]])
    let unchanged = pair.watch.lines("context.unchanged")
    #expect(unchanged.count == 1)
    #expect(unchanged.first?["seq"] == pair.watch.lines("context.set").first?["seq"])
    #expect(unchanged.first?["digest"] == pair.watch.lines("context.set").first?["digest"])
    let sentence = try #require(EventCatalog.entry("context.unchanged")?.sentence)
    #expect(sentence(try #require(unchanged.first).fields)?.text.hasSuffix("nothing is sent") == true)
    try pair.context([2], from: .watch)
    try pair.context([1], from: .watch)
    #expect(pair.watch.lines("context.unchanged").count == 1)
  }
}
